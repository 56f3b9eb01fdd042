import type { TalliedState, TimeRange } from '../domain/interval.ts';
import type { SecondsByState } from '../domain/totals.ts';
import { present } from '../lib/present.ts';
import { recordedFromSeconds, type UnknownParts, unknownParts } from '../slo/known-range.ts';
import { causesOf, type OutageNote } from '../slo/last-outages.ts';
import { maintenanceShare } from '../slo/maintenance-share.ts';
import {
  firstSightOf,
  type HourSum,
  isBeginning,
  type KnownStates,
  spansOf,
} from '../slo/state-log.ts';
import type { ItemKind } from '../store/store.ts';
import { clip, subtract, union } from '../tally/maintenance-tally.ts';
import { noSeconds } from '../tally/state-tally.ts';
import { daySums, type Piece } from './day-sums.ts';
import { type MonthOutage, type MonthStates, total } from './month-record.ts';

/** The data of an item from which its month is computed. UNIX seconds. */
export interface MonthSource {
  readonly known: KnownStates;
  readonly kind: ItemKind;
  readonly createdAtSeconds?: number | undefined;
  readonly removedAtSeconds?: number | undefined;
  readonly resolutionSeconds?: number | undefined;
  /** From then on a check that is paused has not been tested; see `notTestedFrom`. */
  readonly notTestedFromSeconds?: number | undefined;
  /** Its maintenance occurrences of at least the month. */
  readonly occurrences: readonly TimeRange[];
  readonly notes?: readonly OutageNote[] | undefined;
  /** The past before first sight is read by itself. */
  readonly isPastRead: boolean;
  /** Time after the horizon becomes known by itself. */
  readonly isLateAwaited: boolean;
  readonly nowSeconds: number;
}

/**
 * The states of an item within a month, up to its horizon. `dayBegins` are the begins of its days, if
 * sums by day are wanted.
 */
export function monthStates(
  source: MonthSource,
  month: TimeRange,
  dayBegins: readonly number[] = [],
): MonthStates {
  const { known, kind, createdAtSeconds, removedAtSeconds } = source;
  const { horizonSeconds } = known.states;
  const life = lifeIn(source, month);
  const within = { ...life, toSeconds: Math.min(life.toSeconds, horizonSeconds) };
  const late = lateIn(source, life);
  const parts = within.fromSeconds < within.toSeconds && unknownParts(known, source, within);
  const awaited = [...(parts ? parts.awaited : []), ...(source.isLateAwaited ? late : [])];
  const unwatched = [...(parts ? parts.unwatched : []), ...(source.isLateAwaited ? [] : late)];
  const pieces = piecesOf(source);
  const ranges = parts ? knownRanges(within, parts) : [];
  const seconds = sumOf(pieces, ranges);
  const planned = source.occurrences.length === 0 ? [] : plannedIn(source.occurrences, ranges);
  const maintenance = planned.length === 0 ? noSeconds : sumOf(pieces, planned);
  const folded = known.log?.hours.length ? total(sumOf(pieces.filter(isFolded), ranges)) : 0;
  const onlyUp = total(seconds) === seconds.up;
  const isPlain = onlyUp && total(maintenance) === 0;
  const days = isPlain ? [] : daySums({ pieces, ranges, planned }, dayBegins);
  const countedUntil = Math.max(life.fromSeconds, within.toSeconds);
  const isCut = countedUntil < Math.min(month.toSeconds, removedAtSeconds ?? month.toSeconds);
  return {
    seconds,
    ...(total(maintenance) > 0 && { maintenance }),
    awaited,
    unwatched,
    ...(folded > 0 && { folded }),
    ...(days.length > 0 && { days }),
    outages: outagesOf(source, within),
    knownBy: kind === 'check' && onlyUp ? 'lists' : 'reports',
    ...(createdAtSeconds !== undefined &&
      createdAtSeconds > month.fromSeconds && { createdAtSeconds }),
    ...(createdAtSeconds === undefined &&
      life.fromSeconds > month.fromSeconds && { firstSeenSeconds: life.fromSeconds }),
    ...present({ removedAtSeconds }),
    ...(isCut && { countedUntilSeconds: countedUntil }),
  };
}

/**
 * The part of a month in which the item existed: from its creation, or without one from what is
 * known of it, to its removal, and not later than now.
 */
export function lifeIn(
  { known, createdAtSeconds, removedAtSeconds, nowSeconds }: MonthSource,
  { fromSeconds, toSeconds }: TimeRange,
): TimeRange {
  const seenSeconds = Math.min(firstSightOf(known), recordedFromSeconds(known, createdAtSeconds));
  const begin = Math.max(fromSeconds, createdAtSeconds ?? seenSeconds);
  const end = Math.min(toSeconds, removedAtSeconds ?? toSeconds, nowSeconds);
  return { fromSeconds: begin, toSeconds: Math.max(begin, end) };
}

/**
 * Time after the horizon that should be counted: the month has ended, or the item was removed. A
 * service that tests once in a resolution tells the last resolution late, and withholds nothing.
 */
