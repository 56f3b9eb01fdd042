import { burnTiers } from '../../src/rules/parameters.ts';
import { type Board, outagesAndMaintenance } from './board.ts';
import { colours } from './colours.ts';
import {
  barsPanel,
  heatmapPanel,
  linesPanel,
  stackedPanel,
  statesPanel,
  statPanel,
} from './panel.ts';
import { ofCheck, stateNumber } from './selectors.ts';
import { badAbove, checkStates, left, plain, steps, yesOrNo } from './states.ts';
import { checkVariable } from './variables.ts';

const buckets = `sum by (le) (increase(${ofCheck('uptime_check_response_time_seconds_bucket')}[$__rate_interval]))`;
const quantile = (share: number) => ({
  expr: `histogram_quantile(${share}, ${buckets})`,
  legend: `${share * 100} % are faster`,
});
const burnWindows = [...new Set(burnTiers.flatMap(({ short, long }) => [short, long]))];
const window30d = `1 - ${ofCheck('uptime_check_error_ratio', 'window="30d"')}`;

function uptimeOver(window: string) {
  return statPanel({
    title: `Uptime over ${window}`,
    description: `Share of the monitored time of ${window} in which the check was up, as the service reports it, maintenance included.`,
    unit: 'percentunit',
    decimals: 3,
    width: 4,
    thresholds: steps(colours.bad, [0.99, colours.warning], [0.999, colours.good]),
    queries: [{ expr: ofCheck('uptime_check_uptime_ratio', `window="${window}"`) }],
  });
}

