import { type Board, blindTimes, outagesAndMaintenance } from './board.ts';
import { alertWindows, spentEvenly } from './budget-lines.ts';
import { colours } from './colours.ts';
import { heatmapPanel, linesPanel, statesPanel, statPanel } from './panel.ts';
import { each, ofAccount, ofCheck, ofStep, stateNumber, worstState } from './selectors.ts';
import { badAbove, budgetLeft, checkStates, openStates, plain, yesOrNo } from './states.ts';
import { barsPanel } from './table.ts';
import { checkVariable, reference, spanVariable } from './variables.ts';

/**
 * Results are read in turn, so their counters step once an interval; over four intervals a rate shows
 * what was measured, not when it was read.
 */
const resultsSpan = `${reference('results_span')}s`;
const buckets = `sum by (le) (increase(${ofCheck('uptime_check_response_time_seconds_bucket')}[${resultsSpan}]))`;
/** Without tests, a quantile is not a number, which is not a value to show. */
const quantile = (share: number) => ({
  expr: `histogram_quantile(${share}, ${buckets}) >= 0`,
  legend: `${share * 100} % are faster`,
});
/** Only while there were tests. */
const countsByTime = `${buckets} and on () (max(${buckets}) > 0)`;
const value = (name: string, more = '') => each(ofCheck(`uptime_check_${name}`, more));

