import type { AvailabilityTotals } from '../domain/tally.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { TransactionPerformanceInterval } from '../domain/transaction-report.ts';
import type { MaintenanceState } from './check-row.ts';

/** A transaction and all that is known of it beyond the list; as with `CheckRow`. */
export interface TransactionRow extends Transaction {
  readonly availability?: AvailabilityTotals;
  /** Number of the step that fails now, as the service counts. */
  readonly failingStep?: number;
  /** The last complete hour. */
  readonly performance?: TransactionPerformanceInterval;
  readonly maintenance?: MaintenanceState;
}
