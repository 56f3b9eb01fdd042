import type { Board } from './board.ts';
import { burnWindows, spentEvenly } from './budget-lines.ts';
import { colours } from './colours.ts';
import { kinds, outagesOverTime, stateOf } from './items.ts';
import { exporterPage } from './links.ts';
import { lastOutages } from './outage-table.ts';
import { barsPanel, figuresPanel, linesPanel, statesPanel } from './panel.ts';
import { each, ofCheck, ofOwner, ofStep, reference } from './selectors.ts';
import { badAbove, budgetLeft, itemStates, outageStates, yesOrNo } from './states.ts';
import { rankingPanel } from './table.ts';
import { readOverTime, readStates, whileAnswering } from './trust.ts';
import { checkVariable, ownerVariable, spanVariable } from './variables.ts';

/** A dataset with a longer interval counts as not planned. */
const yearSeconds = 365 * 86_400;

/**
 * Results are read in turn, so counters of a check step once per interval. Over four intervals, a
 * rate shows the measured values rather than the time of reading.
 */
const resultsSpan = `${reference('results_span')}s`;
const buckets = `sum by (le) (increase(${ofCheck('uptime_check_response_time_seconds_bucket')}[${resultsSpan}]))`;
/** Without tests a quantile is NaN, which must not be shown. */
const quantile = (share: number) => ({
  expr: whileAnswering(`histogram_quantile(${share}, ${buckets}) >= 0`, ofOwner),
  legend: `${share * 100} % are faster`,
});

/** A family of the selected item, which is a check or a transaction. */
const either = (name: string, more = '') =>
  kinds.map((kind) => each(ofCheck(`uptime_${kind}_${name}`, more))).join('\nor ');

const lastResponse = ofCheck('uptime_check_last_response_time_seconds');
const ofTransactionHour = each(ofCheck('uptime_transaction_hourly_average_response_time_seconds'));

