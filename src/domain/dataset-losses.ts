import type { DatasetName } from './dataset.ts';

/** The data that are missing without a dataset, as one phrase, for people who may disable it. */
const losses: { readonly [D in DatasetName]: string } = {
  checks: 'everything',
  transactions: 'everything about transactions',
  outages: 'counters and error budgets of checks that fail often',
  history: 'error budgets and outages of the time before, and history for Prometheus',
  results: 'histograms, quantiles and causes',
  performance: 'response time charts and hourly averages',
  average: "the service's own averages and uptime; error budgets stay",
  hours_of_day: 'averages by hour of the day',
  transaction_performance: 'durations of transactions',
  detail: 'thresholds and recipients',
  analyses: 'counts and ids of analyses',
  active_probes: 'the number of probes',
  credits: 'limits of checks and messages',
  maintenance: 'maintenance, which then counts as downtime and raises alerts',
  actions: 'counts of alerts sent',
  probes: 'probe metrics and countries',
  contacts: 'counts of contacts',
  teams: 'counts of teams',
  account: 'account settings',
};

/** Returns the datasets with what is lost without each, such as `teams (you would lose …), …`. */
export function withLosses(names: readonly DatasetName[]): string {
  return names.map((name) => `${name} (you would lose ${losses[name]})`).join(', ');
}
