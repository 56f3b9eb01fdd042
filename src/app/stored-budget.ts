import type { Budget } from '../budget/budget.ts';
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
  /** See `credentialsMark`. */
  readonly credentials: string;
}

export function budgetDocuments(parts: LimitingParts): DocumentChanges {
  const { budget, agenda, clock, credentials } = parts;
  return new DocumentSet<null>().set('budget', {
    atSeconds: unixSeconds(clock),
    snapshot: budget.snapshot(),
    ...present({ allowances: agenda.allowances(clock.monotonic()) }),
    credentials,
  });
}

/** Deletes the stored budget of an account, so that the next start begins with a new one. */
export async function deleteBudget(store: AccountStore, account: string): Promise<void> {
  await store.commit({ account, documents: new DocumentSet<null>().set('budget', null) });
}

/**
 * Restores the budget of the previous process, so that a crash loop cannot spend it several times, or
 * that of before a change of settings, without a wait for missing limits. Other credentials may have
 * other limits.
 */
export function restoreBudget(
  { budget, agenda, clock, credentials }: LimitingParts,
  documents: DocumentSet,
  isAfterChange = false,
): void {
  const stored = documents.get('budget');
  if (stored === undefined) return;
  const { atSeconds, snapshot, allowances } = stored;
  const elapsedSeconds = unixSeconds(clock) - atSeconds;
  const { owedSeconds: _, ...owesNothing } = snapshot;
  const isSame = (stored.credentials ?? credentials) === credentials;
  if (isSame) budget.restore(isAfterChange ? owesNothing : snapshot, elapsedSeconds);
  else budget.restoreIfSame(snapshot, elapsedSeconds);
  if (allowances !== undefined) agenda.restore(allowances, elapsedSeconds, clock.monotonic());
}
