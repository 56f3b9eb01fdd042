import type { StateSpan } from './outage.ts';
import type { PerformanceInterval } from './performance.ts';
import type { TransactionStepFunction } from './transaction-step.ts';

/** A span in which a transaction was in one state (API 3.1, section 2.11). What went wrong is left unread. */
export interface TransactionStateSpan extends StateSpan {
  /** Number of the step that failed, as the service counts. Only where there was an error. */
  readonly failedStep?: number;
}

/** The states of one transaction over a period. */
export interface TransactionStates {
  readonly transactionId: number;
  /** Absent when one of them could not be read: what is missing would pass for time without monitoring. */
  readonly states?: readonly TransactionStateSpan[];
}

export interface StepAverage {
  readonly fn: TransactionStepFunction;
  readonly averageResponseTimeSeconds?: number;
}

/** What was measured in one interval, with its steps in order (API 3.1, section 2.11). */
export interface TransactionPerformanceInterval extends PerformanceInterval {
  readonly steps: readonly StepAverage[];
}
