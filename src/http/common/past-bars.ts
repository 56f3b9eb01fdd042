import { type TalliedState, type TimeRange, talliedStates } from '../../domain/interval.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { spansSince } from '../../slo/state-log.ts';
import { beginningOf } from './beginnings.ts';
import { formatRatio } from './format.tsx';
import { type Item, isStale, itemPastOf, itemStatesOf } from './items.ts';
import { availabilityOfBudget, type ShownRange, shownRangeSeconds } from './shown-range.ts';

/** The number of bars of a strip. A bar is half an hour, six hours or a day. */
const barCounts: { readonly [W in ShownRange]: number } = { '24h': 48, '7d': 28, '30d': 30 };

/** The states of a part of a range. The seconds add up to less than it if some are not known. */
export interface PastBar extends TimeRange, BarSeconds {}

interface BarSeconds {
  /** Outside maintenance, as in error ratios. */
  readonly seconds: { [S in TalliedState]: number };
  readonly maintenance: MaintenanceSeconds;
  /**
   * Time of items that existed of which nothing is known: before the counted time and, while their
   * list is too old, after it.
   */
  notKnown: number;
}

interface MaintenanceSeconds {
  /** In any known state. */
  known: number;
  down: number;
}

/** Divides the range up to now into bars of equal length, oldest first. */
export function pastBars(item: Item, range: ShownRange, nowSeconds: number): PastBar[] {
  const bars = emptyBars(range, nowSeconds);
  addToBars(bars, item, nowSeconds);
  return bars;
}

/** Bars of a range up to now in which nothing is known. */
export function emptyBars(range: ShownRange, nowSeconds: number): PastBar[] {
  const count = barCounts[range];
  const length = shownRangeSeconds[range] / count;
  const start = nowSeconds - count * length;
  return Array.from({ length: count }, (_, place) => ({
    fromSeconds: start + place * length,
    toSeconds: start + (place + 1) * length,
    seconds: { up: 0, down: 0, unknown: 0, unmonitored: 0 },
    maintenance: { known: 0, down: 0 },
    notKnown: 0,
  }));
}

