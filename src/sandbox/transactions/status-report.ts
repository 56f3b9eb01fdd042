import type { History } from '../history.ts';
import { formatDateTime } from './date-time.ts';
import { failedStep } from './failed-step.ts';
import type { Period } from './report-period.ts';
import type { Transaction } from './transaction.ts';
import { type TransactionState, transactionStates } from './transaction-states.ts';

export interface StatusReport {
  readonly check_id: number;
  readonly name: string;
  readonly states: readonly object[];
}

/** The states of a transaction in a period, which must not end later than now (API 3.1, section 2.11). */
export function statusReport(
  history: History,
  transaction: Transaction,
  period: Period,
  order: 'asc' | 'desc',
): StatusReport {
  const states = transactionStates(history, transaction, period).map((state) =>
    wireState(transaction, state),
  );
  return {
    check_id: transaction.id,
    name: transaction.settings.name,
    states: order === 'asc' ? states : states.reverse(),
  };
}

function wireState(transaction: Transaction, state: TransactionState): object {
  return {
    status: state.status,
    from: formatDateTime(state.from),
    to: formatDateTime(state.to),
    ...(state.status === 'down' && failedStep(transaction, state.since)),
  };
}
