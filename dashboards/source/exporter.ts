import { accountPanels } from './account-panels.ts';
import type { Board } from './board.ts';
import { colours } from './colours.ts';
import { apiBudgetPanels } from './exporter-budget.ts';
import { hourly, linesPanel } from './panel.ts';
import { eachAccount, ofAccount, ofExporter } from './selectors.ts';
import { steps } from './states.ts';
import { tablePanel } from './table.ts';

const dataset = (what: string) => ofAccount(`uptime_exporter_dataset_${what}`);
const each = (what: string) => eachAccount(dataset(what), 'dataset');
const age = `(time() - ${each('last_success_timestamp_seconds')})`;
export const exporter: Board = {
  uid: 'uptime-exporter',
  title: 'Account and exporter',
  description:
    'How old the data are, what the API budget allows, which alerts the service sent, maintenance, credits and contacts.',
  rows: {
    'Data and API budget': [
      tablePanel({
        title: 'Datasets, the most overdue first',
        description:
          'How long ago each dataset was read, in planned intervals and as a time. More than three intervals are late. Datasets of single checks are read in turn: the intervals are those of the check that has waited longest, the last read is that of the newest one.',
        width: 24,
        height: 10,
        sortBy: [['Intervals', 'descending']],
        columns: {
          dataset: { heading: 'Dataset' },
          'Value #A': {
            heading: 'Intervals',
            unit: 'none',
            decimals: 1,
            width: 110,
            thresholds: steps(colours.good, [2, colours.warning], [3, colours.bad]),
          },
          'Value #B': { heading: 'Last read', unit: 's', width: 110 },
          'Value #C': { heading: 'Every', unit: 's', width: 110 },
          account: { heading: 'Account', width: 110 },
        },
        queries: [
          {
            expr: `1 + (${each('overdue_seconds')} > 0) / ${each('interval_seconds')}
  or ${age} / ${each('interval_seconds')}`,
          },
          { expr: age },
          { expr: each('interval_seconds') },
        ],
      }),
      ...apiBudgetPanels,
    ],
    Account: accountPanels,
  },
  closed: {
    'Storage and process': [
      linesPanel({
        title: 'Writes that failed',
        description: 'Failed and successful writes of the state in the previous hour.',
        unit: 'short',
        width: 8,
        points: hourly,
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
    ],
  },
};
