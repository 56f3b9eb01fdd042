import { type TalliedState, type TimeRange, talliedStates } from '../../domain/interval.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { spansSince } from '../../slo/state-log.ts';
import { beginningOf } from '../beginnings.ts';
import {
  type Item,
  isStale,
  itemPastOf,
  itemStatesOf,
  type ShownRange,
  shownAvailability,
  shownRangeSeconds,
} from '../items.ts';
import { formatRatio } from './format.tsx';

/** The number of bars of a strip. A bar is half an hour, six hours or a day. */
const barCounts: { readonly [W in ShownRange]: number } = { '24h': 48, '7d': 28, '30d': 30 };

/** The states of a part of a range. The seconds add up to less than it if some are not known. */
export interface PastBar extends TimeRange {
  /** Outside maintenance, as in error ratios. */
  readonly seconds: { [S in TalliedState]: number };
  readonly maintenance: MaintenanceSeconds;
}

interface MaintenanceSeconds {
  /** In any known state. */
  known: number;
  down: number;
}

/** Divides the range up to now into bars of equal length, oldest first. */
export function pastBars(item: Item, window: ShownRange, nowSeconds: number): PastBar[] {
  const bars = emptyBars(window, nowSeconds);
  addToBars(bars, item, nowSeconds);
  return bars;
}

/** Bars of a range up to now in which nothing is known. */
export function emptyBars(window: ShownRange, nowSeconds: number): PastBar[] {
  const count = barCounts[window];
  const length = shownRangeSeconds[window] / count;
  const start = nowSeconds - count * length;
  return Array.from({ length: count }, (_, place) => ({
    fromSeconds: start + place * length,
    toSeconds: start + (place + 1) * length,
    seconds: { up: 0, down: 0, unknown: 0, unmonitored: 0 },
    maintenance: { known: 0, down: 0 },
  }));
}

/** Adds the known states of an item to bars of equal length. */
export function addToBars(bars: readonly PastBar[], item: Item, nowSeconds: number): void {
  const { fromSeconds: start = 0, toSeconds: firstEnd = 0 } = bars[0] ?? {};
  const length = firstEnd - start;
  const occurrences = itemPastOf(item)?.maintenance ?? [];
  for (const stretch of [...stretchesOf(item, start), ...sinceCounted(item, nowSeconds)]) {
    const whole = stretch.toSeconds - stretch.fromSeconds;
    const first = Math.max(0, Math.floor((stretch.fromSeconds - start) / length));
    for (let place = first; place < bars.length; place++) {
      const bar = bars[place];
      if (bar === undefined || bar.fromSeconds >= stretch.toSeconds) break;
      const fromSeconds = Math.max(bar.fromSeconds, stretch.fromSeconds);
      const toSeconds = Math.min(bar.toSeconds, stretch.toSeconds);
      if (fromSeconds >= toSeconds) continue;
      const inside = overlap(occurrences, { fromSeconds, toSeconds });
      const outside = toSeconds - fromSeconds - inside;
      for (const state of talliedStates) {
        bar.seconds[state] += (stretch.seconds[state] * outside) / whole;
        bar.maintenance.known += (stretch.seconds[state] * inside) / whole;
      }
      bar.maintenance.down += (stretch.seconds.down * inside) / whole;
    }
  }
}

/** The seconds of a range that lie inside the occurrences, which do not overlap. */
function overlap(occurrences: readonly TimeRange[], range: TimeRange): number {
  return occurrences.reduce((sum, { fromSeconds, toSeconds }) => {
    const from = Math.max(fromSeconds, range.fromSeconds);
    return sum + Math.max(0, Math.min(toSeconds, range.toSeconds) - from);
  }, 0);
}

type Stretch = Pick<PastBar, 'fromSeconds' | 'toSeconds' | 'seconds'>;

/** Yields the known states up to the counted time. Without a log, an item was up. */
function* stretchesOf(item: Item, startSeconds: number): Generator<Stretch> {
  const known = itemStatesOf(item)?.known;
  if (known === undefined) return;
  const created = item.createdAtSeconds ?? 0;
  yield* known.log?.hours ?? [];
  for (const { state, fromSeconds, toSeconds } of spansSince(
    known,
    Math.max(created, startSeconds),
  )) {
    yield stretch(state, fromSeconds, toSeconds);
  }
}

/**
 * The time after the counted one: the state of the last test, which lasts until the next test is
 * due, then the state in the list, unless it is up, which only a test shows.
 */
function sinceCounted(item: Item, nowSeconds: number): Stretch[] {
  const states = itemStatesOf(item);
  if (states === undefined || isStale(item)) return [];
  const { horizonSeconds, state } = states.known.states;
  const listed = listedState[item.state];
  const isOver = listed !== undefined && listed !== state;
  const counted = isOver ? horizonSeconds : states.endSeconds;
  const began = item.state === 'down' ? (beginningOf(item)?.atSeconds ?? counted) : counted;
  const from = Math.max(began, counted);
  return [
    stretch(state, horizonSeconds, Math.min(nowSeconds, counted)),
    ...(listed === undefined ? [] : [stretch(listed, from, nowSeconds)]),
  ].filter(({ fromSeconds, toSeconds }) => fromSeconds < toSeconds);
}

const listedState: { readonly [S in Item['state']]?: TalliedState } = {
  down: 'down',
  unknown: 'unknown',
  paused: 'unmonitored',
};

