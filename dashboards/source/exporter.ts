import { type Board, blindTimes } from './board.ts';
import { colours } from './colours.ts';
import { apiBudgetPanels } from './exporter-budget.ts';
import { linesPanel, statPanel } from './panel.ts';
import { eachAccount, ofAccount, ofExporter } from './selectors.ts';
import { badAbove, heldBack, plain, steps, working } from './states.ts';
import { tablePanel } from './table.ts';

const dataset = (what: string) => ofAccount(`uptime_exporter_dataset_${what}`);
const each = (what: string) => eachAccount(dataset(what), 'dataset');
const age = `(time() - ${each('last_success_timestamp_seconds')})`;
export const exporter: Board = {
  uid: 'uptime-exporter',
  title: 'Exporter and API budget',
  description: 'Whether the exporter works, how old its data are, what it spends and what is left.',
  annotations: blindTimes(),
  rows: {
    State: [
      statPanel({
        title: 'Accounts read',
        description: 'Whether the last refresh of the check list worked and is not stale.',
        unit: 'none',
        width: 6,
        thresholds: plain,
        mappings: [working],
        queries: [{ expr: eachAccount(ofAccount('uptime_up')), legend: '{{account}}' }],
      }),
      statPanel({
        title: 'Stale datasets',
        description: 'Datasets that have no data, or whose data are withdrawn for their age.',
        unit: 'none',
        width: 6,
        thresholds: steps(colours.good, [1, colours.warning]),
        queries: [{ expr: `sum by (account) (${each('stale')})`, legend: '{{account}}' }],
      }),
      statPanel({
        title: 'Held back',
        description: 'Whether the budget lets no request pass, as after a 429.',
        unit: 'none',
        mappings: [heldBack],
        width: 6,
        thresholds: badAbove(1),
        queries: [
          { expr: eachAccount(ofAccount('uptime_exporter_budget_paused')), legend: '{{account}}' },
        ],
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
    'API budget': apiBudgetPanels,
    Failures: [
      linesPanel({
        title: 'Failed refreshes',
        description: 'Refreshes that failed in the hour before, by dataset and reason.',
        noValue: 'No refresh failed in this time',
        unit: 'short',
        width: 12,
        min: 0,
        queries: [
          {
            expr: `sum by (dataset, reason) (increase(${dataset('errors_total')}[1h])) > 0`,
            legend: '{{dataset}}: {{reason}}',
          },
        ],
      }),
      linesPanel({
        title: 'Rejected entries',
        description: 'Entries of otherwise good lists that were left out in the hour before.',
        noValue: 'No entry was rejected in this time',
        unit: 'short',
        width: 12,
        min: 0,
        queries: [
          {
            expr: `sum by (dataset, reason) (increase(${ofAccount('uptime_exporter_rejected_entries_total')}[1h])) > 0`,
            legend: '{{dataset}}: {{reason}}',
          },
        ],
      }),
      linesPanel({
        title: 'Duration of requests',
        description: 'Half and 95 % of the requests in the hour before were answered in this time.',
        noValue: 'No request was sent in this time',
        unit: 's',
        width: 12,
        min: 0,
        queries: [0.5, 0.95].map((share) => ({
          expr: `histogram_quantile(${share}, sum by (le) (rate(${ofAccount('uptime_exporter_api_request_duration_seconds_bucket')}[1h]))) >= 0`,
          legend: `${share * 100} %`,
          color: share === 0.5 ? colours.good : colours.warning,
          stroke: share === 0.5 ? 'solid' : 'dash',
        })),
      }),
      linesPanel({
        title: 'Storage',
        description: 'Writes in the hour before that failed, and those that worked.',
        unit: 'short',
        width: 12,
        min: 0,
        queries: [
          {
            expr: `increase(${ofExporter('uptime_exporter_store_errors_total')}[1h])`,
            legend: '{{instance}}: failed',
            color: colours.bad,
            stroke: 'dash',
          },
          {
            expr: `increase(${ofExporter('uptime_exporter_store_writes_total')}[1h])`,
            legend: '{{instance}}: worked',
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
        description: 'Size of the page of metrics, by its encoding.',
        unit: 'bytes',
        width: 8,
        min: 0,
        queries: [
          { expr: ofExporter('uptime_exporter_page_bytes'), legend: '{{instance}}: {{encoding}}' },
        ],
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
        description:
          'From one look at the event loop to the next, 99 % of the time: 0.02 s where nothing holds it up.',
        unit: 's',
        width: 8,
        min: 0,
        queries: [{ expr: ofExporter('nodejs_eventloop_lag_p99_seconds'), legend: '{{instance}}' }],
      }),
    ],
  },
};
