/** The place, at an item, of the time since which its reports have been incomplete. */
export interface IncompleteItem {
  /** UNIX seconds of the first of the incomplete reports in a row. */
  incompleteSinceSeconds: number | undefined;
}

/** How long entries that cannot be read are waited for. */
interface Patience {
  /** Seconds for which a report is late before its readable rest is used. */
  readonly givenUpAfterSeconds: number;
  /** Seconds for which it is requested at least. */
  readonly leastAskingSeconds: number;
}

interface ReadReport {
  /** False if it has entries that cannot be read. */
  readonly isComplete: boolean;
  readonly nowSeconds: number;
  /** The time from which on states are missing; by default that of the first incomplete report. */
  readonly awaitedSeconds?: number;
}

/**
 * Takes note of a report, and returns whether its readable entries can be used. A report with
 * entries that cannot be read is requested again. If it stays incomplete, its other entries are
 * used, and the rest of the time is unmonitored.
 */
export function isUsable(
  item: IncompleteItem,
  { isComplete, nowSeconds, awaitedSeconds = Number.POSITIVE_INFINITY }: ReadReport,
  { givenUpAfterSeconds, leastAskingSeconds }: Patience,
): boolean {
  if (isComplete) {
    item.incompleteSinceSeconds = undefined;
    return true;
  }
  const since = item.incompleteSinceSeconds ?? nowSeconds;
  item.incompleteSinceSeconds = since;
  return (
    nowSeconds - since >= leastAskingSeconds &&
    nowSeconds - Math.min(since, awaitedSeconds) >= givenUpAfterSeconds
  );
}
