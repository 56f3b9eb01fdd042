import type { Board } from './board.ts';
import { onceKnown, spentEvenly } from './budget-lines.ts';
import { colours } from './colours.ts';
import { type Kind, kindAndItem, ofKinds } from './items.ts';
import { toItemOfRow } from './links.ts';
import { calendarPanel, figuresPanel, linesPanel } from './panel.ts';
import { atEnd, each, eachAccount, item, ofAccount, shortName } from './selectors.ts';
import { badAbove, budgetLeft, steps } from './states.ts';
import { type Column, tablePanel } from './table.ts';
import { ofRead, readOverTime, readStates } from './trust.ts';

const remaining = (kind: Kind) => ofAccount(`uptime_${kind}_error_budget_remaining_ratio`);
const budget = (kind: Kind) => each(remaining(kind));
const burn = (kind: Kind, window: string) =>
  each(ofAccount(`uptime_${kind}_burn_rate`, `window="${window}"`));
const errorRatio = (kind: Kind) => each(ofAccount(`uptime_${kind}_error_ratio`, 'window="30d"'));
const groupBudget = eachAccount(ofAccount('uptime_group_error_budget_remaining_ratio'), 'group');
const groupObjective = eachAccount(ofAccount('uptime_group_objective_ratio'), 'group');
const groupRatio = (window: string, of: string) =>
  eachAccount(ofAccount('uptime_group_error_ratio', `window="${window}", of="${of}"`), 'group');

const worst = `bottomk(20, ${ofKinds(budget)})`;
const amongWorst = (expression: string) => `(${expression}) and on (${kindAndItem}) ${worst}`;

const share: Column = { heading: '', unit: 'percentunit', decimals: 3, width: 110 };
const budgetColumn: Column = {
  heading: 'Budget left',
  unit: 'percentunit',
  decimals: 1,
  width: 120,
  thresholds: budgetLeft,
};

