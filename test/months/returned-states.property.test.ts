import { expect, test } from 'vitest';
import type { TimeRange } from '../../src/domain/interval.ts';
import type { Month } from '../../src/lib/month-calendar.ts';
import { returnedStates } from '../../src/months/joined-months.ts';
import { countedEnd } from '../../src/months/month-outages.ts';
import { rangeMonths, rangeOf } from '../../src/months/month-range.ts';
import { lengthOf, type MonthRecord, type MonthStates } from '../../src/months/month-record.ts';
import { monthStates } from '../../src/months/month-states.ts';
import { OutageLimit } from '../../src/months/outage-limit.ts';
import { clip, union } from '../../src/tally/maintenance-tally.ts';
import { noSeconds } from '../../src/tally/state-tally.ts';
import { extent } from '../support/extent.ts';
import fc from '../support/fast-check.ts';
import { type Absence, absences, secondsWithin } from './support/absence.ts';
import { daysOf, partsOf } from './support/drawn-life.ts';
import { monthsOf, record } from './support/october.ts';

/** What is known before it left and since it returned, and nothing else. */
function expectKnown(joined: MonthStates, absence: Absence): void {
  const { life, ranges, beginSeconds } = absence;
  const { month, spans, occurrences } = life;
  const planned = union(occurrences);
  const seconds = secondsWithin(absence, ranges);
  const maintenance = secondsWithin(
    absence,
    ranges.flatMap(({ fromSeconds, toSeconds }) => clip(planned, fromSeconds, toSeconds)),
  );
  expect(joined.seconds).toEqual(seconds);
  expect(joined.maintenance ?? noSeconds).toEqual(maintenance);
  const dayDown = (joined.days ?? []).reduce((sum, { down }) => sum + down, 0);
  expect(dayDown).toBe(seconds.down - maintenance.down);
  // The last 30 seconds before it left are within a resolution.
  const away = month.toSeconds - beginSeconds - lengthOf(ranges);
  expect(Math.abs(lengthOf(joined.unwatched) - away)).toBeLessThanOrEqual(30);
  expect(lengthOf(union(joined.unwatched))).toBe(lengthOf(joined.unwatched));
  expect(joined.firstSeenSeconds ?? month.fromSeconds).toBe(beginSeconds);

  const ends = spans.filter(({ state }) => state === 'down').map(({ toSeconds }) => toSeconds);
  const outages = joined.outages.map(({ fromSeconds, toSeconds, knownUntilSeconds }) => {
    if (toSeconds !== undefined) expect(ends).toContain(toSeconds);
    const until = knownUntilSeconds ?? countedEnd(joined, month);
    return { fromSeconds, toSeconds: toSeconds ?? until };
  });
  const shown = outages.flatMap(({ fromSeconds, toSeconds }) =>
    clip(ranges, fromSeconds, toSeconds),
  );
  expect(lengthOf(shown)).toBe(seconds.down);
}

const isLost = ({ outages }: MonthStates) =>
  outages.some(({ knownUntilSeconds }) => knownUntilSeconds !== undefined);

test('the month of an item that left and returned has what was known before and since', () => {
  let lost = 0;
  fc.assert(
    fc.property(absences, (absence) => {
      const { life, leaving, returned, logFromSeconds, removedAtSeconds } = absence;
      const { month } = life;
      const begins = daysOf(month);
      const left = monthStates(leaving, month, begins);
      const told = { ...month, toSeconds: left.countedUntilSeconds ?? removedAtSeconds };
      const joined = returnedStates(
        left,
        monthStates(returned, month, begins),
        monthStates(returned, told, begins),
        { logFromSeconds, removedAtSeconds },
      );
      expectKnown(joined, absence);
      if (isLost(joined)) lost += 1;
    }),
    { numRuns: extent(500, 20_000) },
  );
  expect(lost).toBeGreaterThan(10);
});

/** The record of a part; an item has none of a part in which it was away, or had not been seen. */
function recordOf(absence: Absence, part: Month): readonly MonthRecord[] {
  const { life, leaving, returned, removedAtSeconds, seenSeconds, beginSeconds } = absence;
  const begins = daysOf(life.month).filter((at) => at >= part.fromSeconds && at < part.toSeconds);
  if (beginSeconds >= part.toSeconds) return [];
  if (removedAtSeconds >= part.toSeconds) {
    const { removedAtSeconds: _, ...sealed } = monthStates(leaving, part, begins);
    return [record(1, 'shop', sealed)];
  }
  if (removedAtSeconds > part.fromSeconds) {
    return [record(1, 'shop', monthStates(leaving, part, begins))];
  }
  if (seenSeconds >= part.toSeconds) return [];
  return [record(1, 'shop', monthStates(returned, part, begins))];
}

test('months in a row in which an item left and returned have what was known before and since', async () => {
  let [returns, lost] = [0, 0];
  await fc.assert(
    fc.asyncProperty(absences, async (absence) => {
      const { life, removedAtSeconds, seenSeconds, logFromSeconds } = absence;
      const parts = partsOf(life.month);
      const placeOf = (at: number) => parts.findIndex(({ toSeconds }) => at < toSeconds);
      const place = placeOf(seenSeconds);
      // It leaves in one month and returns in a later one, of which alone a past is read.
      if (placeOf(removedAtSeconds) === place || placeOf(logFromSeconds) !== place) return;
      const months = {
        ...monthsOf('shop', []),
        nowSeconds: Number.MAX_SAFE_INTEGER,
        calendar: {
          dayBegins: ({ fromSeconds, toSeconds }: TimeRange) =>
            daysOf(life.month).filter((at) => at >= fromSeconds && at < toSeconds),
        },
        records: async function* (all: readonly Month[]) {
          yield all.map((part) => recordOf(absence, part));
        },
      };
      const range = rangeMonths(months, parts, new OutageLimit('choose fewer'));
      for await (const [[joined] = []] of range.records([rangeOf(parts)])) {
        if (joined === undefined) continue;
        returns += 1;
        if (isLost(joined)) lost += 1;
        expectKnown(joined, absence);
      }
    }),
    { numRuns: extent(1_000, 20_000) },
  );
  expect(returns).toBeGreaterThan(40);
  expect(lost).toBeGreaterThan(5);
});
