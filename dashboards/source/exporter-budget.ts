import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import { colours } from './colours.ts';
import { linesPanel, stackedPanel, statesPanel } from './panel.ts';
import { eachAccount, ofAccount } from './selectors.ts';
import { working } from './states.ts';

const limit = (what: string, window: string, offset = '') =>
  eachAccount(`${ofAccount(`uptime_exporter_rate_limit_${what}`, `window="${window}"`)}${offset}`);

/** Of the hour before: what is sent once in ten minutes or in an hour would be needles in a shorter time. */
const requests = (by: string) =>
  `sum by (${by}) (increase(${ofAccount('uptime_exporter_api_requests_total')}[1h]))`;

/** What will be left at the reset if the spending of the last time goes on. */
function forecast(window: string, span: string, spanSeconds: number): string {
  const remaining = limit('remaining', window);
  return `clamp_min(
  ${remaining}
  + clamp_max(${remaining} - ${limit('remaining', window, ` offset ${span}`)}, 0) / ${spanSeconds}
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
    noValue: 'No limits are known in this time',
    queries: [
      { expr: limit('remaining', window), legend: '{{account}}: left' },
      {
        expr: limit('reserve', window),
        legend: '{{account}}: reserve',
        color: colours.neutral,
        stroke: 'dash',
      },
      {
        expr: forecast(window, span, spanSeconds),
        legend: '{{account}}: forecast for the reset',
        color: colours.warning,
        stroke: 'dot',
      },
    ],
  });
}

/** What the exporter asks of the service, and what is left of it. */
export const apiBudgetPanels: readonly Builder<Panel>[] = [
  budgetOf('short', 'short window', '10m', 600),
  budgetOf('long', 'long window', '6h', 21_600),
  linesPanel({
    title: 'Demand and budget',
    description:
      'Requests an hour that every dataset as fresh as it can be takes, that the budget sustains, and that were sent in the hour before.',
    unit: 'short',
    width: 12,
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
        expr: requests('account'),
        legend: '{{account}}: sent',
      },
    ],
  }),
  statesPanel({
    title: 'What the budget rests on',
    description: 'Headers of the service, the fallback when it sends none, or learning.',
    unit: 'none',
    width: 12,
    mappings: [working],
    queries: [
      {
        expr: `${eachAccount(ofAccount('uptime_exporter_budget_mode'), 'mode')} == 1`,
        legend: '{{account}}: {{mode}}',
      },
    ],
  }),
  stackedPanel({
    title: 'Requests',
    description:
      'Requests in the hour before, by operation: the eight that were sent most at the end.',
    unit: 'short',
    width: 12,
    min: 0,
    queries: [
      {
        expr: `${requests('operation')}
  and on (operation) topk(8, sum by (operation) (increase(${ofAccount('uptime_exporter_api_requests_total')}[1h] @ end())))`,
        legend: '{{operation}}',
      },
    ],
  }),
  stackedPanel({
    title: 'Replies',
    description: 'Requests in the hour before, by status code, or the reason why there was none.',
    unit: 'short',
    width: 12,
    min: 0,
    queries: [
      {
        expr: `${requests('code')} > 0`,
        legend: '{{code}}',
      },
    ],
  }),
  linesPanel({
    title: 'Waiting',
    description: 'Items that wait for their turn.',
    unit: 'short',
    width: 12,
    min: 0,
    queries: [
      {
        expr: `${eachAccount(ofAccount('uptime_exporter_agenda_items'), 'class')} > 0`,
        legend: '{{account}}: {{class}}',
      },
    ],
  }),
  linesPanel({
    title: 'Longest due',
    description: 'For how long the longest due item has been waiting.',
    unit: 's',
    width: 12,
    min: 0,
    queries: [
      {
        expr: eachAccount(ofAccount('uptime_exporter_agenda_oldest_due_seconds')),
        legend: '{{account}}',
      },
    ],
  }),
];
