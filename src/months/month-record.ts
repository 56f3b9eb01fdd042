import type { StateSpan, TalliedState, TimeRange } from '../domain/interval.ts';
import type { SecondsByState } from '../domain/totals.ts';
import { present } from '../lib/present.ts';
import { causesOf, type OutageNote } from '../slo/last-outages.ts';
import { type MaintenanceShare, maintenanceShare } from '../slo/maintenance-share.ts';
import {
  type HourSum,
  historySeconds,
  isBeginning,
  type KnownStates,
  spansOf,
} from '../slo/state-log.ts';
import type { ItemKind } from '../store/store.ts';
import { clip, union } from '../tally/maintenance-tally.ts';
import { noSeconds } from '../tally/state-tally.ts';

/** A group of the item in that month, and the objective of the group. */
export interface GroupObjective {
  readonly name: string;
  readonly ratio: number;
}

/** The facts about an item that a month keeps as they were when it was written. */
export interface MonthSubject {
  readonly kind: ItemKind;
  readonly id: number;
  readonly name: string;
  readonly tags: readonly string[];
  readonly groups: readonly GroupObjective[];
  /** The required share of time up. */
  readonly objective: number;
}

/** An outage of which at least a second is in the month. UNIX seconds, not cut at its ends. */
export interface MonthOutage {
  readonly fromSeconds: number;
  /** It began at an unknown time before `fromSeconds`. */
  readonly beganBefore?: true;
  /** Absent if it had not ended when the month was written. */
  readonly toSeconds?: number;
  /** Empty if they are not known. */
  readonly causes: readonly string[];
  readonly maintenance: MaintenanceShare;
}

/** The states of an item within one month. */
export interface MonthStates {
  /** Known seconds by state, with maintenance. */
  readonly seconds: SecondsByState;
  /** Those of them that were in maintenance; absent if there was none. */
  readonly maintenance?: SecondsByState;
  /** Seconds in which the item existed, and whose state is not known. */
  readonly unwatched: number;
  /** Known seconds that were stored only as sums by the hour: outages in them are not listed. */
  readonly folded?: number;
  /** Oldest first. */
  readonly outages: readonly MonthOutage[];
  /**
   * `lists`: it was up, and no list showed a failure; unknown or paused time between two lists that
   * left no trace in them counts as up. `reports`: other states, to the second.
   */
  readonly knownBy: 'lists' | 'reports';
  /** When it was created or removed, if that was in the month. */
  readonly createdAtSeconds?: number;
  readonly removedAtSeconds?: number;
}

/** Time of a month that was not watched, and was read when an operator asked for it. */
export interface ReadAfterwards {
  /** `whole`: the names, groups and objectives are those of the time of reading. */
  readonly share: 'part' | 'whole';
  /** UNIX seconds. */
  readonly atSeconds: number;
}

/** The month of one item. */
export interface MonthRecord extends MonthSubject, MonthStates {
  /** Absent if the exporter has watched all that is known. */
  readonly readAfterwards?: ReadAfterwards;
}

/** The data of an item from which its month is computed. */
export interface MonthSource {
  readonly known: KnownStates;
  readonly kind: ItemKind;
  readonly createdAtSeconds?: number | undefined;
  readonly removedAtSeconds?: number | undefined;
  /** Its maintenance occurrences of at least the month. */
  readonly occurrences: readonly TimeRange[];
  readonly notes?: readonly OutageNote[] | undefined;
}

/** Known seconds: in one state, or by state as a share of a folded hour. */
type Piece = StateSpan | HourSum;

/** The states of an item within a month, up to its horizon. */
export function monthStates(source: MonthSource, month: TimeRange): MonthStates {
  const { known, kind, createdAtSeconds, removedAtSeconds } = source;
  const untilSeconds = Math.min(month.toSeconds, known.states.horizonSeconds);
  const life: TimeRange = {
    fromSeconds: Math.max(month.fromSeconds, createdAtSeconds ?? 0),
    toSeconds: removedAtSeconds === undefined ? untilSeconds : removedAtSeconds,
  };
  const within = {
    fromSeconds: life.fromSeconds,
    toSeconds: Math.max(life.fromSeconds, Math.min(untilSeconds, life.toSeconds)),
  };
  const pieces = piecesOf(known, createdAtSeconds);
  const seconds = sumOf(pieces, [within]);
  const planned = clip(union(source.occurrences), within.fromSeconds, within.toSeconds);
  const maintenance = planned.length === 0 ? noSeconds : sumOf(pieces, planned);
  const folded = total(sumOf(pieces.filter(isFolded), [within]));
  const length = Math.max(0, Math.min(life.toSeconds, month.toSeconds) - life.fromSeconds);
  const onlyUp = total(seconds) === seconds.up;
  return {
    seconds,
    ...(total(maintenance) > 0 && { maintenance }),
    unwatched: Math.max(0, length - total(seconds)),
    ...(folded > 0 && { folded }),
    outages: outagesOf(source, within),
    knownBy: kind === 'check' && onlyUp ? 'lists' : 'reports',
    ...(createdAtSeconds !== undefined &&
      createdAtSeconds > month.fromSeconds && { createdAtSeconds }),
    ...present({ removedAtSeconds }),
  };
}

/** Whether the outage counts in the month: one over its first midnight belongs to the month before. */
export function beginsIn(
  { fromSeconds, beganBefore }: Pick<MonthOutage, 'fromSeconds' | 'beganBefore'>,
  month: TimeRange,
): boolean {
  const isIn = fromSeconds >= month.fromSeconds && fromSeconds < month.toSeconds;
  return isIn && !(beganBefore && fromSeconds === month.fromSeconds);
}

/**
 * The known states up to the horizon, without gaps, but for an open outage's earlier start. An item
 * without a log was up since its creation; without that, it may be as young as its first sight.
 */
function piecesOf(
  { states, log }: KnownStates,
  createdAtSeconds: number | undefined,
): readonly Piece[] {
  const { startSeconds, horizonSeconds } = states;
  if (log === undefined) {
    const fromSeconds =
      createdAtSeconds === undefined
        ? startSeconds
        : Math.max(createdAtSeconds, startSeconds - historySeconds);
    return [{ state: 'up', fromSeconds, toSeconds: horizonSeconds }];
  }
  return [...log.hours, ...spansOf(log.changes, horizonSeconds)];
}

function isFolded(piece: Piece): piece is HourSum {
  return 'seconds' in piece;
}

/**
 * Seconds by state in these ranges, which do not overlap. The seconds of a folded hour are spread
 * evenly; the result is whole, with the sum that the pieces have.
 */
function sumOf(pieces: readonly Piece[], ranges: readonly TimeRange[]): SecondsByState {
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

/** Seconds up and down that count for availability. */
export function outsideMaintenance(
  seconds: SecondsByState,
  maintenance: SecondsByState = noSeconds,
): { readonly up: number; readonly down: number } {
  return { up: seconds.up - maintenance.up, down: seconds.down - maintenance.down };
}

export function total({ up, down, unknown, unmonitored }: SecondsByState): number {
  return up + down + unknown + unmonitored;
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
        maintenance: maintenanceShare(span, planned),
      },
    ];
  });
}
