import type { Budget, BudgetSnapshot } from '../budget/budget.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import type { Agenda } from '../schedule/agenda.ts';
import type { Allowances } from '../schedule/allowances.ts';
import type { Json } from '../store/store.ts';

/** The parts that limit the requests of an account. */
export interface BudgetParts {
  readonly budget: Budget;
  readonly agenda: Agenda;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

const documentName = 'budget';

interface StoredBudget {
  readonly atSeconds: number;
  readonly snapshot: BudgetSnapshot;
  readonly allowances?: Allowances;
}

/** The budget as a document of the store. */
export function budgetDocuments({ budget, agenda, clock }: BudgetParts): ReadonlyMap<string, Json> {
  const stored: StoredBudget = {
    atSeconds: unixSeconds(clock),
    snapshot: budget.snapshot(),
    ...present({ allowances: agenda.allowances(clock.monotonic()) }),
  };
  return new Map([[documentName, stored as unknown as Json]]);
}

/** Restores the budget of the former process, so that a crash loop cannot spend it again and again. */
export function restoreBudget(parts: BudgetParts, documents: ReadonlyMap<string, Json>): void {
  restore(parts, documents, (snapshot) => snapshot);
}

/**
 * Restores the budget of an account whose settings changed. The change may have fixed what kept the service
 * from reporting its limits, so the first request does not wait for that.
 */
export function restoreBudgetAfterChange(
  parts: BudgetParts,
  documents: ReadonlyMap<string, Json>,
): void {
  restore(parts, documents, ({ owedSeconds: _, ...snapshot }) => snapshot);
}

function restore(
  { budget, agenda, clock }: BudgetParts,
  documents: ReadonlyMap<string, Json>,
  partOf: (snapshot: BudgetSnapshot) => BudgetSnapshot,
): void {
  const stored = documents.get(documentName) as unknown as StoredBudget | undefined;
  if (stored === undefined) return;
  const { atSeconds, snapshot, allowances } = stored;
  const elapsedSeconds = unixSeconds(clock) - atSeconds;
  budget.restore(partOf(snapshot), elapsedSeconds);
  if (allowances !== undefined) agenda.restore(allowances, elapsedSeconds, clock.monotonic());
}
