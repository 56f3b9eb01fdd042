import type { Budget } from '../budget/budget.ts';
import type { BudgetSnapshot } from '../budget/budget-snapshot.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import type { Json } from '../store/store.ts';

const documentName = 'budget';

interface StoredBudget {
  readonly atSeconds: number;
  readonly snapshot: BudgetSnapshot;
}

/** The budget as a document of the store. */
export function storedBudget(budget: Budget, clock: Pick<Clock, 'now'>): ReadonlyMap<string, Json> {
  const stored: StoredBudget = { atSeconds: unixSeconds(clock), snapshot: budget.snapshot() };
  return new Map([[documentName, stored as unknown as Json]]);
}

/** Goes on with the budget of the former process, so that a crash loop does not spend it. */
export function restoreBudget(
  budget: Budget,
  documents: ReadonlyMap<string, Json>,
  clock: Pick<Clock, 'now'>,
): void {
  const stored = documents.get(documentName) as unknown as StoredBudget | undefined;
  if (stored !== undefined) {
    budget.restore(stored.snapshot, unixSeconds(clock) - stored.atSeconds);
  }
}
