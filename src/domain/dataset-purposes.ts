import type { DatasetName } from './dataset.ts';

interface DatasetPurpose {
  /** The purpose of the dataset, as one phrase. */
  readonly use: string;
  /** The data that are missing without it, as one phrase. */
  readonly loss: string;
}

/** The purpose of each dataset, for people who decide which ones to disable. */
export const datasetPurposes: { readonly [D in DatasetName]: DatasetPurpose } = {
  checks: { use: 'state of every check', loss: 'everything' },
  transactions: {
    use: 'state and outages of every transaction',
    loss: 'everything about transactions',
  },
  outages: {
    use: 'outage reports where the list leaves a state open',
    loss: 'counters and error budgets of checks that fail often',
  },
  history: {
    use: 'the 35 days before a check was first seen, once; more when an operator asks for it',
    loss: 'error budgets and outages of the time before, and history for Prometheus',
  },
  results: {
    use: 'response times of single tests, causes of outages',
    loss: 'histograms, quantiles and causes',
  },
  performance: { use: 'hourly response times', loss: 'response time charts and hourly averages' },
  average: {
    use: 'average response time and uptime over 1, 7 and 30 days',
    loss: "the service's own averages and uptime; error budgets stay",
  },
  hours_of_day: {
    use: 'response time by hour of the day',
    loss: 'averages by hour of the day',
  },
  transaction_performance: {
    use: 'duration of transactions and their steps',
    loss: 'durations of transactions',
  },
  detail: {
    use: 'settings of a check: thresholds, who is notified',
    loss: 'thresholds and recipients',
  },
  analyses: { use: 'root cause analyses of outages', loss: 'counts and ids of analyses' },
  active_probes: { use: 'how many probes test a check', loss: 'the number of probes' },
  credits: { use: 'what the account may still use', loss: 'limits of checks and messages' },
  maintenance: {
    use: 'planned maintenance',
    loss: 'maintenance, which then counts as downtime and raises alerts',
  },
  actions: { use: 'alerts that the service sent', loss: 'counts of alerts sent' },
  probes: { use: 'probe servers and their countries', loss: 'probe metrics and countries' },
  contacts: { use: 'people who are notified', loss: 'counts of contacts' },
  teams: { use: 'teams', loss: 'counts of teams' },
  account: { use: 'settings and reports of the account', loss: 'account settings' },
};
