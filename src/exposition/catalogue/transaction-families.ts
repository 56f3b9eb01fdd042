import { type TransactionStatus, transactionStatuses } from '../../domain/transaction.ts';
import type { TransactionRow } from '../../state/snapshot.ts';
import { transactionErrorBudgetFamilies } from './error-budget-families.ts';
import { lean, type SampleValue, type TransactionFamily } from './family.ts';
import { hourlyFamilies } from './hourly-families.ts';
import { itemFamiliesOf } from './row-families.ts';

const list = itemFamiliesOf<TransactionRow>('transactions');
const performance = itemFamiliesOf<TransactionRow>('transaction_performance');
const maintenance = itemFamiliesOf<TransactionRow>('maintenance');

/** Every family with one or more series for each transaction. */
export const transactionFamilies: readonly TransactionFamily[] = [
  list.labelled('uptime_transaction_info', 'Properties of the transaction; always 1.', {
    reads: ['kind', 'region', 'severity'],
    labels: ['kind', 'transaction_region', 'severity'],
    samples: ({ kind, region, severity }, emit) => emit(1, kind, region ?? '', severity ?? ''),
  }),
  list.values(
    'uptime_transaction_tag_info',
    'A tag of the transaction; always 1.',
    'tags',
    ['tag'],
    (tags, emit) => {
      for (const tag of new Set(tags.map(({ name }) => name.toWellFormed()))) emit(1, tag);
    },
  ),
  list.labelled(
    'uptime_transaction_up',
    '1 when the transaction succeeds, 0 when it fails; absent when inactive or unknown.',
    {
      reads: ['status', 'active'],
      labels: [],
      samples: ({ status, active }, emit) => emit(active === false ? undefined : upValues[status]),
    },
  ),
  lean(
    'ones',
    list.values(
      'uptime_transaction_status',
      'The status of the transaction: 1 for the one it has, else 0.',
      'status',
      ['status'],
      (status, emit) => {
        for (const each of transactionStatuses) emit(status === each, each);
      },
    ),
  ),
  list.field('uptime_transaction_active', '1 when the transaction is active, else 0.', 'active'),
  lean(
    'nothing',
    list.field(
      'uptime_transaction_interval_seconds',
      'Time between two runs of the transaction.',
      'intervalSeconds',
    ),
  ),
  lean(
    'nothing',
    list.field(
      'uptime_transaction_last_downtime_start_timestamp_seconds',
      'UNIX time at which the last downtime of the transaction began.',
      'lastDowntimeStartAtSeconds',
    ),
  ),
  lean(
    'nothing',
    list.field(
      'uptime_transaction_last_downtime_end_timestamp_seconds',
      'UNIX time at which the last downtime of the transaction ended.',
      'lastDowntimeEndAtSeconds',
    ),
  ),
  lean(
    'nothing',
    list.field(
      'uptime_transaction_created_timestamp_seconds',
      'UNIX time at which the transaction was created.',
      'createdAtSeconds',
    ),
  ),
  lean(
    'nothing',
    list.field(
      'uptime_transaction_modified_timestamp_seconds',
      'UNIX time at which the transaction was last modified.',
      'modifiedAtSeconds',
    ),
  ),
  list.stateSeconds(
    'uptime_transaction_state_seconds_total',
    'Time the transaction spent in each state.',
    'availability',
    ({ seconds }) => seconds,
  ),
  list.value(
    'uptime_transaction_outages_total',
    'Outages of the transaction.',
    'availability',
    ({ outages }) => outages,
  ),
  ...transactionErrorBudgetFamilies,
  list.field(
    'uptime_transaction_failing_step',
    'Number of the failing step; absent when the transaction does not fail.',
    'failingStep',
  ),
  ...hourlyFamilies('transaction'),
  performance.values(
    'uptime_transaction_step_average_response_time_seconds',
    'Average response time of each step, counted from 1, in the hour from uptime_transaction_hourly_start_timestamp_seconds on.',
    'performance',
    ['step', 'fn'],
    ({ steps }, emit) => {
      for (const [index, { fn, averageResponseTimeSeconds }] of steps.entries()) {
        emit(averageResponseTimeSeconds, String(index + 1), fn);
      }
    },
  ),
  maintenance.value(
    'uptime_transaction_in_maintenance',
    '1 while the transaction is in maintenance, else 0.',
    'maintenance',
    ({ active }) => active,
  ),
];

const upValues: { readonly [S in TransactionStatus]: SampleValue } = {
  successful: 1,
  failing: 0,
  unknown: undefined,
};
