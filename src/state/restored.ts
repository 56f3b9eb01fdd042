import type { Check } from '../domain/check.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { EventTally } from '../tally/event-tally.ts';
import type { AccountFacts } from './account-facts.ts';
import type { CheckFindings } from './check-roster.ts';
import type { CheckTotals, StateTotals } from './check-totals.ts';
import type { Findings } from './findings.ts';
import type { TransactionFindings } from './transaction-roster.ts';

/** The last success of a dataset; UNIX seconds. */
export interface DatasetSuccess {
  readonly name: DatasetName;
  readonly atSeconds: number;
  readonly items: number;
  /** How often it was to be refreshed: until there is another plan, its data may be as old as this one allowed. */
  readonly intervalSeconds?: number;
}

/** What is stored as one piece. */
export interface RestoredParts {
  readonly checks: readonly Check[];
  readonly transactions: readonly Transaction[];
  readonly facts: AccountFacts;
  readonly datasets: readonly DatasetSuccess[];
  readonly alerts: EventTally;
}

/** What a store has of an account; whatever it does not have is absent or empty. */
export interface Restored extends Partial<RestoredParts> {
  readonly checkTotals: ReadonlyMap<number, CheckTotals>;
  readonly transactionTotals: ReadonlyMap<number, StateTotals>;
  readonly checkFindings: ReadonlyMap<number, Findings<CheckFindings>>;
  readonly transactionFindings: ReadonlyMap<number, Findings<TransactionFindings>>;
}
