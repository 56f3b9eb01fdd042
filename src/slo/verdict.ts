/** Seconds of an item in a range, or summed over the members of a group. */
export interface RangeSums {
  /** Up and down outside maintenance. */
  readonly up: number;
  readonly down: number;
  /** In any state. */
  readonly known: number;
  /** Not known yet; becomes known by itself. */
  readonly awaited: number;
  /** Not known, and stays so unless an operator has it read. */
  readonly unwatched: number;
}

/**
 * Of a range that has ended: `met` and `missed` hold whatever the unknown time was like; `…_rest` are
 * of the known rest, at least half of the range; `undecided` if less is known, or some is awaited.
 * Of one that goes on: `overspent`, or `within` the downtime that the objective permits for all of it;
 * `undecided` if that depends on what is awaited.
 */
export type Verdict =
  | 'met'
  | 'missed'
  | 'met_rest'
  | 'missed_rest'
  | 'undecided'
  | 'overspent'
  | 'within';

/** Verdicts of time that was missed, whatever else is not known. */
export const missedVerdicts: readonly Verdict[] = ['missed', 'overspent'];

/**
 * The share of the tested time outside maintenance that was up. Undefined without such time, and
 * while something of the range is awaited: the items that failed are read last, so that a part of
 * the range says more good than the whole. With time not watched it is that of the rest.
 */
export function shownAvailability({ up, down, awaited }: RangeSums): number | undefined {
  return awaited > 0 || up + down === 0 ? undefined : up / (up + down);
}

/** Whether as much is known as is not: enough for a verdict on the rest, and to compare it. */
export function isHalfKnown({ known, awaited, unwatched }: RangeSums): boolean {
  return known >= awaited + unwatched;
}

/**
 * The downtime that an objective permits in some time, in seconds. Rounded, so that a check with
 * exactly this downtime has met the objective: 1 − 0.9 is a little less than 0.1.
 */
export function permittedSeconds(seconds: number, objective: number): number {
  return Math.round(seconds * (1 - objective) * 1000) / 1000;
}

/** All seconds that could count. */
export function possibleSeconds(
  { up, down, awaited, unwatched }: RangeSums,
  aheadSeconds = 0,
): number {
  return up + down + awaited + unwatched + aheadSeconds;
}

/** The sums of an item in a range, its objective there, and the seconds of it that are still to come. */
type RangeObjective = readonly [RangeSums, objective: number, aheadSeconds?: number];

/** The objective whose allowance for both is the sum of their allowances. */
export function jointObjective(a: RangeObjective, b: RangeObjective): number {
  if (a[1] === b[1]) return b[1];
  let [allowed, possible] = [0, 0];
  for (const [sums, objective, aheadSeconds] of [a, b]) {
    const seconds = possibleSeconds(sums, aheadSeconds);
    allowed += seconds * (1 - objective);
    possible += seconds;
  }
  return possible === 0 ? b[1] : 1 - allowed / possible;
}

/** The verdict on a range that has ended; undefined if nothing was tested, and nothing is unknown. */
export function verdictOf(sums: RangeSums, objective: number): Verdict | undefined {
  const { up, down, awaited, unwatched } = sums;
  const unknown = awaited + unwatched;
  if (up + down + unknown === 0) return undefined;
  if (up + down === 0) return 'undecided';
  const allowance = permittedSeconds(possibleSeconds(sums), objective);
  if (down > allowance) return 'missed';
  if (down + unknown <= allowance) return 'met';
  if (awaited > 0 || !isHalfKnown(sums)) return 'undecided';
  return down > permittedSeconds(up + down, objective) ? 'missed_rest' : 'met_rest';
}

/**
 * The verdict on a range of which `aheadSeconds` are still to come: only that the downtime which
 * its objective permits for the whole range is used up, which nothing that follows can change.
 */
export function verdictSoFar(
  sums: RangeSums,
  objective: number,
  aheadSeconds: number,
): Verdict | undefined {
  const { up, down, awaited, unwatched } = sums;
  if (up + down + awaited + unwatched === 0) return undefined;
  const allowance = permittedSeconds(possibleSeconds(sums, aheadSeconds), objective);
  if (down > allowance) return 'overspent';
  return down + awaited > allowance ? 'undecided' : 'within';
}
