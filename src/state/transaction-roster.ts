import type { Transaction } from '../domain/transaction.ts';
import type { TransactionPerformanceInterval } from '../domain/transaction-report.ts';
import { availabilityOf, type StateTotals } from './check-totals.ts';
import { Roster } from './roster.ts';
import type { TransactionRow } from './transaction-row.ts';

/** What is fetched of one transaction beyond the list and the totals. */
export interface TransactionFindings {
  /** Absent when it does not fail, or the service does not say where. */
  readonly failingStep: number | undefined;
  /** Absent when the last complete hour has no results. */
  readonly performance: TransactionPerformanceInterval | undefined;
}

export type TransactionRoster = Roster<
  Transaction,
  StateTotals,
  TransactionFindings,
  TransactionRow
>;

export function createTransactionRoster(): TransactionRoster {
  return new Roster<Transaction, StateTotals, TransactionFindings, TransactionRow>({
    findingDatasets: { failingStep: 'transactions', performance: 'transaction_performance' },
    build: ({ entry, totals, findings, maintenance }, former) => {
      const { failingStep, performance } = findings;
      const before = former?.parts.totals;
      return {
        ...entry,
        ...(failingStep !== undefined && { failingStep }),
        ...(performance !== undefined && { performance }),
        ...(maintenance !== undefined && { maintenance }),
        availability:
          (before === totals ? former?.row.availability : undefined) ?? availabilityOf(totals),
      };
    },
  });
}