function lateIn(
  { known, removedAtSeconds, resolutionSeconds = 0, nowSeconds }: MonthSource,
  life: TimeRange,
): readonly TimeRange[] {
  const { horizonSeconds } = known.states;
  const hasEnded = life.toSeconds < nowSeconds || removedAtSeconds !== undefined;
  if (!hasEnded || horizonSeconds + resolutionSeconds >= life.toSeconds) return [];
  const fromSeconds = Math.max(horizonSeconds, life.fromSeconds);
  return fromSeconds < life.toSeconds ? [{ fromSeconds, toSeconds: life.toSeconds }] : [];
}

function knownRanges(within: TimeRange, { awaited, unwatched }: UnknownParts): TimeRange[] {
  if (awaited.length + unwatched.length === 0) return [within];
  return subtract([within], [...awaited, ...unwatched]);
}

function plannedIn(occurrences: readonly TimeRange[], ranges: readonly TimeRange[]): TimeRange[] {
  const planned = union(occurrences);
  return ranges.flatMap(({ fromSeconds, toSeconds }) => clip(planned, fromSeconds, toSeconds));
}

/** The known states up to the horizon, without gaps, but for an open outage's earlier start. */
function piecesOf({ known, createdAtSeconds, notTestedFromSeconds }: MonthSource): Piece[] {
  const { states, log } = known;
  const { horizonSeconds } = states;
  const begin = recordedFromSeconds(known, createdAtSeconds);
  const recorded: Piece[] =
    log === undefined
      ? [{ state: 'up', fromSeconds: begin, toSeconds: horizonSeconds }]
      : [...log.hours, ...spansOf(log.changes, horizonSeconds)];
  if (notTestedFromSeconds === undefined || notTestedFromSeconds >= begin) return recorded;
  // Nothing else is known of that time.
  const before = { fromSeconds: notTestedFromSeconds, toSeconds: begin };
  return [{ state: 'unmonitored', ...before }, ...recorded];
}

function isFolded(piece: Piece): piece is HourSum {
  return 'seconds' in piece;
}

/**
 * Seconds by state in these ranges, which do not overlap. The seconds of a folded hour are spread
 * evenly; the result is whole, with the sum that the pieces have.
 */
export function sumOf(pieces: readonly Piece[], ranges: readonly TimeRange[]): SecondsByState {
  const sum = { ...noSeconds };
  for (const piece of pieces) {
    for (const { fromSeconds, toSeconds } of clip(ranges, piece.fromSeconds, piece.toSeconds)) {
      const length = toSeconds - fromSeconds;
      if (isFolded(piece)) addShare(sum, piece, length);
      else sum[piece.state] += length;
    }
  }
  return rounded(sum);
}

type Sum = { [S in TalliedState]: number };

function addShare(sum: Sum, { seconds, fromSeconds, toSeconds }: HourSum, length: number): void {
  for (const state in seconds) {
    const of = state as TalliedState;
    sum[of] += (seconds[of] * length) / (toSeconds - fromSeconds);
  }
}

/** The largest state takes what rounding the others leaves. */
function rounded(sum: Sum): SecondsByState {
  const states = Object.keys(sum) as TalliedState[];
  if (states.every((state) => Number.isInteger(sum[state]))) return sum;
  const whole = Math.round(total(sum));
  const largest = states.reduce((most, state) => (sum[state] > sum[most] ? state : most));
  for (const state of states) sum[state] = Math.round(sum[state]);
  sum[largest] += whole - total(sum);
  return sum;
}

function outagesOf({ known, occurrences, notes = [] }: MonthSource, within: TimeRange) {
  const { states, log } = known;
  if (log === undefined) return [];
  const planned = union(occurrences);
  const downs = spansOf(log.changes, states.horizonSeconds).filter(({ state }) => state === 'down');
  return downs.flatMap((span, place): MonthOutage[] => {
    const { fromSeconds } = span;
    const isLast = span.toSeconds === states.horizonSeconds;
    if (span.toSeconds <= within.fromSeconds || fromSeconds >= within.toSeconds) return [];
    if (span.toSeconds === fromSeconds) return [];
    const hasEnded = !isLast || states.state === 'up';
    const toSeconds = hasEnded ? span.toSeconds : Number.POSITIVE_INFINITY;
    const before = downs[place - 1]?.toSeconds ?? 0;
    return [
      {
        fromSeconds,
        ...(!isBeginning(log, fromSeconds) && { beganBefore: true }),
        ...(hasEnded && { toSeconds }),
        causes: causesOf({ fromSeconds, toSeconds }, notes, before),
        ...plannedShare(span, planned),
      },
    ];
  });
}

/** How much of an outage was in maintenance. The occurrences are in order, without overlaps. */
export function plannedShare(
  outage: TimeRange,
  planned: readonly TimeRange[],
): Pick<MonthOutage, 'maintenance' | 'outsideFromSeconds'> {
  const maintenance = maintenanceShare(outage, planned);
  if (maintenance !== 'part') return { maintenance };
  const [outside] = subtract([outage], planned);
  const isLater = outside !== undefined && outside.fromSeconds > outage.fromSeconds;
  return { maintenance, ...(isLater && { outsideFromSeconds: outside.fromSeconds }) };
}
