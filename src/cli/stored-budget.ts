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
  restore(budget, documents, clock, (snapshot) => snapshot);
}

/**
 * Goes on with the budget of an account whose settings were changed. That may have mended what kept the
 * service from telling its limits, so that the first request does not wait for it.
 */
export function restoreMendedBudget(
  budget: Budget,
  documents: ReadonlyMap<string, Json>,
  clock: Pick<Clock, 'now'>,
): void {
  restore(budget, documents, clock, ({ unansweredSeconds: _, ...snapshot }) => snapshot);
}

function restore(
  budget: Budget,
  documents: ReadonlyMap<string, Json>,
  clock: Pick<Clock, 'now'>,
  partOf: (snapshot: BudgetSnapshot) => BudgetSnapshot,
): void {
  const stored = documents.get(documentName) as unknown as StoredBudget | undefined;
  if (stored === undefined) return;
  budget.restore(partOf(stored.snapshot), unixSeconds(clock) - stored.atSeconds);
}
