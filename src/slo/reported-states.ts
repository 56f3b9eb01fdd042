import type { StateSpan, TimeRange } from '../domain/interval.ts';
import { knownSinceSeconds } from './known-range.ts';
import { historySeconds, isBeginning, type KnownStates, spansUntil } from './state-log.ts';

/** The known states of an item, with the list's facts. UNIX seconds of the service's clock. */
export interface ItemStates {
  readonly known: KnownStates;
  readonly createdAtSeconds?: number | undefined;
  /** The last closed outage of the list. */
  readonly lastListed?: TimeRange | undefined;
  /** The list shows that no outage is open: the item is up or paused. */
  readonly isListedOver?: boolean;
  /** The open outage that the list shows; undefined if it shows none. */
  readonly listedOpen?: ListedOpen | undefined;
  /** The end of the item's ranges. The state of its last test lasts until the next test is due. */
  readonly endSeconds: number;
}

/** An outage that is open in the list, which may be newer than the counted states. */
export interface ListedOpen {
  readonly fromSeconds: number;
  /** True if it began at `fromSeconds`, false if it began earlier. */
  readonly isExact: boolean;
  /** The time of the list, if it is known. */
  readonly listedAtSeconds?: number | undefined;
}

/** The sums of an outage report over a period. */
export interface ReportedSeconds {
  /** Seconds of "up" entries. Unknown and unmonitored time is in neither `up` nor `down`. */
  readonly up: number;
  readonly down: number;
  /** The number of "down" entries; absent if some hours are stored only as sums. */
  readonly outages?: number;
}

/** The states of a period as in a report (API 3.1, section 2.9), except in folded hours. */
function statesWithin(
  { known, endSeconds }: ItemStates,
  { fromSeconds, toSeconds }: TimeRange,
): StateSpan[] {
  const within: StateSpan[] = [];
  for (const span of spansUntil(known, endSeconds, fromSeconds)) {
    const from = Math.max(span.fromSeconds, fromSeconds);
    const to = Math.min(span.toSeconds, toSeconds);
    if (from >= to) continue;
    const last = within.at(-1);
    if (last?.state === span.state) within[within.length - 1] = { ...last, toSeconds: to };
    else within.push({ state: span.state, fromSeconds: from, toSeconds: to });
  }
  return within;
}

/** Uninterrupted time down. UNIX seconds. */
export interface DownSpan extends TimeRange {
  /** True if it began at `fromSeconds`, false if it began earlier. */
  readonly isExact: boolean;
  /** True if the item is down at the end of the known states. */
  readonly isOngoing: boolean;
  /** The outage has ended, at `toSeconds` or later. The end is not known yet. */
  readonly endsLater?: true;
}

/**
 * All outages that overlap the period, unclipped, oldest first, except in folded hours. An open
 * outage lasts until now.
 */
export function outagesWithin(
  item: ItemStates,
  { fromSeconds, toSeconds }: TimeRange,
  nowSeconds: number,
): readonly DownSpan[] {
  return knownOutages(item).filter((span) => {
    const end = span.isOngoing ? Math.max(span.toSeconds, nowSeconds) : span.toSeconds;
    return end > fromSeconds && span.fromSeconds < toSeconds;
  });
}

/**
 * All known outages, oldest first. The last closed outage of the list is added if the counted
 * states do not have it. The open outage of the list is added until the states include it.
 */
export function knownOutages(item: ItemStates): readonly DownSpan[] {
  const counted = countedOutages(item);
  const { listedOpen, endSeconds } = item;
  if (listedOpen === undefined) return counted;
  const { fromSeconds, isExact, listedAtSeconds = 0 } = listedOpen;
  const last = counted.at(-1);
  if (last?.isOngoing) {
    // The list has the start of an outage that began before the known states.
    const isEarlier = isExact && !last.isExact && fromSeconds <= last.fromSeconds;
    return isEarlier ? [...counted.slice(0, -1), { ...last, fromSeconds, isExact }] : counted;
  }
  if (counted.some(({ toSeconds }) => toSeconds > fromSeconds)) return counted;
  const toSeconds = Math.max(fromSeconds, endSeconds, listedAtSeconds);
  return [...counted, { fromSeconds, toSeconds, isExact, isOngoing: true }];
}

