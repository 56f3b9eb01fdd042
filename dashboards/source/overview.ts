import type { Board } from './board.ts';
import { colours } from './colours.ts';
import { firingAlerts } from './firing-alerts.ts';
import { type Kind, ofKinds, ofNotUp, outagesOverTime, statuses } from './items.ts';
import { linkTo, toItemOfRow, toItemOfSeries } from './links.ts';
import { lastOutages } from './outage-table.ts';
import { figuresPanel, statesPanel } from './panel.ts';
import { each, eachAccount, ofAccount, shortName, withKind } from './selectors.ts';
import {
  badAbove,
  budgetLeft,
  noDuration,
  outageStates,
  statusNames,
  steps,
  yes,
} from './states.ts';
import { type Column, tablePanel } from './table.ts';
import { knownTotal, ofRead, readOverTime, readStates } from './trust.ts';

const checksOf = (status: string) =>
  eachAccount(ofAccount('uptime_checks', `status="${status}"`), 'check_type');

/** Transactions whose status is unknown, unless they are not active. */
const unknownTransactions = eachAccount(
  `(${ofAccount('uptime_transaction_status', 'status="unknown"')} == 1 unless on (account, check_id) ${ofAccount('uptime_transaction_active')} == 0)`,
  'check_id',
);

const openOutages = (kind: Kind) =>
  knownTotal(eachAccount(ofAccount('uptime_outages_open', `kind="${kind}"`)));

const itemColumns: Readonly<Record<string, Column>> = {
  name: { heading: 'Check', links: toItemOfRow() },
  status: { heading: 'State', width: 165, mappings: [statusNames] },
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

const ofItem = (name: string) => (kind: Kind) => each(ofAccount(`uptime_${kind}_${name}`));
const budget = ofItem('error_budget_remaining_ratio');

const responseTime = {
  check: 'last_response_time_seconds',
  transaction: 'hourly_average_response_time_seconds',
} as const;

const states = figuresPanel({
  title: 'Checks and transactions by state',
  description:
    'Open outages of checks and of transactions, without maintenance. Checks that failed one test and wait for the next one; checks and transactions in an unknown state; paused checks; checks in maintenance, down or not; checks that are up. Accounts that cannot be read count only with the outages that were open when they were last read.',
  unit: 'none',
  width: 24,
  queries: [
    { expr: openOutages('check'), legend: 'Down', thresholds: badAbove(1) },
    { expr: openOutages('transaction'), legend: 'Failing', thresholds: badAbove(1) },
    {
      expr: knownTotal(checksOf('unconfirmed_down')),
      legend: 'Not confirmed',
      thresholds: steps(colours.good, [1, colours.warning]),
    },
    {
      // An account may have no checks.
      expr: knownTotal(checksOf('unknown'), ofRead(unknownTransactions)),
      legend: 'Unknown',
      thresholds: steps(colours.good, [1, colours.neutral]),
    },
    {
      expr: knownTotal(checksOf('paused')),
      legend: 'Paused',
      thresholds: steps(colours.good, [1, colours.paused]),
    },
    {
      expr: knownTotal(`sum by (account) (${ofItem('in_maintenance')('check')})`),
      legend: 'Maintenance',
      thresholds: steps(colours.good, [1, colours.maintenance]),
    },
    { expr: knownTotal(checksOf('up')), legend: 'Up' },
  ],
});

const problems = tablePanel({
  title: 'All that is not up',
  description:
    'Checks and transactions that are down, not confirmed, unknown or paused: first those with an open outage, which has lasted longest. Whether they are in maintenance, and the rest of their 30-day error budget. Of an account that cannot be read, only open outages remain, without a state.',
  width: 24,
  height: 9,
  sortBy: [
    ['Down for', 'descending'],
    ['State', 'descending'],
  ],
  columns: {
    ...itemColumns,
    'Value #A': {
      heading: 'Down for',
      unit: 's',
      width: 105,
      thresholds: badAbove(0),
      mappings: [noDuration],
    },
    'Value #C': { heading: 'Maintenance', unit: 'none', width: 125, mappings: [yes] },
    'Value #D': { ...budgetColumn, width: 105 },
    ...identity,
  },
  queries: [
    { expr: `time() - (${ofKinds(ofItem('outage_start_timestamp_seconds'))})` },
    { expr: statuses(false) },
    { expr: ofKinds((kind) => ofNotUp(kind, `${ofItem('in_maintenance')(kind)} == 1`)) },
    { expr: ofKinds((kind) => ofNotUp(kind, budget(kind))) },
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
    { expr: readOverTime(ofAccount), legend: 'Accounts', mappings: [readStates] },
    {
      expr: shortName(outagesOverTime(ofAccount)),
      legend: '{{name}}',
      mappings: [outageStates],
      links: toItemOfSeries(),
    },
  ],
});

const groups = tablePanel({
  title: 'Groups',
  description:
    'Groups of the configuration: open outages, and the remaining error budget of all their checks together.',
  width: 24,
  height: 6,
  sortBy: [
    ['Down', 'descending'],
    ['Budget left', 'ascending'],
  ],
  columns: {
    group: { heading: 'Group', links: [linkTo('Objectives', 'uptime-slo')] },
    'Value #A': { heading: 'Down', unit: 'none', width: 80, thresholds: badAbove(1) },
    'Value #B': budgetColumn,
    account: { heading: 'Account', width: 110 },
  },
  queries: [
    { expr: eachAccount(ofAccount('uptime_group_outages_open'), 'group') },
    { expr: eachAccount(ofAccount('uptime_group_error_budget_remaining_ratio'), 'group') },
  ],
});

const all = tablePanel({
  title: 'All checks and transactions',
  description:
    'Every check and transaction with its state, the response time of its last test, and its error budget.',
  width: 24,
  height: 20,
  sortBy: [
    ['State', 'ascending'],
    ['Budget left', 'ascending'],
  ],
  columns: {
    ...itemColumns,
    'Value #C': budgetColumn,
    'Value #D': { heading: 'Response time', unit: 's', width: 120 },
    'Value #A': { heading: 'Since last test', unit: 's', width: 130, mappings: [noDuration] },
    ...identity,
  },
  queries: [
    {
      expr: `time() - ${withKind('check', ofItem('last_test_timestamp_seconds')('check'))}`,
    },
    { expr: statuses(true) },
    { expr: ofKinds((kind) => ofRead(budget(kind))) },
    { expr: ofKinds((kind) => ofItem(responseTime[kind])(kind)) },
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
