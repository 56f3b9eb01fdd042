import type { Budget, BudgetSnapshot } from '../budget/budget.ts';
import { type ReadableClock, unixSeconds } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import type { Agenda } from '../schedule/agenda.ts';
import { type DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import type { AccountStore } from '../store/store.ts';

/** The parts that limit the requests of an account. */
export interface LimitingParts {
  readonly budget: Budget;
  readonly agenda: Agenda;
  readonly clock: ReadableClock;
}

export function budgetDocuments({ budget, agenda, clock }: LimitingParts): DocumentChanges {
  return new DocumentSet<null>().set('budget', {
    atSeconds: unixSeconds(clock),
    snapshot: budget.snapshot(),
    ...present({ allowances: agenda.allowances(clock.monotonic()) }),
  });
}

/** Deletes the stored budget of an account, so that the next start begins with a new one. */
export async function deleteBudget(store: AccountStore, account: string): Promise<void> {
  await store.commit({ account, documents: new DocumentSet<null>().set('budget', null) });
}

/** Restores the previous process's budget, so that a crash loop cannot spend it several times. */
export function restoreBudget(parts: LimitingParts, documents: DocumentSet): void {
  restore(parts, documents, (budget, snapshot, elapsed) => budget.restore(snapshot, elapsed));
}

/** Restores a budget after a change of settings, without a wait for missing limits. */
export function restoreBudgetAfterChange(
  parts: LimitingParts,
  documents: DocumentSet,
  hasEqualCredentials: boolean,
): void {
  restore(parts, documents, (budget, { owedSeconds: _, ...snapshot }, elapsed) => {
    if (hasEqualCredentials) budget.restore(snapshot, elapsed);
    else budget.restoreIfSame(snapshot, elapsed);
  });
}

function restore(
  { budget, agenda, clock }: LimitingParts,
  documents: DocumentSet,
  use: (budget: Budget, snapshot: BudgetSnapshot, elapsedSeconds: number) => void,
): void {
  const stored = documents.get('budget');
  if (stored === undefined) return;
  const { atSeconds, snapshot, allowances } = stored;
  const elapsedSeconds = unixSeconds(clock) - atSeconds;
  use(budget, snapshot, elapsedSeconds);
  if (allowances !== undefined) agenda.restore(allowances, elapsedSeconds, clock.monotonic());
}
