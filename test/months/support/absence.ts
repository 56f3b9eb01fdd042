import type { TalliedState, TimeRange } from '../../../src/domain/interval.ts';
import { lengthOf } from '../../../src/months/month-record.ts';
import type { MonthSource } from '../../../src/months/month-states.ts';
import { recordedFromSeconds } from '../../../src/slo/known-range.ts';
import { clip, union } from '../../../src/tally/maintenance-tally.ts';
import { noSeconds } from '../../../src/tally/state-tally.ts';
import fc from '../../support/fast-check.ts';
import { check, known, type Life, lives } from './drawn-life.ts';

/** An item that leaves, and is seen again later. */
interface Drawn {
  readonly life: Life;
  /** The horizon when it leaves is in the middle of this span, or at its end. */
  readonly left: number;
  readonly isMidway: boolean;
  /** It is seen again with this span, and its past is read from the other one on. */
  readonly seen: number;
  readonly readFrom: number;
  readonly hasCreation: boolean;
}

export interface Absence extends Drawn {
  readonly removedAtSeconds: number;
  readonly seenSeconds: number;
  /** What is known when it leaves. */
  readonly leaving: MonthSource;
  /** What is known since it is listed again, at the end of the month. */
  readonly returned: MonthSource;
  readonly logFromSeconds: number;
  /** The begin of its life in the month. */
  readonly beginSeconds: number;
  /** What is known of the month. */
  readonly ranges: readonly TimeRange[];
}

function absenceOf(drawn: Drawn): Absence | undefined {
  const { life, left, isMidway, seen, readFrom, hasCreation } = drawn;
  const { month, spans, occurrences } = life;
  const [first, last] = [spans[0], spans[left]];
  if (first === undefined || last === undefined) return undefined;
  const middle = Math.ceil((last.fromSeconds + last.toSeconds) / 2);
  const horizonSeconds = isMidway ? middle : last.toSeconds;
  const removedAtSeconds = horizonSeconds + 30;
  const seenSeconds = spans[seen]?.fromSeconds ?? 0;
  const isWithin = removedAtSeconds > month.fromSeconds && seenSeconds < month.toSeconds;
  if (!isWithin || seenSeconds < removedAtSeconds) return undefined;
  const before = [...spans.slice(0, left), { ...last, toSeconds: horizonSeconds }];
  const state = isMidway ? last.state : (spans[left + 1]?.state ?? 'up');
  const { states, log } = known({ ...life, spans: before, past: 0, isPastRead: false });
  const was = { states: { ...states, state }, ...(log && { log }) };
  const past = seen - readFrom;
  const is = known({ ...life, spans: spans.slice(readFrom), past, isPastRead: past > 0 });
  const createdAtSeconds = hasCreation ? month.fromSeconds - 86_400 : undefined;
  const source = { ...check, occurrences, createdAtSeconds };
  const logFromSeconds = recordedFromSeconds(is, createdAtSeconds);
  const watched = [
    { fromSeconds: first.fromSeconds, toSeconds: horizonSeconds },
    { fromSeconds: logFromSeconds, toSeconds: month.toSeconds },
  ];
  return {
    ...drawn,
    removedAtSeconds,
    seenSeconds,
    leaving: { ...source, known: was, removedAtSeconds, nowSeconds: removedAtSeconds },
    returned: { ...source, known: is },
    logFromSeconds,
    beginSeconds: hasCreation ? month.fromSeconds : Math.max(month.fromSeconds, first.fromSeconds),
    ranges: clip(union(watched), month.fromSeconds, month.toSeconds),
  };
}

export const absences: fc.Arbitrary<Absence> = fc
  .record({
    life: lives.filter(({ spans }) => spans.length > 5),
    ...{ left: fc.nat(100), seen: fc.nat(100), readFrom: fc.nat(100) },
    ...{ isMidway: fc.boolean(), hasCreation: fc.boolean() },
  })
  .map(({ life, left, seen, readFrom, ...others }) => {
    const most = life.spans.length;
    const place = left % (most - 4);
    const next = place + 1 + (seen % (most - place - 3));
    return absenceOf({ ...others, life, left: place, seen: next, readFrom: readFrom % (next + 1) });
  })
  .filter((absence) => absence !== undefined);

/** The seconds in each state within these ranges. */
export function secondsWithin({ life }: Absence, ranges: readonly TimeRange[]) {
  const sums: { [S in TalliedState]: number } = { ...noSeconds };
  for (const { state, fromSeconds, toSeconds } of life.spans) {
    sums[state] += lengthOf(clip(ranges, fromSeconds, toSeconds));
  }
  return sums;
}
