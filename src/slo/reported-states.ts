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
  /** The open outage that the list shows, which may be newer than the counted states. */
  readonly listedOpen?: KnownOutage | undefined;
  /** The time of the list, if it is known. */
  readonly listedAtSeconds?: number | undefined;
  /** The end of the item's ranges. The state of its last test lasts until the next test is due. */
  readonly endSeconds: number;
}

/** Uninterrupted time down. UNIX seconds. */
export interface KnownOutage {
  readonly fromSeconds: number;
  /** It began at an unknown time before `fromSeconds`, because earlier states are not known. */
  readonly beganBefore?: true;
  /** Absent while it is ongoing. */
  readonly toSeconds?: number;
  /** The outage has ended, at `toSeconds` or later. The end is not known yet. */
  readonly endsLater?: true;
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

/**
 * All outages that overlap the period, unclipped, oldest first, except in folded hours. An open
 * outage lasts until now.
 */
export function outagesWithin(
  item: ItemStates,
  { fromSeconds, toSeconds }: TimeRange,
  nowSeconds: number,
): readonly KnownOutage[] {
  return knownOutages(item).filter((outage) => {
    const end = outage.toSeconds ?? Math.max(knownUntil(item, outage), nowSeconds);
    return end > fromSeconds && outage.fromSeconds < toSeconds;
  });
}

/** The end of an outage, or the time up to which an ongoing one is known. */
export function knownUntil(
  { endSeconds, listedOpen, listedAtSeconds = 0 }: ItemStates,
  { fromSeconds, toSeconds }: KnownOutage,
): number {
  const listedUntil = listedOpen === undefined ? 0 : listedAtSeconds;
  return toSeconds ?? Math.max(fromSeconds, endSeconds, listedUntil);
}

/**
 * All known outages, oldest first. The last closed outage of the list is added if the counted
 * states do not have it. The open outage of the list is added until the states include it.
 */
export function knownOutages(item: ItemStates): readonly KnownOutage[] {
  const counted = countedOutages(item);
  const { listedOpen } = item;
  if (listedOpen === undefined) return counted;
  const { fromSeconds, beganBefore } = listedOpen;
  const last = counted.at(-1);
  if (last !== undefined && isOpen(last, item.known.states.horizonSeconds, fromSeconds)) {
    // The list has the start of an outage that began before the known states.
    const isEarlier = !beganBefore && last.beganBefore && fromSeconds <= last.fromSeconds;
    const { toSeconds: _, ...open } = last;
    return [...counted.slice(0, -1), isEarlier ? listedOpen : open];
  }
  const isCounted = counted.some(({ toSeconds = 0 }) => toSeconds > fromSeconds);
  return isCounted ? counted : [...counted, listedOpen];
}

/**
 * Whether the last counted outage is the one that the list shows as open: nothing is counted after
 * it. At first sight, its last seconds are counted in a state that no test had confirmed yet.
 */
function isOpen(
  { toSeconds }: KnownOutage,
  horizonSeconds: number,
  listedFromSeconds: number,
): boolean {
  if (toSeconds === undefined) return true;
  return toSeconds >= horizonSeconds && toSeconds > listedFromSeconds;
}

function countedOutages(item: ItemStates): readonly KnownOutage[] {
  const { known, lastListed } = item;
  const everFailed = known.log !== undefined || known.states.state === 'down';
  const counted = everFailed ? outagesInLog(item) : [];
  if (lastListed === undefined) return counted;
  // One start is one outage. The listed end may be a good test after a pause, so the counted end is
  // right.
  const isCounted = counted.some(
    (outage) => outage.fromSeconds === lastListed.fromSeconds && !isCut(outage, lastListed),
  );
  if (isCounted) return counted;
  if (isListedFirst(item)) {
    return [...counted.filter((outage) => !isCut(outage, lastListed)), lastListed];
  }
  return everFailed && isUnread(known, lastListed) ? [lastListed, ...counted] : counted;
}

/** Whether the list shows the end of an outage that is not counted yet. */
function isListedFirst({ known, lastListed }: ItemStates): boolean {
  return lastListed !== undefined && lastListed.toSeconds > known.states.horizonSeconds;
}

/** Returns whether this is the counted part of the listed outage. */
function isCut({ fromSeconds, toSeconds, endsLater }: KnownOutage, listed: TimeRange): boolean {
  return (toSeconds === undefined || endsLater === true) && listed.fromSeconds <= fromSeconds;
}

function outagesInLog(item: ItemStates): readonly KnownOutage[] {
  const { known, endSeconds, isListedOver = false, listedOpen } = item;
  const { horizonSeconds } = known.states;
  const isNext = !listedOpen?.beganBefore && (listedOpen?.fromSeconds ?? 0) > horizonSeconds;
  const isOver = isListedOver || isNext;
  const all = { fromSeconds: 0, toSeconds: endSeconds };
  return statesWithin(item, all).flatMap((span) => {
    if (span.state !== 'down') return [];
    const { fromSeconds } = span;
    const isLast = span.toSeconds === endSeconds && known.states.state === 'down';
    const isExact = known.log === undefined || isBeginning(known.log, fromSeconds);
    const begin = isExact ? { fromSeconds } : { fromSeconds, beganBefore: true as const };
    if (!isLast) return [{ ...begin, toSeconds: span.toSeconds }];
    if (!isOver) return [begin];
    const toSeconds = Math.min(endSeconds, Math.max(fromSeconds, horizonSeconds));
    return [{ ...begin, toSeconds, endsLater: true }];
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
