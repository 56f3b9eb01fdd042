import type { Board } from './board.ts';
import { onceKnown } from './budget-lines.ts';
import { colours } from './colours.ts';
import { firingAlerts } from './firing-alerts.ts';
import { type Kind, lastOutageEnd, notUp, ofKinds, outagesOverTime, stateOf } from './items.ts';
import { linkTo, toItemOfRow, toItemOfSeries } from './links.ts';
import { lastOutages } from './outage-table.ts';
import { figuresPanel, statesPanel } from './panel.ts';
import { each, eachAccount, ofAccount, shortName, total } from './selectors.ts';
import { badAbove, budgetLeft, itemStates, noNumber, outageStates, steps } from './states.ts';
import { type Column, tablePanel } from './table.ts';
import { countIfRead, ifRead, noteText, orWhy, readOverTime, readStates } from './trust.ts';

const withStatus = (status: string) =>
  total(eachAccount(ofAccount('uptime_checks', `status="${status}"`), 'check_type'));

const openOutages = (kind: string) =>
  total(eachAccount(ofAccount('uptime_outages_open', `kind="${kind}"`)));

const itemColumns: Readonly<Record<string, Column>> = {
  name: { heading: 'Check', links: toItemOfRow(), mappings: [noteText] },
  'Value #A': { heading: 'State', unit: 'none', width: 165, mappings: [itemStates] },
};
const identity: Readonly<Record<string, Column>> = {
  kind: { heading: 'Kind', hidden: true },
  account: { heading: 'Account', width: 80 },
  check_id: { heading: 'ID', hidden: true },
};
const budgetColumn: Column = {
  heading: 'Budget left',
  unit: 'percentunit',
  decimals: 1,
  width: 120,
  thresholds: budgetLeft,
};

const budgetOf = (kind: Kind) => each(ofAccount(`uptime_${kind}_error_budget_remaining_ratio`));
const isDown = {
  check: `${ofAccount('uptime_check_status', 'status="down"')} == 1`,
  transaction: `${ofAccount('uptime_transaction_up')} == 0`,
} as const;
/** The start of the current downtime of each item; in maintenance the start in the list. */
const downSince = ofKinds(
  (kind) =>
    `${each(ofAccount(`uptime_${kind}_outage_start_timestamp_seconds`))}
  or ${each(ofAccount(`uptime_${kind}_last_${kind === 'check' ? 'down' : 'downtime'}_start_timestamp_seconds`))} and on (account, check_id) ${each(isDown[kind])}`,
);
/**
 * Families that exist only while the list of the kind is fresh. Without it, nobody knows which
 * items are up.
 */
const listed = { check: 'uptime_checks', transaction: 'uptime_transactions' } as const;
/** Excludes items that are up and not in maintenance, at less cost than `notUp`. */
const withoutUp = (kind: Kind, expression: string) =>
  `${expression} and on (account) ${eachAccount(ofAccount(listed[kind]))}
  unless on (account, check_id) (
    ${each(`${ofAccount(`uptime_${kind}_up`)} == 1`)}
    unless on (account, check_id) ${each(`${ofAccount(`uptime_${kind}_in_maintenance`)} == 1`)}
  )`;
const someNotUp = `(
  sum(${ofAccount('uptime_checks', 'status!="up"')}) > 0
  or sum(${ofAccount('uptime_transactions', 'status!="successful"')}) > 0
  or max(${ofAccount('uptime_check_in_maintenance')}) == 1
  or max(${ofAccount('uptime_transaction_in_maintenance')}) == 1
)`;

/**
 * Accounts with transactions whose list was not read yet or is stale, so that no transaction is
 * shown.
 */
const unreadTransactions = `label_replace(
  ${eachAccount(ofAccount('uptime_exporter_dataset_stale', 'dataset="transactions"'))} == 1,
  "name", "Not known: the transactions were not read lately", "", ""
)`;

const responseTime = {
  check: 'uptime_check_last_response_time_seconds',
  transaction: 'uptime_transaction_hourly_average_response_time_seconds',
} as const;

const states = figuresPanel({
  title: 'Checks and transactions by state',
  description:
    'Open outages of checks and of transactions, without maintenance. Checks that failed one test and wait for the next one; checks in an unknown state; paused checks; checks in maintenance, down or not; checks that are up. Checks whose 30-day error budget is used up, absent until the budgets of most checks are known. A 0 is shown only while every account is read.',
  unit: 'none',
  width: 24,
  noValue: 'Not known: no list has been read, or the exporter does not answer',
  queries: [
    { expr: countIfRead(openOutages('check')), legend: 'Down', thresholds: badAbove(1) },
    {
      expr: countIfRead(openOutages('transaction')),
      legend: 'Failing',
      thresholds: badAbove(1),
    },
    {
      expr: countIfRead(withStatus('unconfirmed_down')),
      legend: 'Not confirmed',
      thresholds: steps(colours.good, [1, colours.warning]),
    },
    {
      expr: countIfRead(withStatus('unknown')),
      legend: 'Unknown',
      thresholds: steps(colours.good, [1, colours.neutral]),
    },
    {
      expr: countIfRead(withStatus('paused')),
      legend: 'Paused',
      thresholds: steps(colours.good, [1, colours.paused]),
    },
    {
      expr: countIfRead(total(each(ofAccount('uptime_check_in_maintenance')))),
      legend: 'Maintenance',
      thresholds: steps(colours.good, [1, colours.maintenance]),
    },
    { expr: ifRead(withStatus('up')), legend: 'Up' },
    {
      expr: countIfRead(onceKnown(total(`(${budgetOf('check')}) < bool 0`))),
      legend: 'Overspent',
      thresholds: badAbove(1),
      links: [linkTo('Objectives', 'uptime-slo')],
    },
  ],
});

