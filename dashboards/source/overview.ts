import { type Board, blindTimes, outagesAndMaintenance } from './board.ts';
import { onceKnown } from './budget-lines.ts';
import { colours } from './colours.ts';
import { type Kind, linkTo, toItemOfRow, toItemOfSeries } from './links.ts';
import { figuresPanel, linesPanel, statesPanel } from './panel.ts';
import {
  each,
  eachAccount,
  item,
  ofAccount,
  ofExporter,
  ofStep,
  shortName,
  total,
} from './selectors.ts';
import { badAbove, budgetLeft, openStates, plain, severities, steps } from './states.ts';
import { barsPanel, tablePanel } from './table.ts';

const withStatus = (status: string) =>
  total(eachAccount(ofAccount('uptime_checks', `status="${status}"`), 'check_type'));

/** What is down, the longest first, with what it has cost of the error budget of 30 days. */
function downNow(kind: Kind, title: string) {
  const start = each(ofAccount(`uptime_${kind}_outage_start_timestamp_seconds`));
  const budget = each(ofAccount(`uptime_${kind}_error_budget_remaining_ratio`));
  return tablePanel({
    title,
    description: `Confirmed outages that go on, the longest first, and what is left of the error budget of 30 days. What is down in maintenance is left out. They stay while the exporter cannot read the account.`,
    width: 12,
    height: 8,
    noValue: kind === 'check' ? 'No check is down' : 'No transaction fails',
    sortBy: ['Down for', 'descending'],
    columns: {
      name: { heading: kind === 'check' ? 'Check' : 'Transaction', links: toItemOfRow(kind) },
      'Value #A': { heading: 'Down for', unit: 's', width: 110 },
      'Value #B': {
        heading: 'Budget left',
        unit: 'percentunit',
        decimals: 1,
        width: 110,
        thresholds: budgetLeft,
      },
      account: { heading: 'Account', width: 120 },
      check_id: { heading: 'ID', width: 110 },
    },
    queries: [{ expr: `time() - ${start}` }, { expr: `${budget} and on (${item}) ${start}` }],
  });
}

const firing = (severity: string) =>
  `max by (alertname, name, group, account) (${ofExporter('ALERTS', `alertstate="firing", alertname=~"Uptime.+", severity="${severity}"`)})`;

/** Only while they are open: what is over for less than a day is 0. */
const outages = `${each(ofStep(ofAccount('uptime_check_outage_open')))} == 1`;

