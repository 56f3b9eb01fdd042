import type { Occurrence } from '../tally/maintenance-tally.ts';
import type { AccountFacts } from './account-facts.ts';

/** The occurrences of maintenance that a check is part of. */
export type OccurrencesOf = (checkId: number) => readonly Occurrence[];

const none: readonly Occurrence[] = [];

export function occurrencesByCheck(maintenance: AccountFacts['maintenance']): OccurrencesOf {
  const checks = new Map<number, Occurrence[]>();
  const { windows = [], occurrences = [] } = maintenance ?? {};
  const windowsById = new Map(windows.map((window) => [window.id, window]));
  for (const { maintenanceId, startAtSeconds, endAtSeconds } of occurrences) {
    const occurrence = { fromSeconds: startAtSeconds, toSeconds: endAtSeconds };
    for (const id of windowsById.get(maintenanceId)?.checkIds ?? []) append(checks, id, occurrence);
  }
  return (checkId) => checks.get(checkId) ?? none;
}

function append(map: Map<number, Occurrence[]>, id: number, occurrence: Occurrence): void {
  const known = map.get(id);
  if (known === undefined) map.set(id, [occurrence]);
  else known.push(occurrence);
}
