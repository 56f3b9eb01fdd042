import { type Board, blindTimes, outagesAndMaintenance } from './board.ts';
import { colours } from './colours.ts';
import { barsPanel, linesPanel, linkTo, statesPanel, statPanel, tablePanel } from './panel.ts';
import { each, eachAccount, item, ofAccount, total } from './selectors.ts';
import { badAbove, budgetLeft, openStates, plain, steps } from './states.ts';
import { reference } from './variables.ts';

type Kind = 'check' | 'transaction';

const boardOf: Readonly<Record<Kind, string>> = {
  check: 'uptime-check',
  transaction: 'uptime-transactions',
};

/** Opens the board of the check or transaction of a row. */
export const toItem = (kind: Kind) =>
  linkTo(
    `Open the ${kind}`,
    boardOf[kind],
    `var-check=${reference('__data.fields.ID')}`,
    `var-account=${reference('__data.fields.Account')}`,
  );

const toItemOfSeries = (kind: Kind) =>
  linkTo(
    `Open the ${kind}`,
    boardOf[kind],
    `var-check=${reference('__field.labels.check_id')}`,
    `var-account=${reference('__field.labels.account')}`,
  );

function withStatus(status: string, title: string, description: string, thresholds = plain) {
  const counts = ofAccount('uptime_checks', `status="${status}"`);
  return statPanel({
    title,
    description,
    unit: 'none',
    width: 3,
    thresholds,
    queries: [{ expr: total(eachAccount(counts, 'check_type')) }],
  });
}

/** What is down, the longest first, with what it has cost of the error budget of 30 days. */
function downNow(kind: Kind, title: string) {
  const start = each(ofAccount(`uptime_${kind}_outage_start_timestamp_seconds`));
  const budget = each(ofAccount(`uptime_${kind}_error_budget_remaining_ratio`));
  return tablePanel({
    title,
    description: `Confirmed outages that go on, the longest first, and what is left of the error budget of 30 days. They stay while the exporter cannot read the account.`,
    width: 12,
    height: 8,
    noValue: `No ${kind} is down`,
    sortBy: ['Down for', 'descending'],
    columns: {
      name: { heading: kind === 'check' ? 'Check' : 'Transaction', links: [toItem(kind)] },
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

export const overview: Board = {
  uid: 'uptime-overview',
  title: 'Overview',
  description: 'Whether anything is wrong: what is down and since when, what it costs, what fires.',
  annotations: [...outagesAndMaintenance(ofAccount, 'check', false), ...blindTimes()],
  rows: {
    'Is anything wrong?': [
      withStatus('down', 'Down', 'Checks that are down, confirmed by a second test.', badAbove(1)),
      statPanel({
        title: 'Failing',
        description: 'Transactions that fail.',
        unit: 'none',
        width: 3,
        noValue: 'none',
        thresholds: badAbove(1),
        queries: [
          { expr: total(eachAccount(ofAccount('uptime_transactions', 'status="failing"'))) },
        ],
      }),
      withStatus(
        'unconfirmed_down',
        'Unconfirmed',
        'Checks whose last test failed; the next test decides.',
        steps(colours.good, [1, colours.warning]),
      ),
      withStatus('unknown', 'Unknown', 'Checks whose state the service does not know.'),
      withStatus('paused', 'Paused', 'Checks that are not tested.'),
      withStatus('up', 'Up', 'Checks that are up.'),
      statPanel({
        title: 'Maintenance',
        description: 'Checks in maintenance.',
        unit: 'none',
        width: 3,
        thresholds: steps(colours.good, [1, colours.maintenance]),
        noValue: 'unknown',
        queries: [{ expr: total(each(ofAccount('uptime_check_in_maintenance'))) }],
      }),
      statPanel({
        title: 'Budgets spent',
        description: 'Checks whose error budget of 30 days is used up.',
        unit: 'none',
        width: 3,
        noValue: 'unknown',
        thresholds: badAbove(1),
        links: [linkTo('Objectives', 'uptime-slo')],
        queries: [
          {
            expr: total(
              `(${each(ofAccount('uptime_check_error_budget_remaining_ratio'))}) < bool 0`,
            ),
          },
        ],
      }),
      downNow('check', 'Checks down'),
      downNow('transaction', 'Transactions failing'),
    ],
    'Who is hit': [
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
        description: 'Response time of the last test, the ten slowest checks.',
        unit: 's',
        width: 12,
        min: 0,
        thresholds: plain,
        links: [toItemOfSeries('check')],
        queries: [
          {
            expr: `sort_desc(topk(10, ${each(ofAccount('uptime_check_last_response_time_seconds'))}))`,
            legend: '{{name}}',
          },
        ],
      }),
      statesPanel({
        title: 'Outages in this time',
        description:
          'Checks that have been down in the chosen time, and only these. An outage stays for a day after its end.',
        unit: 'none',
        width: 24,
        height: 8,
        noValue: 'Nothing was down in this time',
        mappings: [openStates],
        links: [toItemOfSeries('check')],
        queries: [{ expr: each(ofAccount('uptime_check_outage_open')), legend: '{{name}}' }],
      }),
    ],
    'Are the data fresh, does the budget last?': [
      statPanel({
        title: 'Check list age',
        description: 'Time since the check list was last read, the oldest account.',
        unit: 's',
        width: 4,
        thresholds: steps(colours.good, [300, colours.warning], [900, colours.bad]),
        queries: [
          {
            expr: `max(time() - ${ofAccount('uptime_exporter_dataset_last_success_timestamp_seconds', 'dataset="checks"')})`,
          },
        ],
      }),
      statPanel({
        title: 'Stale datasets',
        description: 'Datasets without data, or with data that are withdrawn for their age.',
        unit: 'none',
        width: 4,
        thresholds: steps(colours.good, [1, colours.warning]),
        links: [linkTo('The exporter', 'uptime-exporter')],
        queries: [
          { expr: total(eachAccount(ofAccount('uptime_exporter_dataset_stale'), 'dataset')) },
        ],
      }),
      linesPanel({
        title: 'API requests left',
        description:
          'Share of each window that is left. The exporter stops at its reserve, 20 % by default.',
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