function countedOutages(item: ItemStates): readonly DownSpan[] {
  const { known, lastListed } = item;
  const everFailed = known.log !== undefined || known.states.state === 'down';
  const counted = everFailed ? downSpans(item) : [];
  if (lastListed === undefined) return counted;
  // One start is one outage. The listed end may be a good test after a pause, so the counted end is
  // right.
  const isCounted = counted.some(
    (span) => span.fromSeconds === lastListed.fromSeconds && !isCut(span, lastListed),
  );
  if (isCounted) return counted;
  const listed: DownSpan = { ...lastListed, isExact: true, isOngoing: false };
  if (isListedFirst(item)) return [...counted.filter((span) => !isCut(span, lastListed)), listed];
  return everFailed && isUnread(known, lastListed) ? [listed, ...counted] : counted;
}

/** Whether the list shows the end of an outage that is not counted yet. */
export function isListedFirst({ known, lastListed }: ItemStates): boolean {
  return lastListed !== undefined && lastListed.toSeconds > known.states.horizonSeconds;
}

/** Returns whether this is the counted part of the listed outage. */
function isCut({ fromSeconds, isOngoing, endsLater }: DownSpan, listed: TimeRange): boolean {
  return (isOngoing || endsLater === true) && listed.fromSeconds <= fromSeconds;
}

function downSpans(item: ItemStates): readonly DownSpan[] {
  const { known, endSeconds, isListedOver = false, listedOpen } = item;
  const { horizonSeconds } = known.states;
  const isNext = listedOpen?.isExact === true && listedOpen.fromSeconds > horizonSeconds;
  const isOver = isListedOver || isNext;
  const all = { fromSeconds: 0, toSeconds: endSeconds };
  return statesWithin(item, all).flatMap((span) => {
    if (span.state !== 'down') return [];
    const { fromSeconds } = span;
    const isLast = span.toSeconds === endSeconds && known.states.state === 'down';
    const isExact = known.log === undefined || isBeginning(known.log, fromSeconds);
    if (!isLast || !isOver) {
      return [{ fromSeconds, toSeconds: span.toSeconds, isExact, isOngoing: isLast }];
    }
    const toSeconds = Math.min(endSeconds, Math.max(fromSeconds, horizonSeconds));
    return [{ fromSeconds, toSeconds, isExact, isOngoing: false, endsLater: true }];
  });
}

/** Whether the outage ended before the known states, but within the stored time. */
function isUnread({ states, log }: KnownStates, { fromSeconds, toSeconds }: TimeRange): boolean {
  const first = log?.changes.at(0)?.fromSeconds ?? states.horizonSeconds;
  const begin = Math.min(log?.knownFromSeconds ?? first, first);
  return toSeconds <= begin && fromSeconds > states.horizonSeconds - historySeconds;
}

/**
 * The sums of an outage report over the last `periodSeconds`, including maintenance, as in the
 * service's report. Undefined while any second since the item was created is unknown.
 */
export function reportedSeconds(
  item: ItemStates,
  periodSeconds: number,
): ReportedSeconds | undefined {
  const { known, createdAtSeconds = 0, endSeconds } = item;
  const fromSeconds = Math.max(createdAtSeconds, endSeconds - periodSeconds);
  if (fromSeconds < knownSinceSeconds(known)) return undefined;
  let [up, down, outages] = [0, 0, 0];
  for (const span of statesWithin(item, { fromSeconds, toSeconds: endSeconds })) {
    const seconds = span.toSeconds - span.fromSeconds;
    if (span.state === 'up') up += seconds;
    if (span.state !== 'down') continue;
    down += seconds;
    outages += 1;
  }
  let isFolded = false;
  for (const hour of known.log?.hours ?? []) {
    const kept = hour.toSeconds - Math.max(hour.fromSeconds, fromSeconds);
    if (kept <= 0) continue;
    isFolded = true;
    // The states of an hour that began before the period are assumed to be spread evenly over it.
    const share = kept / (hour.toSeconds - hour.fromSeconds);
    up += hour.seconds.up * share;
    down += hour.seconds.down * share;
  }
  return isFolded ? { up, down } : { up, down, outages };
}