function stretch(state: TalliedState, fromSeconds: number, toSeconds: number): Stretch {
  const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  seconds[state] = toSeconds - fromSeconds;
  return { fromSeconds, toSeconds, seconds };
}

/** Returns the share of a range up; undefined if unknown or not monitored. */
export function availabilityIn(
  item: Item,
  range: ShownRange,
  nowSeconds: number,
): number | undefined {
  const { seconds } = sumBars(pastBars(item, range, nowSeconds));
  const { up, down, unknown, unmonitored } = seconds;
  if (unmonitored > 0 && up + down + unknown < 1) return undefined;
  return shownAvailability(item.budget, range);
}

/**
 * The time up to which an item is counted, if its last outage is not counted yet: its availability
 * and its error budget end there. Undefined if they include every known outage, as they do from the
 * first second of an outage that began with the last counted test.
 */
export function uncountedFrom(item: Item): number | undefined {
  const states = itemStatesOf(item);
  const [last] = itemPastOf(item)?.outages ?? [];
  if (states === undefined || last === undefined) return undefined;
  const { horizonSeconds, state } = states.known.states;
  const isLastTest = state === 'down' && states.endSeconds > horizonSeconds;
  const isIncluded =
    last.fromSeconds < horizonSeconds || (isLastTest && last.fromSeconds === horizonSeconds);
  return isIncluded ? undefined : horizonSeconds;
}

/** Each degree applies below this share of a bar's time. */
const degrees = [
  ['slight', 0.05],
  ['partial', 0.25],
  ['heavy', 0.9],
] as const;

export type BarDegree = (typeof degrees)[number][0] | 'whole';

/**
 * The worst state in a bar, and how much of it if the rest was up. `excused` was down in
 * maintenance.
 */
export type BarLook =
  | { readonly shows: 'up' | 'paused' | 'none'; readonly degree?: undefined }
  | { readonly shows: 'down' | 'excused' | 'unknown'; readonly degree: BarDegree };

export function barLook({ seconds, maintenance }: PastBar): BarLook {
  const { up, down, unknown, unmonitored } = seconds;
  const known = knownSeconds({ seconds, maintenance });
  if (down > 0) return { shows: 'down', degree: degreeOf(down / (up + down)) };
  if (maintenance.down >= 1) {
    return { shows: 'excused', degree: degreeOf(maintenance.down / known) };
  }
  if (known === 0) return { shows: 'none' };
  if (unmonitored > up && unmonitored > unknown) return { shows: 'paused' };
  if (unknown < 1 && unknown <= up) return { shows: 'up' };
  return { shows: 'unknown', degree: degreeOf(unknown / known) };
}

function degreeOf(share: number): BarDegree {
  return degrees.find(([, below]) => share < below)?.[0] ?? 'whole';
}

/** Returns the seconds of all bars together. */
export function sumBars(bars: readonly PastBar[]): Pick<PastBar, 'seconds' | 'maintenance'> {
  const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  const maintenance = { known: 0, down: 0 };
  for (const bar of bars) {
    for (const state of talliedStates) seconds[state] += bar.seconds[state];
    maintenance.known += bar.maintenance.known;
    maintenance.down += bar.maintenance.down;
  }
  return { seconds, maintenance };
}

/** Returns the states of a bar in words. */
export function describeBar(bar: PastBar): string {
  const { up, unmonitored } = bar.seconds;
  if (knownSeconds(bar) === 0) return 'not known yet';
  const parts = lapsesOf(bar);
  if (parts.length > 0) return parts.join(', ');
  return unmonitored > up ? 'not monitored' : 'up';
}

/** Returns the states of a strip in words, with the availability that is shown beside it. */
export function describeBars(bars: readonly PastBar[], availability: number | undefined): string {
  const sum = sumBars(bars);
  const { up, down, unmonitored } = sum.seconds;
  const known = knownSeconds(sum);
  if (known === 0) return 'not known yet';
  const whole = (bars.at(-1)?.toSeconds ?? 0) - (bars[0]?.fromSeconds ?? 0);
  const excused = sum.maintenance.down >= 1 ? ' outside maintenance' : '';
  const parts = [
    ...(availability === undefined ? [] : [`${formatRatio(availability)} up${excused}`]),
    ...(up + down === 0 && unmonitored > 0 ? ['not monitored'] : []),
    ...lapsesOf(sum),
  ];
  const words = parts.length === 0 ? 'no failure' : parts.join(', ');
  return known < whole * leastKnown
    ? `${words}, of the ${humanizeDuration(known)} that are known`
    : words;
}

function knownSeconds({ seconds, maintenance }: Pick<PastBar, 'seconds' | 'maintenance'>): number {
  return talliedStates.reduce((sum, state) => sum + seconds[state], maintenance.known);
}

function lapsesOf({ seconds, maintenance }: Pick<PastBar, 'seconds' | 'maintenance'>): string[] {
  const { down, unknown } = seconds;
  return [
    ...(down >= 1 ? [`down ${humanizeDuration(down)}`] : []),
    ...(maintenance.down >= 1 ? [`down ${humanizeDuration(maintenance.down)} in maintenance`] : []),
    ...(unknown >= 1 ? [`unknown ${humanizeDuration(unknown)}`] : []),
  ];
}

/** If less than this share of a range is known, the text names the known part. */
const leastKnown = 0.9;
