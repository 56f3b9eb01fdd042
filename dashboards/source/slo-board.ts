import type { Board } from './board.ts';
import { colours } from './colours.ts';
import { linesPanel, linkTo, statPanel, tablePanel } from './panel.ts';
import { ofAccount, tagged } from './selectors.ts';
import { badAbove, left, plain, steps } from './states.ts';
import { reference, tagVariable } from './variables.ts';

const budgetLeft = ofAccount('uptime_check_error_budget_remaining_ratio');
const burn = (window: string) => ofAccount('uptime_check_burn_rate', `window="${window}"`);
const objective = ofAccount('uptime_check_objective_ratio');
const availability = `1 - ${ofAccount('uptime_check_error_ratio', 'window="30d"')}`;

export const sloBoard: Board = {
  uid: 'uptime-slo',
  title: 'Objectives',
  description: 'Availability against the objective of each check, planned maintenance left out.',
  variables: [tagVariable()],
  rows: {
    'Objectives of 30 days': [
      statPanel({
        title: 'Objectives missed',
        description: 'Checks whose error budget of 30 days is used up.',
        unit: 'none',
        width: 6,
        thresholds: badAbove(1),
        queries: [{ expr: `sum(${tagged(budgetLeft)} < bool 0)` }],
      }),
      statPanel({
        title: 'Budget nearly gone',
        description: 'Checks that have less than a quarter of their error budget left.',
        unit: 'none',
        width: 6,
        thresholds: steps(colours.good, [1, colours.warning]),
        queries: [{ expr: `sum(${tagged(budgetLeft)} < bool 0.25)` }],
      }),
      statPanel({
        title: 'Checks burning now',
        description: 'Checks that spend their budget faster than allowed, measured over 1 h.',
        unit: 'none',
        width: 6,
        thresholds: steps(colours.good, [1, colours.warning]),
        queries: [{ expr: `sum(${tagged(burn('1h'))} > bool 1)` }],
      }),
      statPanel({
        title: 'Mean availability',
        description: 'Mean of the availability of all chosen checks over 30 days.',
        unit: 'percentunit',
        decimals: 3,
        width: 6,
        thresholds: plain,
        queries: [{ expr: `avg(${tagged(availability)})` }],
      }),
      tablePanel({
        title: 'Checks',
        description:
          'Objective, availability and budget left over 30 days, and how fast the budget is spent.',
        unit: 'none',
        width: 24,
        height: 14,
        columns: { name: 'Check', account: 'Account', check_id: 'check_id' },
        values: ['Objective', 'Availability', 'Budget left', 'Burn 1 h', 'Burn 6 h', 'Burn 3 d'],
        units: {
          Objective: 'percentunit',
          Availability: 'percentunit',
          'Budget left': 'percentunit',
        },
        links: [
          linkTo('The check', 'uptime-check', `var-check=${reference('__data.fields.check_id')}`),
        ],
        queries: [objective, availability, budgetLeft, burn('1h'), burn('6h'), burn('3d')].map(
          (expr) => ({ expr: tagged(expr) }),
        ),
      }),
    ],
    'Over time': [
      linesPanel({
        title: 'Error budget left, the ten worst',
        description: 'What is left of the error budget of 30 days.',
        unit: 'percentunit',
        width: 12,
        max: 1,
        thresholds: left,
        queries: [{ expr: `bottomk(10, ${tagged(budgetLeft)})`, legend: '{{name}}' }],
      }),
      linesPanel({
        title: 'Burn rate over 1 h, the ten worst',
        description: 'How many times faster than allowed. A page is sent above 14.4.',
        unit: 'none',
        width: 12,
        min: 0,
        thresholds: steps(colours.good, [14.4, colours.bad]),
        queries: [{ expr: `topk(10, ${tagged(burn('1h'))})`, legend: '{{name}}' }],
      }),
      linesPanel({
        title: 'Time down',
        description: 'Seconds that all chosen checks were down; those in maintenance do not count.',
        unit: 's',
        width: 24,
        min: 0,
        queries: [
          {
            expr: `sum(increase(${ofAccount('uptime_check_state_seconds_total', 'state="down"')}[$__rate_interval]))`,
            legend: 'down',
          },
          {
            expr: `sum(increase(${ofAccount('uptime_check_maintenance_seconds_total', 'state="down"')}[$__rate_interval]))`,
            legend: 'of it in maintenance',
          },
        ],
      }),
    ],
  },
};
