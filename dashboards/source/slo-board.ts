import { type Board, blindTimes } from './board.ts';
import { onceKnown, spentEvenly } from './budget-lines.ts';
import { colours } from './colours.ts';
import { toItemOfRow } from './links.ts';
import { calendarPanel, linesPanel, statPanel } from './panel.ts';
import { each, eachAccount, item, ofAccount, shortName, total } from './selectors.ts';
import { badAbove, budgetLeft, plain, steps } from './states.ts';
import { tablePanel } from './table.ts';

const budget = (kind: string) => each(ofAccount(`uptime_${kind}_error_budget_remaining_ratio`));
const worst = (kind: string) => `bottomk(20, ${budget(kind)})`;
const burn = (kind: string, window: string) =>
  each(ofAccount(`uptime_${kind}_burn_rate`, `window="${window}"`));
const errorRatio = (kind: string, window: string) =>
  each(ofAccount(`uptime_${kind}_error_ratio`, `window="${window}"`));
const known = total(eachAccount(ofAccount('uptime_checks'), 'check_type', 'status'));
const groupBudget = eachAccount(ofAccount('uptime_group_error_budget_remaining_ratio'), 'group');

/** The same few series over the whole time: those that are the worst at its end, and of rates only those above 0. */
const worstAtEnd = (order: 'topk' | 'bottomk', name: string, more = '') =>
  shortName(
    // Chosen before they are joined: to group all of many checks at every point costs the most.
    each(
      `${ofAccount(name, more)} and on (${item}) ${order}(5, ${each(`${ofAccount(name, more)} @ end()`)}${order === 'topk' ? ' > 0' : ''})`,
    ),
  );

function worstBudgets(kind: 'check' | 'transaction', title: string, height: number) {
  const among = (expression: string) => `${expression} and on (${item}) ${worst(kind)}`;
  return tablePanel({
    title,
    description:
      'The twenty with the least error budget left. Availability is of the last 30 days, maintenance left out; the burn rate is how many times faster than allowed the budget is spent, and absent where nothing was down.',
    width: 24,
    height,
    noValue: `No ${kind}s with a known budget yet`,
    sortBy: ['Budget left', 'ascending'],
    columns: {
      name: { heading: kind === 'check' ? 'Check' : 'Transaction', links: toItemOfRow(kind) },
      'Value #A': {
        heading: 'Budget left',
        unit: 'percentunit',
        decimals: 1,
        width: 120,
        thresholds: budgetLeft,
      },
      'Value #B': { heading: 'Availability', unit: 'percentunit', decimals: 3, width: 120 },
      'Value #C': { heading: 'Objective', unit: 'percentunit', decimals: 3, width: 120 },
      'Value #D': { heading: 'Burn 1 h', unit: 'none', decimals: 1, width: 100 },
      'Value #E': { heading: 'Burn 3 d', unit: 'none', decimals: 1, width: 100 },
      account: { heading: 'Account', width: 130 },
      check_id: { heading: 'ID', width: 110 },
    },
    queries: [
      worst(kind),
      among(`1 - ${errorRatio(kind, '30d')}`),
      among(each(ofAccount(`uptime_${kind}_objective_ratio`))),
      among(burn(kind, '1h')),
      among(burn(kind, '3d')),
    ].map((expr) => ({ expr })),
  });
}

