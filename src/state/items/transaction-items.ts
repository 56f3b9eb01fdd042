import type { Transaction, TransactionPerformanceInterval } from '../../domain/transaction.ts';
import { present } from '../../lib/present.ts';
import type { HourlyAverages } from '../../slo/hourly-averages.ts';
import type { OutageNote } from '../../slo/last-outages.ts';
import type { TransactionRow } from '../snapshot.ts';
import { ItemStore } from './item-store.ts';
import { availabilityOf, type StateTotals } from './totals.ts';

/** Data of one transaction that are neither in the list nor counted. */
export interface TransactionItemDetails {
  /** Undefined while it succeeds, and when the service does not report the step. */
  readonly failingStep: number | undefined;
  /** The service has reported its states up to this moment; UNIX seconds. */
  readonly reportedUntilSeconds: number;
  /** Absent when the last complete hour has no results. */
  readonly performance: TransactionPerformanceInterval | undefined;
  /** Up to 30 days, for the views. */
  readonly hourlyAverages: HourlyAverages;
  /** The steps that failed, for the views. */
  readonly notes: readonly OutageNote[];
}

export type TransactionItems = ItemStore<
  Transaction,
  StateTotals,
  TransactionItemDetails,
  TransactionRow
>;

export function createTransactionItems(): TransactionItems {
  return new ItemStore<Transaction, StateTotals, TransactionItemDetails, TransactionRow>({
    detailDatasets: {
      failingStep: 'transactions',
      reportedUntilSeconds: 'transactions',
      performance: 'transaction_performance',
      hourlyAverages: 'transaction_performance',
      notes: 'transactions',
    },
    build: (input, previous) => {
      const { entry, totals, details, maintenance, budget, outage, lastOutageStartSeconds } = input;
      const { failingStep, performance } = details;
      const before = previous.input?.totals;
      return {
        ...entry,
        ...present({ failingStep, performance, maintenance, budget, outage }),
        ...present({ lastOutageStartSeconds }),
        availability:
          (before === totals ? previous.row?.availability : undefined) ?? availabilityOf(totals),
      };
    },
  });
}
