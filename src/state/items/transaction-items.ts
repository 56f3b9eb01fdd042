import type { Transaction } from '../../domain/transaction.ts';
import { present } from '../../lib/present.ts';
import type { TransactionItemDetails } from '../../store/format/item-details.ts';
import type { TransactionRow } from '../snapshot.ts';
import { ItemStore } from './item-store.ts';
import { availabilityOf, type StateTotals } from './totals.ts';

export type { TransactionItemDetails };

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
      responseMonths: 'transaction_performance',
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
