import { type Board, blindTimes, outagesAndMaintenance } from './board.ts';
import { alertWindows, spentEvenly } from './budget-lines.ts';
import { colours } from './colours.ts';
import { toItemOfRow, toItemOfSeries } from './links.ts';
import { linesPanel, statesPanel, statPanel } from './panel.ts';
import { each, item, ofAccount, ofCheck, ofStep, shortName } from './selectors.ts';
import { badAbove, budgetLeft, openStates, plain, transactionStates, yesOrNo } from './states.ts';
import { barsPanel, tablePanel } from './table.ts';
import { checkVariable } from './variables.ts';

const up = ofCheck('uptime_transaction_up');
const value = (name: string, more = '') => each(ofCheck(`uptime_transaction_${name}`, more));
const failingSince = each(ofAccount('uptime_transaction_outage_start_timestamp_seconds'));

export const transactions: Board = {
  uid: 'uptime-transactions',
  title: 'Transactions',
  description: 'Which transactions fail, since when and at which step; one of them in detail.',
  variables: [checkVariable('uptime_transaction_info', 'Transaction')],
  annotations: [...outagesAndMaintenance(ofCheck, 'transaction', true), ...blindTimes()],
  rows: {
    'All transactions': [
      tablePanel({
        title: 'Failing now',
        description:
          'Transactions that fail, the longest first, and the number of the failing step.',
        width: 12,
        height: 7,
        noValue: 'No transaction fails',
        sortBy: ['Failing for', 'descending'],
        columns: {
          name: { heading: 'Transaction', links: toItemOfRow('transaction') },
          'Value #A': { heading: 'Failing for', unit: 's', width: 110 },
          'Value #B': { heading: 'At step', unit: 'none', width: 80 },
          account: { heading: 'Account', width: 120 },
          check_id: { heading: 'ID', width: 110 },
        },
        queries: [
          { expr: `time() - ${failingSince}` },
          {
            expr: `${each(ofAccount('uptime_transaction_failing_step'))} and on (${item}) ${failingSince}`,
          },
        ],
      }),
      statesPanel({
        title: 'Outages in this time',
        description:
          'Transactions that have failed in the chosen time, and only these, while they failed.',
        unit: 'none',
        width: 12,
        height: 7,
        perPage: 8,
        noValue: 'Nothing failed in this time',
        links: toItemOfSeries('transaction'),
        mappings: [openStates],
        queries: [
          {
            expr: shortName(`${each(ofStep(ofAccount('uptime_transaction_outage_open')))} == 1`),
            legend: '{{name}}',
          },
        ],
      }),
    ],
    'The chosen transaction': [
      statPanel({
        title: 'Now',
        description: 'The state of the transaction in the last list.',
        unit: 'none',
        width: 4,
        noValue: 'not known',
        mappings: [transactionStates],
        queries: [{ expr: value('up') }],
      }),
      statPanel({
        title: 'Failing step',
        description: 'Number of the step that fails.',
        unit: 'none',
        width: 4,
        noValue: 'none',
        thresholds: badAbove(1),
        queries: [{ expr: value('failing_step') }],
      }),
      statPanel({
        title: 'Up in 30 days',
        description:
          'Share of the last 30 days in which the transaction was up, maintenance left out.',
        unit: 'percentunit',
        decimals: 3,
        width: 4,
        noValue: 'not known yet',
        thresholds: plain,
        queries: [{ expr: `1 - ${value('error_ratio', 'window="30d"')}` }],
      }),
      statPanel({
        title: 'Budget left',
        description: 'What is left of the error budget of 30 days; negative when overspent.',
        unit: 'percentunit',
        decimals: 1,
        width: 4,
        noValue: 'not known yet',
        thresholds: budgetLeft,
        queries: [{ expr: value('error_budget_remaining_ratio') }],
      }),
      statPanel({
        title: 'Runs every',
        description: 'Time between two runs of the transaction.',
        unit: 's',
        width: 4,
        noValue: 'not known',
        thresholds: plain,
        queries: [{ expr: value('interval_seconds') }],
      }),
      statPanel({
        title: 'Maintenance',
        description: 'Whether the transaction is in maintenance now.',
        unit: 'none',
        width: 4,
        noValue: 'unknown',
        mappings: [yesOrNo],
        queries: [{ expr: value('in_maintenance') }],
      }),
      statesPanel({
        title: 'State over time',
        description:
          'The state of the transaction in each list, failing where a point of the graph has several. A gap is time without data.',
        unit: 'none',
        width: 24,
        height: 4,
        noValue: 'The state was not read in this time',
        mappings: [transactionStates],
        queries: [
          {
            expr: `min by (${item}, name) (min_over_time(${up}[$__interval]) or ${up})`,
            legend: 'state',
          },
        ],
      }),
      linesPanel({
        title: 'Response time',
        description: 'Average time of the whole transaction in the last complete hour.',
        unit: 's',
        width: 12,
        height: 9,
        min: 0,
        noValue: 'No performance report was read in this time',
        queries: [
          {
            expr: value('hourly_average_response_time_seconds'),
            legend: 'hourly average',
            color: colours.good,
          },
        ],
      }),
      barsPanel({
        title: 'Steps',
        description: 'Average time of each step in the last complete hour, the slowest first.',
        width: 12,
        height: 9,
        noValue: 'No performance report was read yet',
        names: {
          step: { heading: 'Step', width: 70 },
          fn: { heading: 'What it does', width: 200 },
        },
        number: { heading: 'Time', unit: 's' },
        expr: `max by (step, fn) (${ofCheck('uptime_transaction_step_average_response_time_seconds')})`,
      }),
      linesPanel({
        title: 'Error budget left',
        description:
          'What is left of the error budget of 30 days; below 0 the objective is missed. The dashes are a full budget that is spent evenly.',
        unit: 'percentunit',
        width: 12,
        max: 1,
        timeFrom: '30d',
        noValue: 'Not known yet',
        queries: [
          {
            expr: value('error_budget_remaining_ratio'),
            legend: 'left',
            color: colours.good,
          },
          spentEvenly,
        ],
      }),
      barsPanel({
        title: 'Burn rate',
        description:
          'How many times faster than allowed the budget is spent, by the windows that alerts look at.',
        width: 12,
        noValue: 'Nothing was down in 30 days',
        names: { window: { heading: 'Window', width: 90 } },
        number: { heading: 'Burn rate', unit: 'none', decimals: 1, thresholds: badAbove(1) },
        expr: `max by (window) (${ofCheck('uptime_transaction_burn_rate', alertWindows)})`,
      }),
    ],
  },
};
