import type { TimeRange } from '../domain/interval.ts';
import { union } from '../tally/maintenance-tally.ts';
import { type KnownStates, spansUntil } from './state-log.ts';

const minute = 60;
const hour = 3_600;
const day = 24 * hour;

/** The ranges of error ratios, shortest first. Ranges may be added, but none may be removed. */
export const rangeLengths = {
  '5m': 5 * minute,
  '30m': 30 * minute,
  '1h': hour,
  '2h': 2 * hour,
  '6h': 6 * hour,
  '1d': day,
  '3d': 3 * day,
  '7d': 7 * day,
  '30d': 30 * day,
} as const;
export type ErrorRange = keyof typeof rangeLengths;
export const errorRanges = Object.keys(rangeLengths) as readonly ErrorRange[];
export const errorBudgetRange = '30d' satisfies ErrorRange;

/** Seconds up and down outside maintenance. Unknown and unmonitored time is not included. */
export interface CountedSeconds {
  readonly up: number;
  readonly down: number;
}

/** Seconds by range. A range with unknown seconds is absent. */
export type SecondsByRange = { readonly [W in ErrorRange]?: CountedSeconds };

/** The data of an item from which its ranges are computed. */
interface MeasuredItem extends KnownStates {
  /** A range begins no earlier than this. */
  readonly createdAtSeconds?: number | undefined;
  /** Its maintenance occurrences of at least the last 35 days. */
  readonly occurrences: readonly TimeRange[];
}

/** A span with its seconds up and down, which are spread evenly in a folded hour. */
interface Piece extends CountedSeconds, TimeRange {}

/** The facts that the list shows about the tests of an item. */
export interface Testing {
  /** The time between two tests. */
  readonly resolutionSeconds?: number | undefined;
  /** Returns whether the item is being tested; see `isTested` in src/domain/check.ts. */
  readonly isTested: boolean;
}

/**
 * The end of the ranges of an item. Like the service, this counts the state of the last test until
 * the next test is due. If the list shows that the state may have changed, the ranges end at the
 * horizon.
 */
export function rangeEnd(
  { states }: KnownStates,
  { resolutionSeconds = 0, isTested }: Testing,
  nowSeconds: number,
): number {
  const { horizonSeconds, state, reportUntilSeconds = 0 } = states;
  const holds =
    isTested &&
    (state === 'up' || state === 'down') &&
    reportUntilSeconds <= horizonSeconds &&
    (states.resolutionSeconds ?? resolutionSeconds) === resolutionSeconds;
  const due = horizonSeconds + (holds ? resolutionSeconds : 0);
  return Math.max(horizonSeconds, Math.min(nowSeconds, due));
}

/** The seconds of every known range that ends at `endSeconds`. */
export function secondsByRange(item: MeasuredItem, endSeconds: number): SecondsByRange {
  const { log, createdAtSeconds = 0 } = item;
  const knownFrom = log?.knownFromSeconds ?? Number.NEGATIVE_INFINITY;
  const pieces = piecesOf(item, endSeconds);
  const counted: { [W in ErrorRange]?: CountedSeconds } = {};
  for (const window of errorRanges) {
    const begin = Math.max(createdAtSeconds, endSeconds - rangeLengths[window]);
    if (begin < knownFrom) break;
    counted[window] = sumFrom(pieces, begin);
  }
  return counted;
}

function sumFrom(pieces: readonly Piece[], beginSeconds: number): CountedSeconds {
  let [up, down] = [0, 0];
  for (let place = pieces.length - 1; place >= 0; place--) {
    const piece = pieces[place];
    if (piece === undefined || piece.toSeconds <= beginSeconds) break;
    const counted = part(piece, Math.max(piece.fromSeconds, beginSeconds), piece.toSeconds);
    up += counted.up;
    down += counted.down;
  }
  return { up, down };
}

/** The states and folded hours of the last 30 days, oldest first, without maintenance. */
function piecesOf(item: MeasuredItem, endSeconds: number): Piece[] {
  const { log, occurrences } = item;
  const begin = endSeconds - rangeLengths[errorBudgetRange];
  const pieces: Piece[] = [];
  const add = (piece: Piece) => {
    if (piece.toSeconds > begin && piece.fromSeconds < piece.toSeconds) pieces.push(piece);
  };
  for (const { fromSeconds, toSeconds, seconds } of log?.hours ?? []) {
    add({ fromSeconds, toSeconds, up: seconds.up, down: seconds.down });
  }
  for (const { state, fromSeconds, toSeconds } of spansUntil(item, endSeconds, begin)) {
    if (state !== 'up' && state !== 'down') continue;
    const length = toSeconds - fromSeconds;
    const up = state === 'up' ? length : 0;
    add({ fromSeconds, toSeconds, up, down: length - up });
  }
  return occurrences.length === 0 ? pieces : outside(pieces, union(occurrences));
}

/** The parts of the pieces outside the occurrences, which are in order and do not overlap. */
function outside(pieces: readonly Piece[], occurrences: readonly TimeRange[]): Piece[] {
  const left: Piece[] = [];
  for (const piece of pieces) {
    let from = piece.fromSeconds;
    for (const occurrence of occurrences) {
      if (occurrence.toSeconds <= from) continue;
      if (occurrence.fromSeconds >= piece.toSeconds) break;
      if (occurrence.fromSeconds > from) left.push(part(piece, from, occurrence.fromSeconds));
      from = occurrence.toSeconds;
    }
    if (from < piece.toSeconds) left.push(part(piece, from, piece.toSeconds));
  }
  return left;
}

function part(piece: Piece, fromSeconds: number, toSeconds: number): Piece {
  const [whole, kept] = [piece.toSeconds - piece.fromSeconds, toSeconds - fromSeconds];
  // The multiplication comes first, so that whole seconds stay whole.
  const [up, down] = [(piece.up * kept) / whole, (piece.down * kept) / whole];
  return { fromSeconds, toSeconds, up, down };
}
