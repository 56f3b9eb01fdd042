import type { CheckTag } from './check.ts';
import type { RecipientCounts } from './check-detail.ts';
import type { TransactionStepFunction } from './transaction-step.ts';

export const transactionStatuses = ['successful', 'failing', 'unknown'] as const;

/** A status the service adds later reads as `unknown`. */
export type TransactionStatus = (typeof transactionStatuses)[number];

export const transactionKinds = ['script', 'recording', 'unknown'] as const;
export type TransactionKind = (typeof transactionKinds)[number];

export const transactionRegions = ['us-east', 'us-west', 'eu', 'au', 'unknown'] as const;

/** Where a transaction is run (API 3.1, section 2.11). */
export type TransactionRegion = (typeof transactionRegions)[number];

export const transactionSeverities = ['high', 'low', 'unknown'] as const;
export type TransactionSeverity = (typeof transactionSeverities)[number];

/** A transaction check (API 3.1, section 2.11). Times are UNIX seconds. What the service did not say is absent. */
export interface Transaction {
  readonly id: number;
  readonly name: string;
  readonly status: TransactionStatus;
  readonly kind: TransactionKind;
  readonly active?: boolean;
  readonly region?: TransactionRegion;
  readonly severity?: TransactionSeverity;
  readonly tags: readonly CheckTag[];
  readonly intervalSeconds?: number;
  readonly createdAtSeconds?: number;
  readonly modifiedAtSeconds?: number;
  readonly lastDowntimeStartAtSeconds?: number;
  readonly lastDowntimeEndAtSeconds?: number;
}

/** What the steps act on, and the messages, are left unread: they hold addresses and passwords. */
export interface TransactionDetail extends Transaction {
  /** In the order in which they run. */
  readonly steps: readonly TransactionStepFunction[];
  readonly recipients: RecipientCounts;
}
