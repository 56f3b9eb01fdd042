import { type Board, outagesAndMaintenance } from './board.ts';
import { linesPanel, stackedPanel, statesPanel, statPanel, tablePanel } from './panel.ts';
import { item, ofAccount, ofCheck } from './selectors.ts';
import { badAbove, plain, transactionStates, yesOrNo } from './states.ts';
import { checkVariable } from './variables.ts';

const shares = ['uptime', 'downtime', 'unmonitored'].map((state) => ({
  expr: ofCheck(`uptime_transaction_hourly_${state}_seconds`),
  legend: state,
}));

export const transactions: Board = {
  uid: 'uptime-transactions',
  title: 'Transactions',
  description: 'What fails and at which step, how long the steps take.',
  variables: [checkVariable('uptime_transaction_info', 'Transaction')],
  annotations: outagesAndMaintenance(ofCheck, 'transaction'),
  rows: {
    'All transactions': [
      statPanel({
        title: 'Failing',
        description: 'Transactions that fail now.',
        unit: 'none',
        width: 4,
        height: 8,
        thresholds: badAbove(1),
        queries: [{ expr: `sum(${ofAccount('uptime_transaction_status', 'status="failing"')})` }],
      }),
      tablePanel({
        title: 'Failing at',
        description: 'Transactions that fail now, and the number of the step that does.',
        unit: 'none',
        width: 10,
        noValue: 'Nothing fails',
        columns: {
          name: 'Transaction',
          kind: 'Kind',
          transaction_region: 'Region',
          account: 'Account',
        },
        values: ['Step'],
        queries: [
          {
            expr: `${ofAccount('uptime_transaction_failing_step')}
* on (${item}) group_left (kind, transaction_region) ${ofAccount('uptime_transaction_info')}`,
          },
        ],
      }),
      statesPanel({
        title: 'States',
        description: 'Whether each transaction succeeds, over time. A gap is time without data.',
        unit: 'none',
        width: 10,
        thresholds: plain,
        mappings: [transactionStates],
        queries: [{ expr: ofAccount('uptime_transaction_up'), legend: '{{name}}' }],
      }),
    ],
    'The chosen transaction': [
      stackedPanel({
        title: 'Steps',
        description: 'Average time of each step in the last complete hour.',
        unit: 's',
        width: 16,
        height: 10,
        min: 0,
        queries: [
          {
            expr: ofCheck('uptime_transaction_step_average_response_time_seconds'),
            legend: '{{step}} {{fn}}',
          },
        ],
      }),
      statPanel({
        title: 'Failing step',
        description: 'Number of the step that fails.',
        unit: 'none',
        width: 4,
        height: 10,
        noValue: 'none',
        thresholds: badAbove(1),
        queries: [{ expr: ofCheck('uptime_transaction_failing_step') }],
      }),
      statPanel({
        title: 'In maintenance',
        description: 'Whether the transaction is in maintenance now.',
        unit: 'none',
        width: 4,
        height: 10,
        thresholds: plain,
        mappings: [yesOrNo],
        queries: [{ expr: ofCheck('uptime_transaction_in_maintenance') }],
      }),
      linesPanel({
        title: 'Response time',
        description: 'Average time of the whole transaction in the last complete hour.',
        unit: 's',
        width: 12,
        min: 0,
        queries: [
          {
            expr: ofCheck('uptime_transaction_hourly_average_response_time_seconds'),
            legend: '{{name}}',
          },
        ],
      }),
      stackedPanel({
        title: 'Last complete hour',
        description: 'How much of the last complete hour the transaction was up, down, not run.',
        unit: 's',
        width: 12,
        min: 0,
        max: 3600,
        queries: shares,
      }),
    ],
  },
};
