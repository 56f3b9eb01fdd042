import { type Asking, askedOnce } from './asking.ts';

/** How long a report that stays incomplete is waited for. */
interface Patience {
  /** Seconds for which it is late before what it has is used. */
  readonly givenUpAfterSeconds: number;
  /** Seconds for which it is requested at least. */
  readonly leastAskingSeconds: number;
}

/** Where an item keeps for how long its reports have been incomplete. */
export interface IncompleteItem {
  incompleteReports: Asking | undefined;
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
  patience: Patience,
): boolean {
  if (isComplete) {
    item.incompleteReports = undefined;
    return true;
  }
  const asking = askedOnce(item.incompleteReports, nowSeconds);
  item.incompleteReports = asking;
  const { sinceSeconds } = asking;
  return (
    nowSeconds - sinceSeconds >= patience.leastAskingSeconds &&
    nowSeconds - Math.min(sinceSeconds, awaitedSeconds) >= patience.givenUpAfterSeconds
  );
}