export const checkDetail: Board = {
  uid: 'uptime-check',
  title: 'Check',
  description:
    'One check or transaction: its state, outages with their causes, response times, error budget and maintenance.',
  of: ofOwner,
  variables: [
    checkVariable(),
    ownerVariable(),
    spanVariable(
      'results_span',
      `4 * max(${ofOwner('uptime_exporter_dataset_interval_seconds', 'dataset="results"')})`,
    ),
  ],
  rows: {
    '': [
      figuresPanel({
        title: 'Now',
        description:
          'The state in the last list, whether it is in maintenance, and how long it has been down without maintenance. The availability and the remaining error budget of the last 30 days, without maintenance. For a check the response time of the last test and the time until its next maintenance; for a transaction the average of the last complete hour with a run, and the failing step. A value that is not known, or does not apply, is absent.',
        unit: 'none',
        width: 24,
        links: exporterPage(),
        queries: [
          ...kinds.map((kind) => ({
            expr: `${stateOf(kind, ofCheck)} and on () (max(${ofOwner('uptime_up')}) == 1)`,
            legend: 'State',
            mappings: [itemStates],
          })),
          {
            expr: `max(${either('in_maintenance')}) == 1`,
            legend: 'Maintenance',
            mappings: [yesOrNo],
          },
          {
            expr: `time() - max(${either('outage_start_timestamp_seconds')})`,
            legend: 'Down for',
            unit: 's',
            thresholds: badAbove(0),
          },
          {
            expr: `max(${either('error_budget_remaining_ratio')})`,
            legend: 'Budget left',
            unit: 'percentunit',
            decimals: 1,
            thresholds: budgetLeft,
          },
          {
            expr: `1 - max(${either('error_ratio', 'window="30d"')})`,
            legend: 'Up in 30 days',
            unit: 'percentunit',
            decimals: 3,
          },
          {
            expr: `max(${either('objective_ratio')})`,
            legend: 'Objective',
            unit: 'percentunit',
            decimals: 3,
          },
          {
            expr: `max(${lastResponse} or ${ofTransactionHour})`,
            legend: 'Last response',
            unit: 's',
          },
          {
            expr: `max(${ofCheck('uptime_transaction_failing_step')})`,
            legend: 'Failing step',
            thresholds: badAbove(1),
          },
          {
            expr: `max(${ofCheck('uptime_check_next_maintenance_start_timestamp_seconds')}) - time()`,
            legend: 'Next maintenance in',
            unit: 's',
          },
        ],
      }),
      statesPanel({
        title: 'States and outages',
        description:
          'Whether the account could be read. The state in the last list. Outages at their true times, even if they became known later. Maintenance. A gap is time without data.',
        unit: 'none',
        width: 24,
        height: 6,
        queries: [
          { expr: readOverTime(ofOwner), legend: 'Account', mappings: [readStates] },
          ...kinds.map((kind) => ({
            expr: stateOf(kind, ofCheck),
            legend: 'As listed',
            mappings: [itemStates],
          })),
          { expr: outagesOverTime(ofCheck), legend: 'Outages', mappings: [outageStates] },
          {
            expr: `max(3 * ((${kinds
              .map((kind) => ofStep(ofCheck(`uptime_${kind}_in_maintenance`)))
              .join(' or ')}) == 1))`,
            legend: 'Maintenance',
            mappings: [itemStates],
          },
        ],
      }),
      lastOutages({ of: ofCheck, width: 24, isOfOne: true }),
    ],
    'Response time and error budget': [
      linesPanel({
        title: 'Response time, and what is usual',
        description:
          'For a check, the response time of the last test, and its average over the previous 24 hours. For a transaction, the average of the last complete hour with a run.',
        unit: 's',
        width: 12,
        min: 0,
        queries: [
          {
            expr: each(lastResponse),
            legend: 'last test',
            color: colours.good,
          },
          {
            expr: each(`avg_over_time(${lastResponse}[1d]) and ${lastResponse}`),
            legend: 'average of 24 h',
            color: colours.warning,
            stroke: 'dash',
          },
          {
            expr: ofTransactionHour,
            legend: 'average of an hour',
            color: colours.paused,
          },
        ],
      }),
      linesPanel({
        title: 'Error budget left',
        description:
          'The remaining share of the 30-day error budget. Below 0 the objective is missed. The dashed line is a budget that is spent evenly.',
        unit: 'percentunit',
        width: 12,
        max: 1,
        timeFrom: '30d',
        interval: '30m',
        queries: [
          {
            expr: either('error_budget_remaining_ratio'),
            legend: 'left',
            color: colours.good,
          },
          spentEvenly,
        ],
      }),
    ],
  },
  closed: {
    'A year back': [
      barsPanel({
        title: 'Downtime of each week',
        description:
          'How long it was down in each week of a year, including maintenance. Each bar is at the end of its week. Weeks before the exporter first saw it have bars only if its history was imported with "uptime-exporter backfill".',
        unit: 's',
        width: 24,
        height: 7,
        min: 0,
        timeFrom: '364d',
        interval: '7d',
        queries: [
          {
            // A renamed check has a series of each name.
            expr: `max(sum by (job, instance) (${kinds
              .map(
                (kind) =>
                  `increase(${ofCheck(`uptime_${kind}_state_seconds_total`, 'state="down"')}[$__interval])`,
              )
              .join(' or ')}))`,
            legend: 'down',
            color: colours.bad,
          },
        ],
      }),
    ],
    'Burn rate, who is notified': [
      rankingPanel({
        title: 'Burn rate',
        description:
          'How many times faster than allowed the error budget is spent. Alerts read the windows of 3 and 30 days.',
        width: 12,
        names: { window: { heading: 'Window' } },
        number: {
          heading: 'Burn rate',
          unit: 'none',
          decimals: 1,
          width: 120,
          thresholds: badAbove(1),
        },
        expr: `max by (window) (${kinds.map((kind) => ofCheck(`uptime_${kind}_burn_rate`, burnWindows)).join(' or ')})`,
      }),
      rankingPanel({
        title: 'Who is notified',
        description: 'Recipients that the service notifies when the check fails, by kind.',
        noValue: 'Needs a check, and metrics.include: [uptime_check_notification_recipients]',
        width: 12,
        names: { recipient: { heading: 'Recipients' } },
        number: { heading: 'How many', unit: 'none', width: 105 },
        expr: `max by (recipient) (${ofCheck('uptime_check_notification_recipients')})`,
      }),
    ],
    'Single tests, countries, steps of a transaction: where they are read': [
      figuresPanel({
        title: 'How often they are read',
        description:
          'The planned time between two refreshes of one check or transaction. The panels below may take this long until they have data; quantiles need two refreshes. An absent dataset is disabled, or planned less than once a year.',
        unit: 's',
        width: 24,
        height: 3,
        queries: (
          [
            ['results', 'Single tests: every'],
            ['average', 'Averages and countries: every'],
            ['transaction_performance', 'Steps: every'],
          ] as const
        ).map(([dataset, legend]) => ({
          expr: `max(${ofOwner('uptime_exporter_dataset_interval_seconds', `dataset="${dataset}"`)}) < ${yearSeconds}`,
          legend,
        })),
      }),
      linesPanel({
        title: 'Quantiles',
        description:
          '50 %, 90 % and 99 % of the tests were faster than this, over four refreshes of the results.',
        noValue:
          'Needs a check, and hourly results or metrics.include: [uptime_check_response_time_seconds]',
        unit: 's',
        width: 12,
        min: 0,
        queries: [
          { ...quantile(0.5), color: colours.good },
          { ...quantile(0.9), color: colours.warning, stroke: 'dash' },
          { ...quantile(0.99), color: colours.bad, stroke: 'dot' },
        ],
      }),
      linesPanel({
        title: 'By country',
        description:
          'Average response time of the last 24 hours by the country of the probe: the ten slowest countries.',
        noValue: 'Needs a check, and by_country in the configuration',
        unit: 's',
        width: 12,
        min: 0,
        queries: [
          {
            expr: `topk(10, max by (probe_country) (${ofCheck('uptime_check_country_average_response_time_seconds')}))`,
            legend: '{{probe_country}}',
          },
        ],
      }),
      rankingPanel({
        title: 'Steps',
        description:
          'Average time of each step in the last complete hour with a run, the slowest first.',
        width: 24,
        names: {
          step: { heading: 'Step', width: 70 },
          fn: { heading: 'What it does' },
        },
        number: { heading: 'Time', unit: 's', width: 120 },
        expr: `max by (step, fn) (${ofCheck('uptime_transaction_step_average_response_time_seconds')})`,
      }),
    ],
  },
};
