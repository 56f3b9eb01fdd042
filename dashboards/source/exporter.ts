import type { Board } from './board.ts';
import { colours } from './colours.ts';
import { linesPanel, stackedPanel, statesPanel, statPanel, tablePanel } from './panel.ts';
import { ofAccount, ofExporter } from './selectors.ts';
import { badAbove, plain, steps, working } from './states.ts';

const dataset = (what: string) => ofAccount(`uptime_exporter_dataset_${what}`);
const limit = (what: string, window = '') =>
  ofAccount(`uptime_exporter_rate_limit_${what}`, window === '' ? '' : `window="${window}"`);

const each = (what: string) => `max by (account, dataset) (${dataset(what)})`;
const age = `(time() - ${each('last_success_timestamp_seconds')})`;

/** What will be left at the reset if the spending of the last time goes on. */
function forecast(window: string, span: string, spanSeconds: number): string {
  const remaining = limit('remaining', window);
  return `clamp_min(
  ${remaining}
  + clamp_max(${remaining} - ${remaining} offset ${span}, 0) / ${spanSeconds}
    * (${limit('reset_timestamp_seconds', window)} - time()),
  0
)`;
}

function budgetOf(window: string, name: string, span: string, spanSeconds: number) {
  return linesPanel({
    title: `Requests left, ${name}`,
    description: `What the ${name} still allows, the reserve for other clients, and what will be left at the reset if the spending of the last ${span} goes on.`,
    unit: 'short',
    width: 12,
    min: 0,
    queries: [
      { expr: limit('remaining', window), legend: '{{account}} left' },
      { expr: limit('reserve', window), legend: '{{account}} reserve' },
      { expr: forecast(window, span, spanSeconds), legend: '{{account}} forecast at the reset' },
    ],
  });
}