const problems = tablePanel({
  title: 'All that is not up',
  description:
    'Checks and transactions that are down, not confirmed, unknown, in maintenance or paused, the worst first. How long they have been down, the rest of their 30-day error budget, and how long ago their last outage ended. While an account cannot be read, the table shows its last list, and a row reports that.',
  width: 24,
  height: 9,
  noValue: 'Not known: Prometheus has no data of an exporter',
  sortBy: [
    ['State', 'descending'],
    ['Down for', 'descending'],
  ],
  columns: {
    ...itemColumns,
    'Value #B': { heading: 'Down for', unit: 's', width: 105 },
    'Value #C': { ...budgetColumn, width: 105 },
    'Value #D': { heading: 'Since last outage', unit: 's', width: 142 },
    ...identity,
  },
  queries: [
    {
      expr: orWhy(notUp(), {
        label: 'name',
        none: 'All that is tested is up',
        value: 8,
        some: someNotUp,
        unknown: unreadTransactions,
      }),
    },
    { expr: `time() - (${downSince})` },
    { expr: ofKinds((kind) => withoutUp(kind, budgetOf(kind))) },
    { expr: ofKinds((kind) => withoutUp(kind, `time() - (${lastOutageEnd(kind)})`)) },
  ],
});

const outages = statesPanel({
  title: 'Outages in this time',
  description:
    'The first row shows whether the accounts could be read. The others show the checks and transactions of the newest 100 outages that were down in the chosen time, at the true times of their outages.',
  unit: 'none',
  width: 24,
  height: 9,
  perPage: 12,
  queries: [
    { expr: readOverTime, legend: 'Accounts', mappings: [readStates] },
    {
      expr: shortName(outagesOverTime(ofAccount)),
      legend: '{{name}}',
      mappings: [outageStates],
      links: toItemOfSeries(),
    },
  ],
});

/** Larger than any value, so that rows about unknown groups come first. */
const aboveAll = 1_000_000;

const groups = tablePanel({
  title: 'Groups',
  description:
    'Groups of the configuration: open outages, and the remaining error budget of all their checks together.',
  width: 24,
  height: 6,
  noValue: 'Not known: Prometheus has no data of an exporter',
  sortBy: [
    ['Down', 'descending'],
    ['Budget left', 'ascending'],
  ],
  columns: {
    group: {
      heading: 'Group',
      mappings: [noteText],
      links: [linkTo('Objectives', 'uptime-slo')],
    },
    'Value #A': {
      heading: 'Down',
      unit: 'none',
      width: 80,
      thresholds: badAbove(1),
      mappings: [noNumber(aboveAll)],
    },
    'Value #B': budgetColumn,
    account: { heading: 'Account', width: 110 },
  },
  queries: [
    {
      expr: orWhy(eachAccount(ofAccount('uptime_group_outages_open'), 'group'), {
        label: 'group',
        none: 'No groups are configured',
        value: aboveAll,
      }),
    },
    { expr: eachAccount(ofAccount('uptime_group_error_budget_remaining_ratio'), 'group') },
  ],
});

const all = tablePanel({
  title: 'All checks and transactions',
  description:
    'Every check and transaction with its state, the response time of its last test, and its error budget.',
  width: 24,
  height: 20,
  noValue: 'Not known: Prometheus has no data of an exporter',
  sortBy: [
    ['State', 'descending'],
    ['Budget left', 'ascending'],
  ],
  columns: {
    ...itemColumns,
    'Value #B': budgetColumn,
    'Value #C': { heading: 'Response time', unit: 's', width: 120 },
    'Value #D': { heading: 'Since last test', unit: 's', width: 130 },
    ...identity,
  },
  queries: [
    {
      expr: orWhy(stateOf(), {
        label: 'name',
        none: 'No checks are listed',
        value: 8,
        some: `(sum(${ofAccount('uptime_checks')}) > 0)`,
      }),
    },
    { expr: ofKinds(budgetOf) },
    { expr: ofKinds((kind) => each(ofAccount(responseTime[kind]))) },
    {
      expr: `time() - label_replace(${each(ofAccount('uptime_check_last_test_timestamp_seconds'))}, "kind", "check", "", "")`,
    },
  ],
});

export const overview: Board = {
  uid: 'uptime-overview',
  title: 'Overview',
  description:
    'Whether anything is wrong: which checks are not up and since when, their error budgets, and firing alerts.',
  rows: {
    '': [states, problems],
    'What has happened': [outages, lastOutages({ of: ofAccount, width: 24 })],
    'Who is hit': [firingAlerts(), groups],
  },
  closed: { 'All checks and transactions': [all] },
};
