import type { StateSpan, TimeRange } from '../domain/interval.ts';
import { historySeconds, isBeginning, type KnownStates, spansOf } from './state-history.ts';

/** The states of a check or a transaction, and the time that they cover. UNIX seconds by the service's clock. */
export interface ItemStates {
  readonly known: KnownStates;
  readonly createdAtSeconds?: number | undefined;
  /** The last closed outage of the list. */
  readonly lastListed?: TimeRange | undefined;
  /** The list shows it as up, perhaps before the end of its last outage is known. */
  readonly isListedUp?: boolean;
  /** Since when it has been down, as the list tells it. */
  readonly downSinceSeconds?: number | undefined;
  /** Where its windows end: the state of its last test holds until the next one is due. */
  readonly endSeconds: number;
}

/** The sums of an outage report over a period. */
export interface ReportedSeconds {
  /** Seconds of "up" entries. Unknown and unmonitored time counts neither as up nor as down. */
  readonly up: number;
  readonly down: number;
  /** The number of "down" entries; absent when changes were folded into sums by the hour, which have no count. */
  readonly outages?: number;
}

/**
 * The states of the period, oldest first, as an outage report (API 3.1, section 2.9) would cut them: clipped to the
 * period and to the known states. Folded hours are omitted.
 */
export function statesWithin(
  { known: { states, history }, endSeconds }: ItemStates,
  { fromSeconds, toSeconds }: TimeRange,
): StateSpan[] {
  const { horizonSeconds } = states;
  const changes = history?.changes ?? [{ state: 'up' as const, fromSeconds }];
  const tail = { state: states.state, fromSeconds: horizonSeconds, toSeconds: endSeconds };
  const within: StateSpan[] = [];
  for (const span of [...spansOf(changes, horizonSeconds), tail]) {
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
  /** It began at `fromSeconds`. False when it began earlier. */
  readonly isExact: boolean;
  /** Down at the end of the known states. */
  readonly isOngoing: boolean;
  /** It is over, and its end is not known yet: later than `toSeconds`. */
  readonly endsLater?: true;
}

/** The whole outages that overlap the period, oldest first. Outages in folded hours are not known. */
export function outagesWithin(
  item: ItemStates,
  { fromSeconds, toSeconds }: TimeRange,
): readonly DownSpan[] {
  return knownOutages(item).filter(
    (span) => span.toSeconds > fromSeconds && span.fromSeconds < toSeconds,
  );
}

/**
 * All outages that are known, oldest first. The last one of the list comes before the states that are known; the one that the list
 * shows as open counts until the states have it.
 */
export function knownOutages(item: ItemStates): readonly DownSpan[] {
  const counted = countedOutages(item);
  const { endSeconds, downSinceSeconds: since = endSeconds } = item;
  if (since >= endSeconds || counted.some(({ toSeconds }) => toSeconds > since)) return counted;
  const open = { fromSeconds: since, toSeconds: endSeconds, isExact: true, isOngoing: true };
  return [...counted, open];
}

function countedOutages(item: ItemStates): readonly DownSpan[] {
  const { known, lastListed } = item;
  const everFailed = known.history !== undefined || known.states.state === 'down';
  const counted = everFailed ? downSpans(item) : [];
  if (lastListed === undefined) return counted;
  const listed: DownSpan = { ...lastListed, isExact: true, isOngoing: false };
  if (isListedFirst(item)) return [...counted.filter((span) => !isCut(span, lastListed)), listed];
  return everFailed && isUnread(known, lastListed) ? [listed, ...counted] : counted;
}

/** The list shows an outage and its end before the states are counted up to it. */
export function isListedFirst({ known, lastListed }: ItemStates): boolean {
  return lastListed !== undefined && lastListed.toSeconds > known.states.horizonSeconds;
}

/** Returns whether this is the listed outage as far as it is counted. */
function isCut({ fromSeconds, isOngoing, endsLater }: DownSpan, listed: TimeRange): boolean {
  return (isOngoing || endsLater === true) && listed.fromSeconds <= fromSeconds;
}

function downSpans(item: ItemStates): readonly DownSpan[] {
  const { known, endSeconds, isListedUp = false } = item;
  const { horizonSeconds } = known.states;
  const all = { fromSeconds: Number.NEGATIVE_INFINITY, toSeconds: endSeconds };
  return statesWithin(item, all).flatMap((span) => {
    if (span.state !== 'down') return [];
    const { fromSeconds } = span;
    const isLast = span.toSeconds === endSeconds && known.states.state === 'down';
    const isExact = known.history === undefined || isBeginning(known.history, fromSeconds);
    if (!isLast || !isListedUp) {
      return [{ fromSeconds, toSeconds: span.toSeconds, isExact, isOngoing: isLast }];
    }
    const toSeconds = Math.min(endSeconds, Math.max(fromSeconds, horizonSeconds));
    return [{ fromSeconds, toSeconds, isExact, isOngoing: false, endsLater: true }];
  });
}

/** Returns whether the outage ended before the known states, within the time for which states are kept. */
function isUnread(
  { states, history }: KnownStates,
  { fromSeconds, toSeconds }: TimeRange,
): boolean {
  const first = history?.changes[0]?.fromSeconds ?? states.horizonSeconds;
  const begin = Math.min(history?.knownFromSeconds ?? first, first);
  return toSeconds <= begin && fromSeconds > states.horizonSeconds - historySeconds;
}

/**
 * The sums of an outage report over the last `periodSeconds`, maintenance included, as the service counts;
 * undefined while not every second since the item was created is known.
 */
export function reportedSeconds(
  item: ItemStates,
  periodSeconds: number,
): ReportedSeconds | undefined {
  const { known, createdAtSeconds = 0, endSeconds } = item;
  const fromSeconds = Math.max(createdAtSeconds, endSeconds - periodSeconds);
  if (fromSeconds < (known.history?.knownFromSeconds ?? fromSeconds)) return undefined;
  let [up, down, outages] = [0, 0, 0];
  for (const span of statesWithin(item, { fromSeconds, toSeconds: endSeconds })) {
    const seconds = span.toSeconds - span.fromSeconds;
    if (span.state === 'up') up += seconds;
    if (span.state !== 'down') continue;
    down += seconds;
    outages += 1;
  }
  let isFolded = false;
  for (const hour of known.history?.hours ?? []) {
    const kept = hour.toSeconds - Math.max(hour.fromSeconds, fromSeconds);
    if (kept <= 0) continue;
    isFolded = true;
    // The states of the hour in which the period begins are assumed to be spread evenly.
    const share = kept / (hour.toSeconds - hour.fromSeconds);
    up += hour.seconds.up * share;
    down += hour.seconds.down * share;
  }
  return isFolded ? { up, down } : { up, down, outages };
}
