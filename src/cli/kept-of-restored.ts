import type { ListFilter } from '../api/filtered-service.ts';
import { present } from '../lib/present.ts';
import type { Restored } from '../state/restored.ts';

/** What is stored of the checks and transactions that are still watched: a filter holds from the start on. */
export function keptOfRestored(restored: Restored, filter: ListFilter | undefined): Restored {
  if (filter === undefined) return restored;
  const { checks, transactions } = restored;
  const kept = { checks: checks?.filter(filter), transactions: transactions?.filter(filter) };
  return { ...restored, ...present(kept) };
}
