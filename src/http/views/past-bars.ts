import { type TimeRange, talliedStates } from '../../domain/interval.ts';
import type { SecondsByState } from '../../domain/totals.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { spansOf } from '../../slo/state-history.ts';
import { formatRatio } from './format.tsx';
import {
  type Item,
  itemPastOf,
  itemStatesOf,
  recentSpansOf,
  type ShownRange,
  shownAvailability,
  shownRangeSeconds,
} from './items.ts';

/** The number of bars of a strip. A bar is half an hour, six hours or a day. */
const barCounts: { readonly [W in ShownRange]: number } = { '24h': 48, '7d': 28, '30d': 30 };

/** The states of a part of a range. */
export interface PastBar extends TimeRange {
  /** The sum is less than the length of the bar if not all of it is known. */
  readonly seconds: SecondsByState;
}

/** Divides the range up to now into bars of equal length, oldest first. */
export function pastBars(item: Item, window: ShownRange, nowSeconds: number): PastBar[] {
  const count = barCounts[window];
  const length = shownRangeSeconds[window] / count;
  const start = nowSeconds - count * length;
  const bars = Array.from({ length: count }, (_, place) => ({
    fromSeconds: start + place * length,
    toSeconds: start + (place + 1) * length,
    seconds: { up: 0, down: 0, unknown: 0, unmonitored: 0 },
  }));
  for (const stretch of stretchesOf(item, start)) {
    const whole = stretch.toSeconds - stretch.fromSeconds;
    const first = Math.max(0, Math.floor((stretch.fromSeconds - start) / length));
    for (let place = first; place < count; place++) {
      const bar = bars[place];
      if (bar === undefined || bar.fromSeconds >= stretch.toSeconds) break;
      const common =
        Math.min(bar.toSeconds, stretch.toSeconds) - Math.max(bar.fromSeconds, stretch.fromSeconds);
      if (common <= 0) continue;
      for (const state of talliedStates) {
        bar.seconds[state] += (stretch.seconds[state] * common) / whole;
      }
    }
  }
  return bars;
}

/** Yields the known states up to the counted time. Without a history, an item was up. */
function* stretchesOf(item: Item, startSeconds: number): Generator<PastBar> {
  const horizonSeconds = recentSpansOf(item).at(-1)?.toSeconds;
  const past = itemPastOf(item);
  if (horizonSeconds === undefined || past === undefined) return;
  const { history } = past;
  const created = item.row.createdAtSeconds ?? 0;
  const changes = history?.changes ?? [
    { state: 'up' as const, fromSeconds: Math.max(created, startSeconds) },
  ];
  yield* history?.hours ?? [];
  for (const { state, fromSeconds, toSeconds } of spansOf(changes, horizonSeconds)) {
    if (toSeconds <= startSeconds || toSeconds <= fromSeconds) continue;
    const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
    seconds[state] = toSeconds - fromSeconds;
    yield { fromSeconds, toSeconds, seconds };
  }
}

/** Returns the share of a range up; undefined if unknown or not monitored. */
export function availabilityIn(
  item: Item,
  range: ShownRange,
  nowSeconds: number,
): number | undefined {
  const { up, down, unknown, unmonitored } = sumBars(pastBars(item, range, nowSeconds));
  if (unmonitored > 0 && up + down + unknown < 1) return undefined;
  return shownAvailability(item.row.budget, range);
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

/** The look of a bar. `slight`, `partial` and `heavy` are degrees of partly down. */
export type BarTone =
  | 'up'
  | 'slight'
  | 'partial'
  | 'heavy'
  | 'down'
  | 'unknown'
  | 'paused'
  | 'none';

/** Each degree applies below this share of the monitored time that was down. */
const degrees = [
  ['slight', 0.05],
  ['partial', 0.25],
  ['heavy', 0.9],
] as const satisfies readonly (readonly [BarTone, number])[];

export function barTone({ seconds }: PastBar): BarTone {
  const { up, down, unknown, unmonitored } = seconds;
  if (down > 0) {
    const share = down / (up + down);
    return degrees.find(([, below]) => share < below)?.[0] ?? 'down';
  }
  if (up + unknown + unmonitored === 0) return 'none';
  if (unmonitored > up && unmonitored > unknown) return 'paused';
  return unknown > up ? 'unknown' : 'up';
}

/** Returns the seconds by state of all bars together. */
export function sumBars(bars: readonly PastBar[]): SecondsByState {
  const sum = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  for (const { seconds } of bars) {
    for (const state of talliedStates) sum[state] += seconds[state];
  }
  return sum;
}

/** Returns the states of a bar in words. */
export function describeBar({ seconds }: PastBar): string {
  const { up, down, unknown, unmonitored } = seconds;
  if (up + down + unknown + unmonitored === 0) return 'not known yet';
  const parts = lapsesOf(seconds);
  if (parts.length > 0) return parts.join(', ');
  return unmonitored > up ? 'not monitored' : 'up';
}

/** Returns the states of a strip in words. */
export function describeBars(bars: readonly PastBar[]): string {
  const seconds = sumBars(bars);
  const { up, down, unknown, unmonitored } = seconds;
  const known = up + down + unknown + unmonitored;
  if (known === 0) return 'not known yet';
  const whole = (bars.at(-1)?.toSeconds ?? 0) - (bars[0]?.fromSeconds ?? 0);
  const parts = [
    up + down === 0 ? 'not monitored' : `${formatRatio(up / (up + down))} up`,
    ...lapsesOf(seconds),
    ...(known < whole * leastKnown ? [`of the ${humanizeDuration(known)} that are known`] : []),
  ];
  return parts.join(', ');
}

function lapsesOf({ down, unknown }: SecondsByState): string[] {
  return [
    ...(down >= 1 ? [`down ${humanizeDuration(down)}`] : []),
    ...(unknown >= 1 ? [`unknown ${humanizeDuration(unknown)}`] : []),
  ];
}

/** If less than this share of a range is known, the text names the known part. */
const leastKnown = 0.9;
