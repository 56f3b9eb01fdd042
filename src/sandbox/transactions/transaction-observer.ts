import type { CheckStatus } from '../../domain/check.ts';
import type { History } from '../history.ts';
import { MemoUntilChange } from '../memo-until-change.ts';
import type { MonitoredCheck } from '../monitored-check.ts';
import { lastDowntime } from './transaction-states.ts';

/** The words are those of captured answers. */
export type TransactionStatus = 'successful' | 'failing' | 'unknown';

/** What the list tells of a transaction's history. Times are UNIX seconds. */
export interface TransactionObservation {
  readonly status: TransactionStatus;
  readonly downtime: { readonly start: number; readonly end?: number } | undefined;
}

const statuses: Readonly<Record<CheckStatus, TransactionStatus>> = {
  up: 'successful',
  down: 'failing',
  unconfirmed_down: 'failing',
  unknown: 'unknown',
  paused: 'unknown',
};

/** Observes transactions. */
export class TransactionObserver {
  readonly #memo: MemoUntilChange<TransactionObservation>;

  constructor(history: History) {
    const read = (transaction: MonitoredCheck, time: number) => ({
      status: statuses[history.stateAt(transaction, time)],
      downtime: lastDowntime(history, transaction, time),
    });
    this.#memo = new MemoUntilChange({ history, read });
  }

  observe(transaction: MonitoredCheck, time: number): TransactionObservation {
    return this.#memo.of(transaction, time);
  }
}