export const sloBoard: Board = {
  uid: 'uptime-slo',
  title: 'Objectives',
  description:
    'Error budgets of 30 days against the objectives of the configuration, maintenance left out.',
  time: 'now-30d',
  annotations: blindTimes(),
  rows: {
    'Error budgets of 30 days': [
      statPanel({
        title: 'Objectives missed',
        description: 'Checks whose error budget is used up.',
        unit: 'none',
        width: 6,
        noValue: 'not known yet',
        thresholds: badAbove(1),
        queries: [{ expr: onceKnown(total(`(${budget('check')}) < bool 0`)) }],
      }),
      statPanel({
        title: 'Nearly spent',
        description: 'Checks with some, but less than a quarter of their error budget left.',
        unit: 'none',
        width: 6,
        noValue: 'not known yet',
        thresholds: steps(colours.good, [1, colours.warning]),
        queries: [
          {
            expr: onceKnown(
              `(${total(`(${budget('check')}) < bool 0.25`)} - ${total(`(${budget('check')}) < bool 0`)})`,
            ),
          },
        ],
      }),
      statPanel({
        title: 'Burning now',
        description: 'Checks that spend their budget faster than allowed, measured over 1 h.',
        unit: 'none',
        width: 6,
        noValue: 'not known yet',
        thresholds: steps(colours.good, [1, colours.warning]),
        // Without a failure in 30 days, no check has a burn rate.
        queries: [{ expr: `${total(`(${burn('check', '1h')}) > bool 1`)} or 0 * ${known}` }],
      }),
      statPanel({
        title: 'Mean availability',
        description: 'Mean of the availability of all chosen checks over 30 days.',
        unit: 'percentunit',
        decimals: 3,
        width: 6,
        noValue: 'not known yet',
        thresholds: plain,
        queries: [{ expr: onceKnown(`avg(1 - ${errorRatio('check', '30d')})`) }],
      }),
      tablePanel({
        title: 'Groups',
        description:
          'Groups of the configuration: error budget and availability of 30 days as the mean of their checks, and the availability of the worst check.',
        width: 24,
        height: 5,
        noValue: 'No groups are configured',
        sortBy: ['Budget left', 'ascending'],
        columns: {
          group: { heading: 'Group' },
          'Value #A': {
            heading: 'Budget left',
            unit: 'percentunit',
            decimals: 1,
            width: 120,
            thresholds: budgetLeft,
          },
          'Value #B': { heading: 'Availability', unit: 'percentunit', decimals: 3, width: 120 },
          'Value #C': { heading: 'Worst check', unit: 'percentunit', decimals: 3, width: 120 },
          'Value #D': { heading: 'Objective', unit: 'percentunit', decimals: 3, width: 120 },
          account: { heading: 'Account', width: 130 },
        },
        queries: [
          groupBudget,
          ...['mean', 'worst'].map(
            (of) =>
              `1 - ${eachAccount(ofAccount('uptime_group_error_ratio', `window="30d", of="${of}"`), 'group')}`,
          ),
          eachAccount(ofAccount('uptime_group_objective_ratio'), 'group'),
        ].map((expr) => ({ expr })),
      }),
      worstBudgets('check', 'Checks, the worst first', 12),
      worstBudgets('transaction', 'Transactions, the worst first', 7),
    ],
    'Over time': [
      linesPanel({
        title: 'Error budget left, the five worst',
        description:
          'What is left of the error budget of 30 days, every two hours; below 0 the objective is missed. The dashes are a full budget that is spent evenly.',
        unit: 'percentunit',
        width: 12,
        max: 1,
        timeFrom: '30d',
        interval: '2h',
        noValue: 'Not known yet',
        queries: [
          {
            expr: worstAtEnd('bottomk', 'uptime_check_error_budget_remaining_ratio'),
            legend: '{{name}}',
          },
          spentEvenly,
        ],
      }),
      linesPanel({
        title: 'Burn rate over 6 h, the five worst',
        description:
          'How many times faster than allowed, of the checks that burn the most at the end; dashes are where alerts begin.',
        unit: 'none',
        width: 12,
        min: 0,
        noValue: 'Nothing was down within the last 6 h',
        thresholds: steps(colours.good, [1, colours.warning], [6, colours.bad]),
        queries: [
          { expr: worstAtEnd('topk', 'uptime_check_burn_rate', 'window="6h"'), legend: '{{name}}' },
        ],
      }),
      calendarPanel({
        title: 'Availability of each day',
        description:
          'Groups, and the ten checks with the worst month. Each cell is the day before the time it stands at, in UTC, maintenance left out; red is below 99 %, orange below 99.9 %. Point at a cell for its figure.',
        unit: 'percentunit',
        decimals: 2,
        width: 24,
        height: 10,
        noValue:
          'No day has ended since Prometheus has these data, or nothing was down within 30 days',
        thresholds: steps(colours.bad, [0.99, colours.warning], [0.999, colours.good]),
        queries: [
          {
            expr: `1 - ${eachAccount(ofAccount('uptime_group_error_ratio', 'window="1d", of="mean"'), 'group')}`,
            legend: 'Group {{group}}',
          },
          {
            expr: shortName(
              `1 - (${errorRatio('check', '1d')} and on (${item}) topk(10, ${each(`${ofAccount('uptime_check_error_ratio', 'window="30d"')} @ end()`)} > 0))`,
            ),
            legend: '{{name}}',
          },
        ],
      }),
    ],
  },
};
