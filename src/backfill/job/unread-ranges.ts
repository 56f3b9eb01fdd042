import type { TimeRange } from '../../domain/interval.ts';
import type { ItemKind } from '../../store/store.ts';
import { longestLagSeconds } from '../../tally/list-times.ts';
import { clip, union } from '../../tally/maintenance-tally.ts';
import type { BackfillRequest } from './documents.ts';
import type { FirstSeen } from './first-seen.ts';

/** Seconds between two tests of a check. */
const longestTestInterval = 3_600;

/** Whether reports have all of an item's range, do not have it yet, or the item was removed. */
export type Readiness = 'open' | 'waiting' | 'gone';

/** The part of the past that a request reads of each item, and from when reports have all of it. */
export class UnreadRanges {
  readonly #firstSeen: FirstSeen;
  readonly #nowSeconds: () => number;

  /** `nowSeconds` returns UNIX seconds of the service's clock. */
  constructor(firstSeen: FirstSeen, nowSeconds: () => number) {
    this.#firstSeen = firstSeen;
    this.#nowSeconds = nowSeconds;
  }

  /**
   * The part of a request's range to read of an item: what lies before its first sight, and up to
   * the end of what was given up since; undefined if there is none. If the service does not report
   * when the item was created, it begins with the range.
   */
  of(kind: ItemKind, id: number, request: BackfillRequest): TimeRange | undefined {
    const { entry, totals } = this.#firstSeen.itemsOf(kind).get(id) ?? {};
    const seen = this.#firstSeen.get(kind, id);
    if (entry === undefined || seen === undefined) return undefined;
    const fromSeconds = Math.max(request.fromSeconds, entry.createdAtSeconds ?? 0);
    const until = request.toSeconds ?? Number.POSITIVE_INFINITY;
    const beforeFirstSight = { fromSeconds: Number.NEGATIVE_INFINITY, toSeconds: seen.atSeconds };
    const unread = union(
      clip([beforeFirstSight, ...(totals?.log?.givenUp ?? [])], fromSeconds, until),
    );
    const [first, last] = [unread.at(0), unread.at(-1)];
    return first && last && { fromSeconds: first.fromSeconds, toSeconds: last.toSeconds };
  }

  /**
   * The reports up to a time are complete when two others have passed: the lag of reports behind
   * lists, and the next test, which completes the last hour of response times.
   */
  readiness(kind: ItemKind, id: number, request: BackfillRequest): Readiness {
    const record = this.#firstSeen.itemsOf(kind).get(id);
    const endSeconds = this.#endOf(kind, id, request);
    if (record === undefined || endSeconds === undefined) return 'gone';
    const isSettled = record.totals.states.horizonSeconds > endSeconds;
    const isPast = this.#nowSeconds() - lagOf(request) >= endSeconds;
    return isSettled && isPast ? 'open' : 'waiting';
  }

  /** When a waiting item can be read in UNIX seconds, provided that it is tested on time. */
  readyAtSeconds(kind: ItemKind, id: number, request: BackfillRequest): number {
    const endSeconds = this.#endOf(kind, id, request) ?? 0;
    const { horizonSeconds = 0, resolutionSeconds = 0 } =
      this.#firstSeen.itemsOf(kind).get(id)?.totals.states ?? {};
    return Math.max(endSeconds + lagOf(request), horizonSeconds + resolutionSeconds);
  }

  /** The first sight of an item, or the end of what is read of it, if that is later. */
  #endOf(kind: ItemKind, id: number, request: BackfillRequest): number | undefined {
    const seen = this.#firstSeen.get(kind, id);
    if (seen === undefined) return undefined;
    return Math.max(seen.atSeconds, this.of(kind, id, request)?.toSeconds ?? 0);
  }
}

function lagOf({ responseTimes }: BackfillRequest): number {
  return longestLagSeconds + (responseTimes ? longestTestInterval : 0);
}
