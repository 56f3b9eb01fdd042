import type { StateSpan, TimeRange } from '../domain/interval.ts';
import { placeAt } from '../lib/zoned-times.ts';
import type { HourSum } from '../slo/state-log.ts';
import { clip } from '../tally/maintenance-tally.ts';

/** Known seconds: in one state, or by state as a share of a folded hour. */
export type Piece = StateSpan | HourSum;

/** A day of a month on which not all known time was up. What is not known is not in it. */
export interface DaySum {
  /** Its place in the month, from 0. */
  readonly place: number;
  /** Seconds down outside maintenance. */
  readonly down: number;
  /** Known seconds that do not count: in maintenance, unknown or unmonitored. */
  readonly uncounted: number;
}

interface DayRanges {
  readonly pieces: readonly Piece[];
  /** What is known of the month. */
  readonly ranges: readonly TimeRange[];
  /** What of it is in maintenance. */
  readonly planned: readonly TimeRange[];
}

/** The days of which anything was not up. `begins` are those of all days of the month, in order. */
export function daySums(
  { pieces, ranges, planned }: DayRanges,
  begins: readonly number[],
): readonly DaySum[] {
  if (begins.length === 0) return [];
  const [down, uncounted] = [begins.map(() => 0), begins.map(() => 0)];
  for (const piece of pieces) {
    const isFolded = 'seconds' in piece;
    const share = (state: StateSpan['state']) =>
      isFolded
        ? (piece.seconds[state] ?? 0) / (piece.toSeconds - piece.fromSeconds)
        : Number(piece.state === state);
    const [upShare, downShare] = [share('up'), share('down')];
    if (upShare < 1) {
      spread(down, ranges, piece, downShare, begins);
      spread(uncounted, ranges, piece, share('unknown') + share('unmonitored'), begins);
    }
    if (planned.length === 0) continue;
    spread(down, planned, piece, -downShare, begins);
    spread(uncounted, planned, piece, upShare + downShare, begins);
  }
  return begins.flatMap((_, place) => {
    const day = {
      place,
      down: Math.round(down[place] ?? 0),
      uncounted: Math.round(uncounted[place] ?? 0),
    };
    return day.down > 0 || day.uncounted > 0 ? [day] : [];
  });
}

/** Adds a share of the seconds of a piece within these ranges to the days in which they are. */
function spread(
  sums: number[],
  ranges: readonly TimeRange[],
  piece: TimeRange,
  share: number,
  begins: readonly number[],
): void {
  if (share === 0) return;
  for (const range of clip(ranges, piece.fromSeconds, piece.toSeconds)) {
    addToDays(sums, begins, range, share);
  }
}

/** Adds a share of the seconds of a range to the days in which they are. */
export function addToDays(
  sums: number[],
  begins: readonly number[],
  { fromSeconds, toSeconds }: TimeRange,
  share: number,
): void {
  let place = placeAt(begins, fromSeconds);
  for (let at = fromSeconds; at < toSeconds; place += 1) {
    const end = Math.min(toSeconds, begins[place + 1] ?? toSeconds);
    sums[place] = (sums[place] ?? 0) + (end - at) * share;
    at = end;
  }
}

/** The days of two times that do not overlap, or the first without the second. */
export function addedDays(
  a: readonly DaySum[] = [],
  b: readonly DaySum[] = [],
  sign: 1 | -1 = 1,
): readonly DaySum[] {
  if (b.length === 0) return a;
  const days = new Map(a.map((day) => [day.place, day]));
  for (const { place, down, uncounted } of b) {
    const known = days.get(place) ?? { place, down: 0, uncounted: 0 };
    days.set(place, {
      place,
      down: Math.max(0, known.down + sign * down),
      uncounted: Math.max(0, known.uncounted + sign * uncounted),
    });
  }
  return [...days.values()]
    .filter(({ down, uncounted }) => down > 0 || uncounted > 0)
    .sort((one, other) => one.place - other.place);
}