export const sloBoard: Board = {
  uid: 'uptime-slo',
  title: 'Objectives',
  description: '30-day error budgets for the objectives of the configuration, without maintenance.',
  time: 'now-30d',
  rows: {
    '': [
      figuresPanel({
        title: 'Error budgets of 30 days',
        description:
          'Checks whose error budget is used up, that have less than a quarter left, or that spent it faster than allowed in the last hour; and the mean availability of all checks. Of the accounts that are read, once the budgets of nine in ten checks are known.',
        unit: 'none',
        width: 24,
        queries: [
          {
            expr: onceKnown(`sum(${ofRead(budget('check'))} < bool 0)`),
            legend: 'Missed',
            thresholds: badAbove(1),
          },
          {
            // Rounded down to quarters of the budget.
            expr: onceKnown(`sum(floor(4 * ${ofRead(budget('check'))}) == bool 0)`),
            legend: 'Nearly spent',
            thresholds: steps(colours.good, [1, colours.warning]),
          },
          {
            // Without a failure in 30 days, no check has a burn rate.
            expr: onceKnown(
              `sum(${ofRead(`(${burn('check', '1h')} > bool 1 or 0 * ${budget('check')})`)})`,
            ),
            legend: 'Burning now',
            thresholds: steps(colours.good, [1, colours.warning]),
          },
          {
            expr: onceKnown(`1 - avg(${ofRead(errorRatio('check'))})`),
            legend: 'Mean availability',
            unit: 'percentunit',
            decimals: 3,
          },
        ],
      }),
      tablePanel({
        title: 'Groups',
        description:
          'Groups of the configuration: the 30-day error budget and availability of all their checks together, and the availability of the check that was down longest.',
        width: 24,
        height: 6,
        sortBy: [['Budget left', 'ascending']],
        columns: {
          group: { heading: 'Group' },
          'Value #A': budgetColumn,
          'Value #B': { ...share, heading: 'Availability' },
          'Value #C': { ...share, heading: 'Worst check', width: 120 },
          'Value #D': { ...share, heading: 'Objective' },
          account: { heading: 'Account', width: 120 },
        },
        queries: [
          { expr: groupBudget },
          { expr: `1 - ${groupRatio('30d', 'mean')}` },
          { expr: `1 - ${groupRatio('30d', 'worst')}` },
          { expr: groupObjective },
        ],
      }),
      tablePanel({
        title: 'Checks and transactions, the worst first',
        description:
          'The twenty checks and transactions with the least error budget left. Availability is of the last 30 days, without maintenance. The burn rate is how many times faster than allowed the budget is spent; it is absent without downtime in 30 days.',
        width: 24,
        height: 13,
        sortBy: [['Budget left', 'ascending']],
        columns: {
          name: { heading: 'Check', links: toItemOfRow() },
          'Value #A': budgetColumn,
          'Value #B': { ...share, heading: 'Availability' },
          'Value #C': { ...share, heading: 'Objective' },
          'Value #D': { heading: 'Burn 1 h', unit: 'none', decimals: 1, width: 90 },
          'Value #E': { heading: 'Burn 3 d', unit: 'none', decimals: 1, width: 90 },
          kind: { heading: 'Kind', hidden: true },
          account: { heading: 'Account', width: 110 },
          check_id: { heading: 'ID', hidden: true },
        },
        queries: [
          { expr: worst },
          { expr: amongWorst(ofKinds((kind) => `1 - ${errorRatio(kind)}`)) },
          {
            expr: amongWorst(ofKinds((kind) => each(ofAccount(`uptime_${kind}_objective_ratio`)))),
          },
          { expr: amongWorst(ofKinds((kind) => burn(kind, '1h'))) },
          { expr: amongWorst(ofKinds((kind) => burn(kind, '3d'))) },
        ],
      }),
    ],
    'Over time': [
      linesPanel({
        title: 'Error budget left, the five worst checks',
        description:
          'The remaining share of the 30-day error budget, for the five checks with the least at the end of the chosen time. Below 0 the objective is missed. The dashed line is a budget that is spent evenly.',
        unit: 'percentunit',
        width: 24,
        max: 1,
        timeFrom: '30d',
        interval: '2h',
        queries: [
          {
            // The checks are selected before the join: grouping all checks at every point is the
            // largest cost.
            expr: shortName(
              each(
                `${remaining('check')} and on (${item}) bottomk(5, ${each(atEnd(remaining('check')))})`,
              ),
            ),
            legend: '{{name}}',
          },
          spentEvenly,
        ],
      }),
      calendarPanel({
        title: 'Availability of each day',
        description:
          'Whether the accounts could be read, the groups, and the ten checks with the worst month. Each cell is one day without maintenance and ends at the midnight of your time zone at which it stands. Red is below 99 %, orange below 99.9 %. Point at a cell for its value. A check that was tested for less than half of a day looks better there than it was. A gap is a day that is not known.',
        unit: 'percentunit',
        decimals: 2,
        width: 24,
        height: 10,
        thresholds: steps(colours.bad, [0.99, colours.warning], [0.999, colours.good]),
        queries: [
          { expr: readOverTime(ofAccount), legend: 'Accounts', mappings: [readStates] },
          {
            // There is no ratio for a day without an outage, so 0 replaces it.
            expr: `1 - (${groupRatio('1d', 'mean')} or 0 * ${groupRatio('30d', 'mean')})`,
            legend: 'Group {{group}}',
          },
          {
            expr: shortName(
              // A burn rate is a multiple of the allowed share. Without one, the check was not down.
              `1 - ((${burn('check', '1d')} * on (${item}) group_left () (1 - max by (${item}) (${atEnd(ofAccount('uptime_check_objective_ratio'))})) or ${errorRatio('check')} == 0) and on (${item}) topk(10, ${each(atEnd(ofAccount('uptime_check_error_ratio', 'window="30d"')))}))`,
            ),
            legend: '{{name}}',
          },
        ],
      }),
    ],
  },
};