export const exporter: Board = {
  uid: 'uptime-exporter',
  title: 'Exporter and API budget',
  description: 'Whether the exporter works, how old its data are, what it spends and what is left.',
  rows: {
    State: [
      statPanel({
        title: 'Accounts read',
        description: 'Whether the last refresh of the check list worked and is not stale.',
        unit: 'none',
        width: 6,
        thresholds: plain,
        mappings: [working],
        queries: [{ expr: ofAccount('uptime_up'), legend: '{{account}}' }],
      }),
      statPanel({
        title: 'Stale datasets',
        description: 'Datasets that have no data, or whose data are withdrawn for their age.',
        unit: 'none',
        width: 6,
        thresholds: steps(colours.good, [1, colours.warning]),
        queries: [{ expr: `sum by (account) (${dataset('stale')})`, legend: '{{account}}' }],
      }),
      statPanel({
        title: 'Held back',
        description: '1 while the budget lets no request pass, as after a 429.',
        unit: 'none',
        width: 6,
        thresholds: badAbove(1),
        queries: [{ expr: ofAccount('uptime_exporter_budget_paused'), legend: '{{account}}' }],
      }),
      statPanel({
        title: 'Version',
        description: 'What runs.',
        unit: 'none',
        width: 6,
        thresholds: plain,
        textMode: 'name',
        queries: [{ expr: ofExporter('uptime_exporter_build_info'), legend: '{{version}}' }],
      }),
      tablePanel({
        title: 'Datasets, the latest first',
        description:
          'How many planned intervals old each dataset is, and how old; more than three intervals are late.',
        width: 24,
        height: 12,
        sortBy: ['Intervals', 'descending'],
        columns: {
          dataset: { heading: 'Dataset' },
          'Value #A': {
            heading: 'Intervals',
            unit: 'none',
            decimals: 1,
            width: 110,
            thresholds: steps(colours.good, [2, colours.warning], [3, colours.bad]),
          },
          'Value #B': { heading: 'Age', unit: 's', width: 110 },
          'Value #C': { heading: 'Planned every', unit: 's', width: 130 },
          'Value #D': { heading: 'Entries', unit: 'none', width: 110 },
          account: { heading: 'Account', width: 130 },
        },
        queries: [
          { expr: `${age} / ${each('interval_seconds')}` },
          { expr: age },
          { expr: each('interval_seconds') },
          { expr: each('items') },
        ],
      }),
    ],
    'API budget': [
      budgetOf('short', 'short window', '5m', 300),
      budgetOf('long', 'long window', '6h', 21_600),
      linesPanel({
        title: 'Demand and budget',
        description:
          'Requests an hour that every dataset as fresh as it can be takes, that the budget sustains, and that were sent.',
        unit: 'short',
        width: 12,
        min: 0,
        queries: [
          {
            expr: `3600 * ${ofAccount('uptime_exporter_demand_requests_per_second')}`,
            legend: '{{account}} wanted',
          },
          {
            expr: `3600 * ${ofAccount('uptime_exporter_budget_requests_per_second')}`,
            legend: '{{account}} sustained',
          },
          {
            expr: `3600 * sum by (account) (rate(${ofAccount('uptime_exporter_api_requests_total')}[$__rate_interval]))`,
            legend: '{{account}} sent',
          },
        ],
      }),
      statesPanel({
        title: 'What the budget rests on',
        description: 'Headers of the service, the fallback when it sends none, or learning.',
        unit: 'none',
        width: 12,
        thresholds: plain,
        mappings: [working],
        queries: [
          {
            expr: `${ofAccount('uptime_exporter_budget_mode')} == 1`,
            legend: '{{account}} {{mode}}',
          },
        ],
      }),
      stackedPanel({
        title: 'Requests',
        description: 'Requests an hour by operation.',
        unit: 'short',
        width: 12,
        min: 0,
        queries: [
          {
            expr: `3600 * sum by (operation) (rate(${ofAccount('uptime_exporter_api_requests_total')}[$__rate_interval]))`,
            legend: '{{operation}}',
          },
        ],
      }),
      stackedPanel({
        title: 'Replies',
        description: 'Requests an hour by status code, or the reason why there was none.',
        unit: 'short',
        width: 12,
        min: 0,
        queries: [
          {
            expr: `3600 * sum by (code) (rate(${ofAccount('uptime_exporter_api_requests_total')}[$__rate_interval]))`,
            legend: '{{code}}',
          },
        ],
      }),
      linesPanel({
        title: 'Waiting',
        description: 'Items that wait for their turn, and for how long the longest due one has.',
        unit: 'short',
        width: 12,
        min: 0,
        queries: [
          { expr: ofAccount('uptime_exporter_agenda_items'), legend: '{{account}} {{class}}' },
        ],
      }),
      linesPanel({
        title: 'Longest due',
        description: 'For how long the longest due item has been waiting.',
        unit: 's',
        width: 12,
        min: 0,
        queries: [
          { expr: ofAccount('uptime_exporter_agenda_oldest_due_seconds'), legend: '{{account}}' },
        ],
      }),
    ],
    Failures: [
      linesPanel({
        title: 'Failed refreshes',
        description: 'Refreshes that failed, by dataset and reason.',
        unit: 'short',
        width: 12,
        min: 0,
        queries: [
          {
            expr: `sum by (dataset, reason) (increase(${dataset('errors_total')}[$__rate_interval])) > 0`,
            legend: '{{dataset}}: {{reason}}',
          },
        ],
      }),
      linesPanel({
        title: 'Rejected entries',
        description: 'Entries of otherwise good lists that were left out.',
        unit: 'short',
        width: 12,
        min: 0,
        queries: [
          {
            expr: `sum by (dataset, reason) (increase(${ofAccount('uptime_exporter_rejected_entries_total')}[$__rate_interval])) > 0`,
            legend: '{{dataset}}: {{reason}}',
          },
        ],
      }),
      linesPanel({
        title: 'Duration of requests',
        description: 'Half and 95 % of the requests were answered in this time.',
        unit: 's',
        width: 12,
        min: 0,
        queries: [0.5, 0.95].map((share) => ({
          expr: `histogram_quantile(${share}, sum by (le) (rate(${ofAccount('uptime_exporter_api_request_duration_seconds_bucket')}[$__rate_interval])))`,
          legend: `${share * 100} %`,
        })),
      }),
      linesPanel({
        title: 'Storage',
        description: 'Writes that failed, and those that worked.',
        unit: 'short',
        width: 12,
        min: 0,
        queries: [
          {
            expr: `increase(${ofExporter('uptime_exporter_store_errors_total')}[$__rate_interval])`,
            legend: 'failed',
          },
          {
            expr: `increase(${ofExporter('uptime_exporter_store_writes_total')}[$__rate_interval])`,
            legend: 'worked',
          },
        ],
      }),
    ],
    Process: [
      linesPanel({
        title: 'Memory',
        description: 'Resident memory of the process.',
        unit: 'bytes',
        width: 8,
        min: 0,
        queries: [{ expr: ofExporter('process_resident_memory_bytes'), legend: '{{instance}}' }],
      }),
      linesPanel({
        title: 'CPU',
        description: 'Processor time of the process: 1 is a whole core.',
        unit: 'percentunit',
        width: 8,
        min: 0,
        queries: [
          {
            expr: `rate(${ofExporter('process_cpu_seconds_total')}[$__rate_interval])`,
            legend: '{{instance}}',
          },
        ],
      }),
      linesPanel({
        title: 'Page',
        description: 'Size of the page of metrics.',
        unit: 'bytes',
        width: 8,
        min: 0,
        queries: [{ expr: ofExporter('uptime_exporter_page_bytes'), legend: '{{encoding}}' }],
      }),
      linesPanel({
        title: 'Series',
        description: 'Series on the page, the own ones of the exporter left out.',
        unit: 'short',
        width: 8,
        min: 0,
        queries: [{ expr: ofExporter('uptime_exporter_series'), legend: '{{instance}}' }],
      }),
      linesPanel({
        title: 'Rendering',
        description: 'Time the last rendering of the page took.',
        unit: 's',
        width: 8,
        min: 0,
        queries: [{ expr: ofExporter('uptime_exporter_render_seconds'), legend: '{{instance}}' }],
      }),
      linesPanel({
        title: 'Event loop',
        description: 'By how much the event loop was late, 99 % of the time.',
        unit: 's',
        width: 8,
        min: 0,
        queries: [{ expr: ofExporter('nodejs_eventloop_lag_p99_seconds'), legend: '{{instance}}' }],
      }),
    ],
  },
};
