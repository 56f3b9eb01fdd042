import type { Occurrence } from '../tally/maintenance-tally.ts';
import type { AccountFacts } from './account-facts.ts';

/** The occurrences of maintenance that each check and each transaction is part of. */
export interface Occurrences {
  ofCheck(id: number): readonly Occurrence[];
  ofTransaction(id: number): readonly Occurrence[];
}

const none: readonly Occurrence[] = [];

export function occurrencesByItem(maintenance: AccountFacts['maintenance']): Occurrences {
  const checks = new Map<number, Occurrence[]>();
  const transactions = new Map<number, Occurrence[]>();
  const { windows = [], occurrences = [] } = maintenance ?? {};
  const windowsById = new Map(windows.map((window) => [window.id, window]));
  for (const { maintenanceId, startAtSeconds, endAtSeconds } of occurrences) {
    const window = windowsById.get(maintenanceId);
    const occurrence = { fromSeconds: startAtSeconds, toSeconds: endAtSeconds };
    for (const id of window?.checkIds ?? []) append(checks, id, occurrence);
    for (const id of window?.transactionIds ?? []) append(transactions, id, occurrence);
  }
  return {
    ofCheck: (id) => checks.get(id) ?? none,
    ofTransaction: (id) => transactions.get(id) ?? none,
  };
}

function append(map: Map<number, Occurrence[]>, id: number, occurrence: Occurrence): void {
  const known = map.get(id);
  if (known === undefined) map.set(id, [occurrence]);
  else known.push(occurrence);
}