export const checkDetail: Board = {
  uid: 'uptime-check',
  title: 'Check',
  description: 'One check: its state, availability, response times, outages and maintenance.',
  variables: [checkVariable('uptime_check_info', 'Check')],
  annotations: outagesAndMaintenance(ofCheck, 'check'),
  rows: {
    State: [
      statPanel({
        title: 'Now',
        description: 'The state of the check in the last list.',
        unit: 'none',
        width: 4,
        thresholds: plain,
        mappings: [checkStates],
        queries: [{ expr: stateNumber(ofCheck) }],
      }),
      ...['24h', '7d', '30d'].map(uptimeOver),
      statPanel({
        title: 'Availability against the objective',
        description:
          'Share of the last 30 days in which the check was up, planned maintenance left out: what the objective counts.',
        unit: 'percentunit',
        decimals: 3,
        width: 4,
        thresholds: plain,
        queries: [{ expr: window30d }],
      }),
      statPanel({
        title: 'Error budget left',
        description:
          'What is left of the error budget of 30 days; below 0 the objective is missed.',
        unit: 'percentunit',
        width: 4,
        thresholds: left,
        queries: [{ expr: ofCheck('uptime_check_error_budget_remaining_ratio') }],
      }),
      statesPanel({
        title: 'States',
        description: 'The state of the check over time. A gap is time without data.',
        unit: 'none',
        width: 24,
        height: 5,
        thresholds: plain,
        mappings: [checkStates],
        queries: [{ expr: stateNumber(ofCheck), legend: '{{name}}' }],
      }),
      linesPanel({
        title: 'Burn rate',
        description:
          'How many times faster than allowed the error budget is spent. Dashes are where the alerts begin.',
        unit: 'none',
        width: 16,
        min: 0,
        thresholds: steps(
          colours.good,
          ...burnTiers
            .map(
              ({ rate, severity }) =>
                [rate, severity === 'critical' ? colours.bad : colours.warning] as const,
            )
            .toReversed(),
        ),
        queries: burnWindows.map((window) => ({
          expr: ofCheck('uptime_check_burn_rate', `window="${window}"`),
          legend: window,
        })),
      }),
      barsPanel({
        title: 'Who is told',
        description: 'Recipients that the service notifies when the check fails.',
        unit: 'none',
        width: 8,
        min: 0,
        thresholds: plain,
        queries: [
          { expr: ofCheck('uptime_check_notification_recipients'), legend: '{{recipient}}' },
        ],
      }),
    ],
    'Response time': [
      heatmapPanel({
        title: 'Distribution',
        description:
          'How many tests took how long. Results are fetched in turn, so they come in groups.',
        unit: 's',
        width: 12,
        height: 10,
        queries: [{ expr: buckets, legend: '{{le}}' }],
      }),
      linesPanel({
        title: 'Quantiles',
        description: 'Half, 90 % and 99 % of the tests were faster than this.',
        unit: 's',
        width: 12,
        height: 10,
        min: 0,
        queries: [quantile(0.5), quantile(0.9), quantile(0.99)],
      }),
      linesPanel({
        title: 'Last test, and what is usual',
        description:
          'Response time of the last test, the average of the last hours and days, and the time from which the service counts the check as down.',
        unit: 's',
        width: 12,
        min: 0,
        queries: [
          { expr: ofCheck('uptime_check_last_response_time_seconds'), legend: 'last test' },
          {
            expr: ofCheck('uptime_check_hourly_average_response_time_seconds'),
            legend: 'last hour',
          },
          {
            expr: ofCheck('uptime_check_average_response_time_seconds'),
            legend: 'average {{window}}',
          },
          {
            expr: ofCheck('uptime_check_response_time_threshold_seconds'),
            legend: 'down from here',
          },
        ],
      }),
      linesPanel({
        title: 'By country',
        description: 'Average response time by the country of the probe, where it is switched on.',
        unit: 's',
        width: 12,
        min: 0,
        queries: [
          {
            expr: ofCheck('uptime_check_country_average_response_time_seconds'),
            legend: '{{probe_country}}, 24 h',
          },
          {
            expr: `sum by (probe_country) (rate(${ofCheck('uptime_check_probe_response_time_seconds_sum')}[$__rate_interval]))
/ sum by (probe_country) (rate(${ofCheck('uptime_check_probe_response_time_seconds_count')}[$__rate_interval]))`,
            legend: '{{probe_country}}',
          },
        ],
      }),
    ],
    'Outages and maintenance': [
      stackedPanel({
        title: 'Time by state',
        description: 'Seconds counted in each state. Time in which nobody looked is counted later.',
        unit: 's',
        width: 12,
        min: 0,
        queries: [
          {
            expr: `sum by (state) (increase(${ofCheck('uptime_check_state_seconds_total')}[$__rate_interval]))`,
            legend: '{{state}}',
          },
        ],
      }),
      stackedPanel({
        title: 'Tests by what they found',
        description: 'Tests that were read, by their result.',
        unit: 'short',
        width: 12,
        min: 0,
        queries: [
          {
            expr: `sum by (status) (increase(${ofCheck('uptime_check_results_total')}[$__rate_interval]))`,
            legend: '{{status}}',
          },
        ],
      }),
      linesPanel({
        title: 'Outages',
        description: 'Confirmed outages.',
        unit: 'short',
        width: 8,
        min: 0,
        queries: [
          {
            expr: `increase(${ofCheck('uptime_check_outages_total')}[$__rate_interval])`,
            legend: 'outages',
          },
        ],
      }),
      statPanel({
        title: 'Last outage',
        description: 'How long the last outage that ended took.',
        unit: 's',
        width: 4,
        height: 8,
        thresholds: plain,
        queries: [{ expr: ofCheck('uptime_check_last_outage_duration_seconds') }],
      }),
      statPanel({
        title: 'In maintenance',
        description: 'Whether the check is in maintenance now.',
        unit: 'none',
        width: 4,
        height: 8,
        thresholds: plain,
        mappings: [yesOrNo],
        queries: [{ expr: ofCheck('uptime_check_in_maintenance') }],
      }),
      statPanel({
        title: 'Next maintenance in',
        description: 'Time until the next maintenance of the check.',
        unit: 's',
        width: 4,
        height: 8,
        thresholds: plain,
        queries: [
          { expr: `${ofCheck('uptime_check_next_maintenance_start_timestamp_seconds')} - time()` },
        ],
      }),
      statPanel({
        title: 'Alerts sent',
        description:
          'Alerts the service sent because of the check in the last interval of the graph.',
        unit: 'short',
        width: 4,
        height: 8,
        thresholds: badAbove(1),
        queries: [
          { expr: `sum(increase(${ofCheck('uptime_alerts_sent_total')}[$__rate_interval]))` },
        ],
      }),
    ],
  },
};
