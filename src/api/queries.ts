import type { Resolution } from '../domain/performance.ts';
import type { Period } from '../domain/period.ts';

/** A period of one check. */
export interface CheckPeriod extends Period {
  readonly checkId: number;
}

export interface AverageQuery extends CheckPeriod {
  /** One or the other: the service refuses both together. */
  readonly by?: 'country' | 'probe';
}

export interface PerformanceQuery extends CheckPeriod {
  readonly resolution: Resolution;
}

export interface AnalysisQuery {
  readonly checkId: number;
  readonly analysisId: number;
}

/** A period of one transaction. */
export interface TransactionPeriod extends Period {
  readonly transactionId: number;
}

export interface TransactionPerformanceQuery extends TransactionPeriod {
  readonly resolution: Resolution;
}