/** Adds the known states of an item to bars, each of which begins where the one before it ends. */
export function addToBars(bars: readonly PastBar[], item: Item, nowSeconds: number): void {
  const { fromSeconds: start = 0 } = bars[0] ?? {};
  const occurrences = itemPastOf(item)?.maintenance ?? [];
  const counted = [...stretchesOf(item, start)];
  const life = lifeToCount(item, nowSeconds);
  for (const bar of bars) bar.notKnown += overlap(life, bar);
  for (const [place, stretch] of [...counted, ...sinceCounted(item, nowSeconds)].entries()) {
    const whole = stretch.toSeconds - stretch.fromSeconds;
    for (const bar of bars) {
      if (bar.fromSeconds >= stretch.toSeconds) break;
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
      if (place < counted.length) bar.notKnown -= overlap(life, { fromSeconds, toSeconds });
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
 * The time of which nothing is known where it is not counted: from the creation of an item, if that is
 * known, up to the counted time, and from there on if its list is too old.
 */
function lifeToCount(item: Item, nowSeconds: number): readonly TimeRange[] {
  const horizonSeconds = itemStatesOf(item)?.known.states.horizonSeconds;
  if (horizonSeconds === undefined) return [];
  const { createdAtSeconds: fromSeconds } = item;
  return [
    ...(fromSeconds === undefined ? [] : [{ fromSeconds, toSeconds: horizonSeconds }]),
    ...(isStale(item) ? [{ fromSeconds: horizonSeconds, toSeconds: nowSeconds }] : []),
  ];
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
  return availabilityOfBudget(item.budget, range);
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

/** The time at which the figures of an item end, if it is not about now: its list may be too old. */
export function figuresUntil(item: Item): number | undefined {
  const counted = isStale(item) ? itemStatesOf(item)?.known.states.horizonSeconds : undefined;
  return uncountedFrom(item) ?? counted;
}

/** The availability; undefined while it lacks the last outage, which is shown beside it. */
export function wholeAvailabilityIn(
  item: Item,
  range: ShownRange,
  nowSeconds: number,
): number | undefined {
  return uncountedFrom(item) === undefined ? availabilityIn(item, range, nowSeconds) : undefined;
}

/** How high a part of a bar is. Only what is above a heavy part is raised. */
export type BarDegree = 'slight' | 'partial' | 'heavy' | 'raised' | 'whole';

/** Each degree applies below this share; from the last on, the part is `whole`. */
type Degrees = readonly (readonly [degree: BarDegree, below: number])[];

/** Of the time of a bar. */
const ofTime: Degrees = [
  ['slight', 0.05],
  ['partial', 0.25],
  ['heavy', 0.9],
];
/** Of the error budget of the time of a bar. */
const ofBudget: Degrees = [
  ['slight', 0.25],
  ['partial', 1],
  ['heavy', 10],
];

/** What was neither up nor paused. `excused` was down in maintenance. */
interface BarPart {
  readonly shows: 'down' | 'excused' | 'unknown';
  readonly degree: BarDegree;
}

/** A bar that is all of one kind, or its parts, the worst first, each higher than the one before. */
export type BarLook = 'up' | 'paused' | 'none' | readonly BarPart[];

/**
 * The look of a bar. Downtime is measured by the time, or in a group, of which one check is a small
 * part, by the share of time that may be down.
 */
export function barLook(bar: PastBar, permitted?: number): BarLook {
  const { up, down, excused, unknown, unmonitored, inMaintenance } = shownSeconds(bar);
  const tested = up + down + unknown + inMaintenance;
  if (down === 0 && excused === 0) {
    if (tested + unmonitored === 0 || isLittleKnown(bar)) return 'none';
    if (unmonitored > up && unmonitored > unknown) return 'paused';
    if (unknown === 0) return 'up';
  }
  const parts: BarPart[] = [];
  let sum = 0;
  for (const [shows, seconds] of Object.entries({ down, excused, unknown })) {
    if (seconds === 0) continue;
    sum += seconds;
    const before = parts.at(-1)?.degree;
    if (before === 'whole') break;
    const degree =
      shows === 'down' && permitted !== undefined
        ? degreeOf(down / (up + down) / permitted, ofBudget)
        : degreeOf(sum / tested, ofTime);
    parts.push({ shows: shows as BarPart['shows'], degree: above(before, degree) });
  }
  return parts;
}

function degreeOf(share: number, degrees: Degrees): BarDegree {
  return degrees.find(([, below]) => share < below)?.[0] ?? 'whole';
}

const inOrder: readonly BarDegree[] = ['slight', 'partial', 'heavy', 'raised', 'whole'];

/** The degree, or the next one above another part, so that both are seen. */
function above(before: BarDegree | undefined, degree: BarDegree): BarDegree {
  const least = before === undefined ? 0 : inOrder.indexOf(before) + 1;
  return inOrder[Math.max(least, inOrder.indexOf(degree))] ?? 'whole';
}

/** The seconds as pictures, texts and tables show them: less than one of what failed is none. */
export function shownSeconds({ seconds, maintenance, notKnown }: BarSeconds) {
  const shown = (value: number) => (value < 1 ? 0 : value);
  return {
    ...seconds,
    down: shown(seconds.down),
    unknown: shown(seconds.unknown),
    excused: shown(maintenance.down),
    inMaintenance: maintenance.known,
    notKnown: shown(notKnown),
  };
}

/** Returns the seconds of all bars together. */
export function sumBars(bars: readonly PastBar[]): BarSeconds {
  const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  const maintenance = { known: 0, down: 0 };
  let notKnown = 0;
  for (const bar of bars) {
    notKnown += bar.notKnown;
    for (const state of talliedStates) seconds[state] += bar.seconds[state];
    maintenance.known += bar.maintenance.known;
    maintenance.down += bar.maintenance.down;
  }
  return { seconds, maintenance, notKnown };
}

const lookWords = { up: 'up', paused: 'not monitored', none: 'not known yet' } as const;

/** Returns the states of a bar in words. */
export function describeBar(bar: PastBar): string {
  const look = barLook(bar);
  if (!isLittleKnown(bar) || knownSeconds(bar) === 0) {
    return typeof look === 'string' ? lookWords[look] : lapsesOf(bar).join(', ');
  }
  const rest = `${humanizeDuration(bar.notKnown)} not known yet`;
  return [...(typeof look === 'string' ? ['no failure known'] : lapsesOf(bar)), rest].join(', ');
}

/** Returns the states of a strip in words, with the availability that is shown beside it. */
export function describeBars(bars: readonly PastBar[], availability: number | undefined): string {
  const sum = sumBars(bars);
  const { up, down, unmonitored } = sum.seconds;
  const seconds = knownSeconds(sum);
  if (seconds === 0) return 'not known yet';
  const range = (bars.at(-1)?.toSeconds ?? 0) - (bars[0]?.fromSeconds ?? 0);
  const whole = Math.max(range, seconds + sum.notKnown);
  const excused = shownSeconds(sum).excused > 0 ? ' outside maintenance' : '';
  const parts = [
    ...(availability === undefined ? [] : [`${formatRatio(availability)} up${excused}`]),
    ...(up + down === 0 && unmonitored > 0 ? ['not monitored'] : []),
    ...lapsesOf(sum),
  ];
  const words = parts.length === 0 ? 'no failure' : parts.join(', ');
  if (seconds >= whole * leastKnown) return words;
  // Of several items, the time is added up: 30 days of it may be a small part of the range.
  return whole > range + 1
    ? `${words}, in the ${Math.floor((100 * seconds) / whole)} % of the time that is known`
    : `${words}, of the ${humanizeDuration(seconds)} that are known`;
}

function knownSeconds({ seconds, maintenance }: BarSeconds): number {
  return talliedStates.reduce((sum, state) => sum + seconds[state], maintenance.known);
}

function lapsesOf(bar: BarSeconds): string[] {
  const { down, excused, unknown } = shownSeconds(bar);
  return [
    ...(down > 0 ? [`down ${humanizeDuration(down)}`] : []),
    ...(excused > 0 ? [`down ${humanizeDuration(excused)} in maintenance`] : []),
    ...(unknown > 0 ? [`unknown ${humanizeDuration(unknown)}`] : []),
  ];
}

/** If less than this share of a range is known, it does not count as up, and the text names the known part. */
const leastKnown = 0.9;

/** Whether too little of a bar is known for a ratio. */
export function isLittleKnown(bar: BarSeconds): boolean {
  const known = knownSeconds(bar);
  return known < leastKnown * (known + bar.notKnown);
}