export const checkDetail: Board = {
  uid: 'uptime-check',
  title: 'Check',
  description: 'One check: its state, response times, outages, error budget and maintenance.',
  variables: [
    checkVariable('uptime_check_info', 'Check'),
    spanVariable(
      'results_span',
      `4 * max(${ofAccount('uptime_exporter_dataset_interval_seconds', 'dataset="results"')})`,
    ),
  ],
  annotations: [...outagesAndMaintenance(ofCheck, 'check', true), ...blindTimes()],
  rows: {
    'How is it now?': [
      statPanel({
        title: 'Now',
        description: 'The state of the check in the last list.',
        unit: 'none',
        width: 4,
        noValue: 'not known',
        mappings: [checkStates],
        queries: [{ expr: stateNumber(ofCheck) }],
      }),
      statPanel({
        title: 'Down for',
        description: 'Time since the outage that goes on began.',
        unit: 's',
        width: 4,
        noValue: 'not down',
        thresholds: badAbove(0),
        queries: [{ expr: `time() - ${value('outage_start_timestamp_seconds')}` }],
      }),
      statPanel({
        title: 'Up in 30 days',
        description:
          'Share of the last 30 days in which the check was up, of the time in which its state was known and no maintenance was planned.',
        unit: 'percentunit',
        decimals: 3,
        width: 4,
        noValue: 'not known yet',
        thresholds: plain,
        queries: [{ expr: `1 - ${value('error_ratio', 'window="30d"')}` }],
      }),
      statPanel({
        title: 'Budget left',
        description: 'What is left of the error budget of 30 days; negative when overspent.',
        unit: 'percentunit',
        decimals: 1,
        width: 4,
        noValue: 'not known yet',
        thresholds: budgetLeft,
        queries: [{ expr: value('error_budget_remaining_ratio') }],
      }),
      statPanel({
        title: 'Objective',
        description: 'The share of time in which the check is to be up.',
        unit: 'percentunit',
        decimals: 3,
        width: 4,
        noValue: 'not known yet',
        thresholds: plain,
        queries: [{ expr: value('objective_ratio') }],
      }),
      statPanel({
        title: 'Last response',
        description: 'Response time of the last test; absent while it measured none.',
        unit: 's',
        width: 4,
        noValue: 'not measured',
        thresholds: plain,
        queries: [{ expr: value('last_response_time_seconds') }],
      }),
      statesPanel({
        title: 'State over time',
        description:
          'The state of the check in each list, the worst where a point of the graph has several. A gap is time without data.',
        unit: 'none',
        width: 24,
        height: 4,
        noValue: 'The state was not read in this time',
        mappings: [checkStates],
        queries: [{ expr: worstState(ofCheck), legend: 'state' }],
      }),
    ],
    'Response time': [
      linesPanel({
        title: 'Response time, and what is usual',
        description:
          'Response time of the last test, and the averages of the last 24 hours and 7 days.',
        unit: 's',
        width: 12,
        min: 0,
        noValue: 'Nothing was measured in this time',
        queries: [
          {
            expr: value('last_response_time_seconds'),
            legend: 'last test',
            color: colours.good,
          },
          {
            expr: value('average_response_time_seconds', 'window="24h"'),
            legend: 'average of 24 h',
            color: colours.warning,
            stroke: 'dash',
          },
          {
            expr: value('average_response_time_seconds', 'window="7d"'),
            legend: 'average of 7 days',
            color: colours.neutral,
            stroke: 'dot',
          },
        ],
      }),
      linesPanel({
        title: 'Quantiles',
        description:
          'Half, 90 % and 99 % of the tests were faster than this, over four intervals in which results are read.',
        unit: 's',
        width: 12,
        min: 0,
        noValue: 'No results were read in this time',
        queries: [
          { ...quantile(0.5), color: colours.good },
          { ...quantile(0.9), color: colours.warning, stroke: 'dash' },
          { ...quantile(0.99), color: colours.bad, stroke: 'dot' },
        ],
      }),
      heatmapPanel({
        title: 'Distribution',
        description:
          'How many tests took how long, over four intervals in which results are read; "No data" where none were read.',
        unit: 's',
        width: 12,
        queries: [{ expr: countsByTime, legend: '{{le}}' }],
      }),
      linesPanel({
        title: 'By country',
        description: 'Average of the last 24 hours by the country of the probe.',
        unit: 's',
        width: 12,
        min: 0,
        noValue: 'Off by default: by_country in the configuration',
        queries: [
          {
            expr: `topk(10, max by (probe_country) (${ofCheck('uptime_check_country_average_response_time_seconds')}))`,
            legend: '{{probe_country}}',
          },
        ],
      }),
    ],
    'Outages and error budget': [
      linesPanel({
        title: 'Error budget left',
        description:
          'What is left of the error budget of 30 days; below 0 the objective is missed. The dashes are a full budget that is spent evenly.',
        unit: 'percentunit',
        width: 12,
        max: 1,
        timeFrom: '30d',
        noValue: 'Not known yet',
        queries: [
          {
            expr: value('error_budget_remaining_ratio'),
            legend: 'left',
            color: colours.good,
          },
          spentEvenly,
        ],
      }),
      barsPanel({
        title: 'Burn rate',
        description:
          'How many times faster than allowed the budget is spent, by the windows that alerts look at. Absent while nothing was down within 30 days.',
        width: 6,
        noValue: 'Nothing was down in 30 days',
        names: { window: { heading: 'Window', width: 90 } },
        number: { heading: 'Burn rate', unit: 'none', decimals: 1, thresholds: badAbove(1) },
        expr: `max by (window) (${ofCheck('uptime_check_burn_rate', alertWindows)})`,
      }),
      barsPanel({
        title: 'Time in each state',
        description: 'Time counted in each state within the chosen time.',
        width: 6,
        noValue: 'No time was counted yet',
        names: { state: { heading: 'State', width: 120 } },
        number: { heading: 'Time', unit: 's' },
        expr: `max by (state) (increase(${ofCheck('uptime_check_state_seconds_total')}[$__range]))`,
      }),
      statesPanel({
        title: 'Outages',
        description: 'Confirmed outages, while they were open.',
        unit: 'none',
        width: 24,
        height: 4,
        noValue: 'No outage in this time',
        mappings: [openStates],
        queries: [
          { expr: `${each(ofStep(ofCheck('uptime_check_outage_open')))} == 1`, legend: 'outage' },
        ],
      }),
    ],
    'Maintenance, and who is told': [
      statPanel({
        title: 'Maintenance',
        description: 'Whether the check is in maintenance now.',
        unit: 'none',
        width: 4,
        height: 5,
        noValue: 'unknown',
        mappings: [yesOrNo],
        queries: [{ expr: value('in_maintenance') }],
      }),
      statPanel({
        title: 'Next one in',
        description: 'Time until the next maintenance of the check.',
        unit: 's',
        width: 4,
        height: 5,
        noValue: 'none planned',
        thresholds: plain,
        queries: [{ expr: `${value('next_maintenance_start_timestamp_seconds')} - time()` }],
      }),
      statPanel({
        title: 'Last outage',
        description: 'How long the last outage that ended took.',
        unit: 's',
        width: 4,
        height: 5,
        noValue: 'none seen',
        thresholds: plain,
        queries: [{ expr: value('last_outage_duration_seconds') }],
      }),
      statPanel({
        title: 'Alerts sent',
        description: 'Alerts that the service sent because of the check in the chosen time.',
        unit: 'none',
        decimals: 0,
        width: 4,
        height: 5,
        noValue: 'none',
        thresholds: plain,
        queries: [{ expr: `sum(increase(${ofCheck('uptime_alerts_sent_total')}[$__range]))` }],
      }),
      barsPanel({
        title: 'Who is told',
        description: 'Recipients that the service notifies when the check fails.',
        width: 8,
        height: 5,
        noValue: 'Nobody is told, or the details of the check were not read yet',
        names: { recipient: { heading: 'Recipients', width: 120 } },
        number: { heading: 'How many', unit: 'none' },
        expr: `max by (recipient) (${ofCheck('uptime_check_notification_recipients')}) > 0`,
      }),
    ],
  },
};
