import { expect, test } from 'vitest';
import type { TalliedState, TimeRange } from '../../src/domain/interval.ts';
import { returnedStates } from '../../src/months/joined-months.ts';
import { lengthOf, monthStates } from '../../src/months/month-record.ts';
import { recordedFromSeconds } from '../../src/slo/known-range.ts';
import { clip, union } from '../../src/tally/maintenance-tally.ts';
import { noSeconds } from '../../src/tally/state-tally.ts';
import { extent } from '../support/extent.ts';
import fc from '../support/fast-check.ts';
import { check, daysOf, known, type Life, lives } from './support/drawn-life.ts';

/** An item that leaves, and is seen again later in the month. */
interface Absence {
  readonly life: Life;
  /** The horizon when it leaves is in the middle of this span, or at its end. */
  readonly left: number;
  readonly isMidway: boolean;
  /** It is seen again with this span, and its past is read from the other one on. */
  readonly seen: number;
  readonly readFrom: number;
  readonly hasCreation: boolean;
}

const absences: fc.Arbitrary<Absence> = fc
  .record({
    life: lives.filter(({ spans }) => spans.length > 5),
    ...{ left: fc.nat(100), seen: fc.nat(100), readFrom: fc.nat(100) },
    ...{ isMidway: fc.boolean(), hasCreation: fc.boolean() },
  })
  .map(({ life, left, seen, readFrom, ...others }) => {
    const most = life.spans.length;
    const place = left % (most - 4);
    const next = place + 1 + (seen % (most - place - 3));
    return { ...others, life, left: place, seen: next, readFrom: readFrom % (next + 1) };
  });

/** The record of when it left, and the month with what is known since it is listed again. */
function monthOf({ life, left, isMidway, seen, readFrom, hasCreation }: Absence) {
  const { month, spans, occurrences } = life;
  const begins = daysOf(month);
  const last = spans[left];
  if (last === undefined) return undefined;
  const horizonSeconds = isMidway
    ? Math.ceil((last.fromSeconds + last.toSeconds) / 2)
    : last.toSeconds;
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
  const leaving = { removedAtSeconds, nowSeconds: removedAtSeconds };
  const record = monthStates({ ...source, ...leaving, known: was }, month, begins);
  const returned = (range: TimeRange) => monthStates({ ...source, known: is }, range, begins);
  const toldUntil = record.countedUntilSeconds ?? removedAtSeconds;
  const logFromSeconds = recordedFromSeconds(is, createdAtSeconds);
  const overlap = returned({ ...month, toSeconds: toldUntil });
  const bounds = { logFromSeconds, removedAtSeconds };
  const watched = [
    { fromSeconds: spans[0]?.fromSeconds ?? 0, toSeconds: horizonSeconds },
    { fromSeconds: logFromSeconds, toSeconds: month.toSeconds },
  ];
  return {
    joined: returnedStates(record, returned(month), overlap, bounds),
    ranges: clip(union(watched), month.fromSeconds, month.toSeconds),
    beginSeconds: hasCreation
      ? month.fromSeconds
      : Math.max(month.fromSeconds, watched[0]?.fromSeconds ?? 0),
  };
}

test('the month of an item that left and returned has what was known before and since, and nothing else', () => {
  let [returns, lost] = [0, 0];
  fc.assert(
    fc.property(absences, (absence) => {
      const { month, spans, occurrences } = absence.life;
      const shownMonth = monthOf(absence);
      if (shownMonth === undefined) return;
      const { joined, ranges, beginSeconds } = shownMonth;
      returns += 1;
      const sumOf = (within: readonly TimeRange[]) => {
        const sums: { [S in TalliedState]: number } = { ...noSeconds };
        for (const { state, fromSeconds, toSeconds } of spans) {
          sums[state] += lengthOf(clip(within, fromSeconds, toSeconds));
        }
        return sums;
      };
      const planned = union(occurrences);
      const seconds = sumOf(ranges);
      const maintenance = sumOf(
        ranges.flatMap(({ fromSeconds, toSeconds }) => clip(planned, fromSeconds, toSeconds)),
      );
      expect(joined.seconds).toEqual(seconds);
      expect(joined.maintenance ?? noSeconds).toEqual(maintenance);
      const dayDown = (joined.days ?? []).reduce((sum, { down }) => sum + down, 0);
      expect(dayDown).toBe(seconds.down - maintenance.down);
      // The last 30 seconds before it left are within a resolution.
      const away = month.toSeconds - beginSeconds - lengthOf(ranges);
      expect(Math.abs(lengthOf(joined.unwatched) - away)).toBeLessThanOrEqual(30);
      expect(joined.firstSeenSeconds ?? month.fromSeconds).toBe(beginSeconds);

      const downs = spans.filter(({ state }) => state === 'down');
      const outages = joined.outages.map(({ fromSeconds, toSeconds, knownUntilSeconds }) => {
        if (toSeconds !== undefined) expect(downs.map((one) => one.toSeconds)).toContain(toSeconds);
        if (knownUntilSeconds !== undefined) lost += 1;
        return { fromSeconds, toSeconds: toSeconds ?? knownUntilSeconds ?? month.toSeconds };
      });
      const shown = outages.flatMap(({ fromSeconds, toSeconds }) =>
        clip(ranges, fromSeconds, toSeconds),
      );
      expect(lengthOf(shown)).toBe(seconds.down);
    }),
    { numRuns: extent(500, 20_000) },
  );
  expect(returns).toBeGreaterThan(100);
  expect(lost).toBeGreaterThan(10);
});