export const overview: Board = {
  uid: 'uptime-overview',
  title: 'Overview',
  description: 'Whether anything is wrong: what is down and since when, what it costs, what fires.',
  annotations: [...outagesAndMaintenance(ofAccount, 'check', false), ...blindTimes()],
  rows: {
    'Is anything wrong?': [
      figuresPanel({
        title: 'Checks and transactions by state',
        description:
          'Checks that are down, confirmed by a second test, in maintenance or not; transactions that fail; checks whose last test failed and whose next test decides; whose state the service does not know; that are not tested; that are up; that are in maintenance; and checks whose error budget of 30 days is used up, absent until the budgets of most checks are known.',
        unit: 'none',
        width: 24,
        noValue: 'not read yet',
        queries: [
          { expr: withStatus('down'), legend: 'Down', thresholds: badAbove(1) },
          {
            expr: total(eachAccount(ofAccount('uptime_transactions', 'status="failing"'))),
            legend: 'Failing',
            thresholds: badAbove(1),
          },
          {
            expr: withStatus('unconfirmed_down'),
            legend: 'Unconfirmed',
            thresholds: steps(colours.good, [1, colours.warning]),
          },
          {
            expr: withStatus('unknown'),
            legend: 'Unknown',
            thresholds: steps(colours.good, [1, colours.neutral]),
          },
          {
            expr: withStatus('paused'),
            legend: 'Paused',
            thresholds: steps(colours.good, [1, colours.paused]),
          },
          { expr: withStatus('up'), legend: 'Up' },
          {
            expr: total(each(ofAccount('uptime_check_in_maintenance'))),
            legend: 'Maintenance',
            thresholds: steps(colours.good, [1, colours.maintenance]),
          },
          {
            expr: onceKnown(
              total(`(${each(ofAccount('uptime_check_error_budget_remaining_ratio'))}) < bool 0`),
            ),
            legend: 'Overspent',
            thresholds: badAbove(1),
            links: [linkTo('Objectives', 'uptime-slo')],
          },
        ],
      }),
      downNow('check', 'Checks down'),
      downNow('transaction', 'Transactions failing'),
      statesPanel({
        title: 'Outages in this time',
        description:
          'Checks that have been down in the chosen time, and only these, while they were down.',
        unit: 'none',
        width: 24,
        height: 8,
        perPage: 12,
        noValue: 'Nothing was down in this time',
        mappings: [openStates],
        links: toItemOfSeries('check'),
        queries: [{ expr: shortName(outages), legend: '{{name}}' }],
      }),
    ],
    'Who is hit': [
      tablePanel({
        title: 'Firing alerts',
        description:
          'Alerts of the rules that come with the exporter, as Prometheus evaluates them: the critical ones first.',
        width: 12,
        height: 8,
        noValue: 'No alert fires, or Prometheus has no rules',
        sortBy: ['Severity', 'descending'],
        columns: {
          alertname: { heading: 'Alert' },
          Value: {
            heading: 'Severity',
            unit: 'none',
            width: 90,
            thresholds: plain,
            mappings: [severities],
          },
          name: { heading: 'Of' },
          group: { heading: 'Group', width: 110 },
          account: { heading: 'Account', width: 110 },
        },
        queries: [
          {
            expr: ['critical', 'warning', 'info']
              .map((severity, at) => `${3 - at} * ${firing(severity)}`)
              .join('\nor '),
          },
        ],
      }),
      tablePanel({
        title: 'Groups',
        description:
          'Groups of the configuration: checks down, and what the worst check left of its error budget of 30 days.',
        width: 12,
        height: 8,
        noValue: 'No groups are configured',
        sortBy: ['Budget left', 'ascending'],
        columns: {
          group: { heading: 'Group' },
          'Value #A': {
            heading: 'Budget left',
            unit: 'percentunit',
            decimals: 1,
            width: 110,
            thresholds: budgetLeft,
          },
          'Value #B': { heading: 'Down', unit: 'none', width: 80, thresholds: badAbove(1) },
          account: { heading: 'Account', width: 120 },
        },
        queries: [
          { expr: eachAccount(ofAccount('uptime_group_error_budget_remaining_ratio'), 'group') },
          { expr: eachAccount(ofAccount('uptime_group_checks', 'status="down"'), 'group') },
        ],
      }),
      barsPanel({
        title: 'Slowest checks',
        description: 'Response time of the last test, the eight slowest checks.',
        width: 24,
        height: 11,
        noValue: 'No test has measured a response time',
        names: { name: { heading: 'Check', links: toItemOfRow('check') } },
        number: { heading: 'Response time', unit: 's' },
        details: {
          account: { heading: 'Account', width: 120 },
          check_id: { heading: 'ID', width: 110 },
        },
        expr: `topk(8, ${each(ofAccount('uptime_check_last_response_time_seconds'))})`,
      }),
    ],
    'Are the data fresh, does the budget last?': [
      figuresPanel({
        title: 'Data',
        description:
          'Time since the check list was last read, of the oldest account; and how many datasets have no data, or data that are withdrawn for their age.',
        unit: 'none',
        width: 8,
        height: 6,
        noValue: 'not read yet',
        links: [linkTo('The exporter', 'uptime-exporter')],
        queries: [
          {
            expr: `max(time() - ${eachAccount(ofAccount('uptime_exporter_dataset_last_success_timestamp_seconds', 'dataset="checks"'))})`,
            legend: 'Age of the list',
            unit: 's',
            thresholds: steps(colours.good, [300, colours.warning], [900, colours.bad]),
          },
          {
            expr: total(eachAccount(ofAccount('uptime_exporter_dataset_stale'), 'dataset')),
            legend: 'Stale datasets',
            thresholds: steps(colours.good, [1, colours.warning]),
          },
        ],
      }),
      linesPanel({
        title: 'API requests left',
        description:
          'Share of each window that is left. The exporter stops at its reserve, 20 % by default: the dashes.',
        unit: 'percentunit',
        width: 16,
        height: 6,
        min: 0,
        max: 1,
        thresholds: steps(colours.bad, [0.2, colours.good]),
        links: [linkTo('The budget', 'uptime-exporter')],
        queries: [
          {
            expr: `${eachAccount(ofAccount('uptime_exporter_rate_limit_remaining'), 'window')}
/ ${eachAccount(ofAccount('uptime_exporter_rate_limit_limit'), 'window')}`,
            legend: '{{account}} {{window}}',
          },
        ],
      }),
    ],
  },
};
