import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import { colours } from './colours.ts';
import { hourly, linesPanel } from './panel.ts';
import { eachAccount, ofAccount } from './selectors.ts';
import { whileAnswering, whileEachAnswers } from './trust.ts';

const limit = (what: string) =>
  eachAccount(ofAccount(`uptime_exporter_rate_limit_${what}`), 'window');

/** Panels about the requests of the exporter and the rest of the rate-limit windows. */
export const apiBudgetPanels: readonly Builder<Panel>[] = [
  linesPanel({
    title: 'API requests left',
    description:
      'Share of the requests of each rate-limit window that is left, and the reserve for other clients. The exporter stops at the reserve.',
    unit: 'percentunit',
    width: 12,
    height: 6,
    min: 0,
    max: 1,
    queries: [
      { expr: `${limit('remaining')} / ${limit('limit')}`, legend: '{{account}} {{window}}' },
      {
        expr: `${limit('reserve')} / ${limit('limit')}`,
        legend: '{{account}} {{window}}: reserve',
        color: colours.neutral,
        stroke: 'dash',
      },
    ],
  }),
  linesPanel({
    title: 'Demand and budget',
    description:
      'Requests an hour that would keep every dataset as fresh as is useful, that the budget sustains, and that were sent in the previous hour.',
    unit: 'suffix:/h',
    width: 12,
    height: 6,
    points: hourly,
    min: 0,
    queries: [
      {
        expr: `3600 * ${eachAccount(ofAccount('uptime_exporter_demand_requests_per_second'))}`,
        legend: '{{account}}: wanted',
        color: colours.warning,
        stroke: 'dot',
      },
      {
        expr: `3600 * ${eachAccount(ofAccount('uptime_exporter_budget_requests_per_second'))}`,
        legend: '{{account}}: sustained',
        color: colours.neutral,
        stroke: 'dash',
      },
      {
        expr: whileEachAnswers(
          `sum by (account) (increase(${ofAccount('uptime_exporter_api_requests_total')}[1h]))`,
        ),
        legend: '{{account}}: sent',
        color: colours.good,
      },
    ],
  }),
  linesPanel({
    title: 'Failed refreshes',
    description:
      'Failed refreshes and rejected entries of the previous hour, by dataset and reason. The line of all failures is 0 if none failed.',
    unit: 'short',
    width: 24,
    height: 6,
    points: hourly,
    min: 0,
    interval: '5m',
    queries: [
      {
        expr: whileAnswering(`(sum by (dataset, reason) (increase(${ofAccount('uptime_exporter_dataset_errors_total')}[1h]))
  or sum by (dataset, reason) (increase(${ofAccount('uptime_exporter_rejected_entries_total')}[1h]))) > 0`),
        legend: '{{dataset}}: {{reason}}',
      },
      {
        expr: whileAnswering(
          `sum(increase(${ofAccount('uptime_exporter_dataset_errors_total')}[1h])) or 0 * sum(${ofAccount('uptime_up')})`,
        ),
        legend: 'all failures',
        color: colours.neutral,
        stroke: 'dash',
      },
    ],
  }),
];
