import type { TimeRange } from '../domain/interval.ts';
import type { SecondsByState } from '../domain/totals.ts';
import type { UnknownParts } from '../slo/known-range.ts';
import type { MaintenanceShare } from '../slo/maintenance-share.ts';
import type { ResponseMonth } from '../slo/response-months.ts';
import type { RangeSums } from '../slo/verdict.ts';
import type { ItemKind } from '../store/store.ts';
import { noSeconds } from '../tally/state-tally.ts';
import type { DaySum } from './day-sums.ts';

/** A group of the item in that month, and the objective of the group. */
export interface GroupObjective {
  readonly name: string;
  readonly ratio: number;
}

/** The facts about an item that a month keeps as the last list before its end had them. */
export interface MonthSubject {
  readonly kind: ItemKind;
  readonly id: number;
  readonly name: string;
  /** Of a check, as the list shows it. */
  readonly hostname?: string;
  readonly tags: readonly string[];
  readonly groups: readonly GroupObjective[];
  /** The required share of time up. */
  readonly objective: number;
  /** It was first seen after the month, so that its name, tags and groups are those of a later time. */
  readonly isSeenLater?: true;
}

/** An outage of which at least a second is in the month. UNIX seconds, not cut at its ends. */
export interface MonthOutage {
  readonly fromSeconds: number;
  /** It began at an unknown time before `fromSeconds`. */
  readonly beganBefore?: true;
  /** Absent while it is not known. */
  readonly toSeconds?: number;
  /** Without an end, it is known to last until then; by default, to the end of the counted time. */
  readonly knownUntilSeconds?: number;
  /** Empty if they are not known. */
  readonly causes: readonly string[];
  readonly maintenance: MaintenanceShare;
  /** Its first second outside maintenance, if it began in maintenance. */
  readonly outsideFromSeconds?: number;
}

/** The states of an item within one month. */
export interface MonthStates extends UnknownParts {
  /** Known seconds by state, with maintenance. */
  readonly seconds: SecondsByState;
  /** Those of them that were in maintenance; absent if there was none. */
  readonly maintenance?: SecondsByState;
  /** Known seconds that were stored only as sums by the hour: outages in them are not listed. */
  readonly folded?: number;
  /** The days on which not all known time was up; absent if there was none. */
  readonly days?: readonly DaySum[];
  /** Oldest first. */
  readonly outages: readonly MonthOutage[];
  /**
   * Of the known time. `lists`: it was up, and no list showed a failure; unknown or paused time
   * between two lists that left no trace in them counts as up. `reports`: other states, to the second.
   */
  readonly knownBy: 'lists' | 'reports';
  /** When it was created or removed, if that was in the month. */
  readonly createdAtSeconds?: number;
  /**
   * From when it is known, if that was in the month, and its creation is not known: up to 35 days
   * before it was first seen.
   */
  readonly firstSeenSeconds?: number;
  readonly removedAtSeconds?: number;
  /** Where the counted time ends, if that is before the end of the month, or before its removal. */
  readonly countedUntilSeconds?: number;
}

/** Time of a month that was not watched, and was read when an operator asked for it. */
export interface ReadAfterwards {
  /** `whole`: the names, groups and objectives are those of the time of reading. */
  readonly share: 'part' | 'whole';
  /** UNIX seconds. */
  readonly atSeconds: number;
}

/**
 * The month of one item. The record of an item that was removed within the month is provisional: if
 * the item returns, its states replace it.
 */
export interface MonthRecord extends MonthSubject, MonthStates {
  /** Absent if the exporter has watched all that is known. */
  readonly readAfterwards?: ReadAfterwards;
  /** Absent if no hour of it was read. */
  readonly responseTimes?: ResponseMonth;
}

/** Whether there is a record that is not provisional. */
export function isFinal(record: MonthRecord | undefined): boolean {
  return record !== undefined && record.removedAtSeconds === undefined;
}

/**
 * Whether the outage counts in the month: in the one of its first second outside maintenance. One
 * over its first midnight, whose begin is not known, belongs to the month before.
 */
export function countsIn(outage: MonthOutage, month: TimeRange): boolean {
  const { fromSeconds, beganBefore, maintenance, outsideFromSeconds = fromSeconds } = outage;
  if (maintenance === 'whole') return false;
  if (beganBefore && outsideFromSeconds === month.fromSeconds) return false;
  return outsideFromSeconds >= month.fromSeconds && outsideFromSeconds < month.toSeconds;
}

/** What figures and verdicts are made of. */
export function rangeSumsOf(states: MonthStates): RangeSums {
  const { seconds, maintenance = noSeconds, awaited, unwatched } = states;
  return {
    up: seconds.up - maintenance.up,
    down: seconds.down - maintenance.down,
    known: total(seconds),
    awaited: lengthOf(awaited),
    unwatched: lengthOf(unwatched),
  };
}

/** The time of a month that goes on in which an item may still be tested, in seconds. */
export function aheadSeconds(
  { removedAtSeconds, countedUntilSeconds }: MonthStates & Pick<MonthRecord, 'removedAtSeconds'>,
  { toSeconds }: TimeRange,
  isPresent: boolean,
): number {
  if (!isPresent || removedAtSeconds !== undefined) return 0;
  return toSeconds - (countedUntilSeconds ?? toSeconds);
}

export function total({ up, down, unknown, unmonitored }: SecondsByState): number {
  return up + down + unknown + unmonitored;
}

export function lengthOf(ranges: readonly TimeRange[]): number {
  return ranges.reduce((sum, { fromSeconds, toSeconds }) => sum + toSeconds - fromSeconds, 0);
}
