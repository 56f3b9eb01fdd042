import { describe, expect, test } from 'vitest';
import type { ReadPast } from '../../src/feature.ts';
import { joinedOutages, statesRead, withPastStates } from '../../src/months/joined-months.ts';
import { lengthOf, type MonthRecord } from '../../src/months/month-record.ts';
import { monthStates } from '../../src/months/month-states.ts';
import { StateChanges } from '../../src/slo/state-changes.ts';
import { emptyLog } from '../../src/slo/state-log.ts';
import { fillSpans } from '../../src/tally/apply-report.ts';
import { extent } from '../support/extent.ts';
import fc from '../support/fast-check.ts';
import { check, dayOracle, daysOf, known, type Life, lives, oracle } from './support/drawn-life.ts';

/** What is read of the states before first sight, or of all if they all lie before it. */
function pastOf({ spans, occurrences }: Life, isFirstSightLater: boolean, past: number): ReadPast {
  const before = isFirstSightLater ? spans : spans.slice(0, past);
  const [fromSeconds, toSeconds] = [before[0]?.fromSeconds ?? 0, before.at(-1)?.toSeconds ?? 0];
  const reported = before.filter((span) => span.state !== 'unmonitored') as Parameters<
    typeof fillSpans
  >[0];
  const states = fillSpans(reported, fromSeconds, toSeconds);
  return { fromSeconds, toSeconds, states, maintenance: occurrences };
}

/** The record of a check that was watched from its first sight on. */
function watched(life: Life): MonthRecord {
  const { month, occurrences, createdAtSeconds } = life;
  const source = { ...check, occurrences, createdAtSeconds: createdAtSeconds ?? 0 };
  return {
    ...{ kind: 'check', id: 1, name: 'shop', tags: [], groups: [], objective: 0.999 },
    ...monthStates(
      { ...source, known: known({ ...life, isPastRead: false }) },
      month,
      daysOf(month),
    ),
  };
}

const numRuns = extent(100, 1_000);

describe('the month of an item whose past was read', () => {
  test('is what it would be if all of it had been watched', () => {
    let completions = 0;
    fc.assert(
      fc.property(lives, (life) => {
        const { month, past, createdAtSeconds, occurrences } = life;
        const record = watched(life);
        const completed = withPastStates(
          pastOf(life, false, past),
          record,
          month,
          1,
          daysOf(month),
        );
        const whole = { ...life, isPastRead: true };
        const wanted = oracle(whole);
        const { seconds, maintenance, unwatched, outages, days } = completed ?? record;
        expect(days ?? []).toEqual(dayOracle(completed === undefined ? life : whole));
        expect({ seconds, maintenance, unwatched: lengthOf(unwatched) }).toEqual({
          seconds: wanted.seconds,
          maintenance: wanted.maintenance,
          unwatched: wanted.unwatched,
        });
        if (completed === undefined) return;
        completions += 1;
        expect(completed.readAfterwards).toEqual({ share: 'part', atSeconds: 1 });
        // An outage that began before the creation, which does not exist.
        if (createdAtSeconds !== undefined) return;
        const source = { ...check, occurrences, known: known(whole) };
        expect(outages).toEqual(monthStates(source, month).outages);
      }),
      { numRuns },
    );
    expect(completions).toBeGreaterThan(numRuns / 10);
  });

  test('has all seconds of a past that ends after it', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const { month, createdAtSeconds = 0, past } = life;
        const { toSeconds } = month;
        const begin = Math.max(month.fromSeconds, createdAtSeconds);
        const inLife = { fromSeconds: Math.min(begin, toSeconds), toSeconds };
        const states = statesRead(pastOf(life, true, past), inLife, daysOf(month));
        const wanted = oracle({ ...life, isPastRead: true });
        const { seconds, maintenance, unwatched, days } = states ?? {};
        if (states !== undefined) {
          expect(days ?? []).toEqual(dayOracle({ ...life, isPastRead: true }));
        }
        const isKnown = Object.values(wanted.seconds).some((sum) => sum !== undefined && sum > 0);
        expect({ seconds, maintenance, unwatched: unwatched && lengthOf(unwatched) }).toEqual({
          seconds: isKnown ? wanted.seconds : undefined,
          maintenance: isKnown ? wanted.maintenance : undefined,
          unwatched: isKnown ? wanted.unwatched : undefined,
        });
      }),
      { numRuns },
    );
  });

  test('lacks what lies between the past and the watch, and stays as it is without a past of it', () => {
    const month = { fromSeconds: 1_000_000, toSeconds: 3_600_000 };
    const up = { state: 'up', fromSeconds: 0, toSeconds: 1_500_000 } as const;
    const past = { fromSeconds: 0, toSeconds: 1_500_000, states: [up], maintenance: [] };
    const states = { startSeconds: 1_500_001, horizonSeconds: 4_000_000, state: 'up' } as const;
    const record = (startSeconds: number): MonthRecord => ({
      ...{ kind: 'check', id: 1, name: 'shop', tags: [], groups: [], objective: 0.999 },
      ...monthStates(
        {
          ...check,
          known: {
            states: { ...states, startSeconds },
            log: {
              ...emptyLog(startSeconds),
              changes: StateChanges.of([{ state: 'up', fromSeconds: startSeconds }]),
            },
          },
        },
        month,
      ),
    });
    const gap = { fromSeconds: 1_500_000, toSeconds: 1_500_001 };
    expect(withPastStates(past, record(1_500_001), month, 1)?.unwatched).toEqual([gap]);
    expect(withPastStates(past, record(1_500_000), month, 1)?.unwatched).toEqual([]);
    expect(
      withPastStates({ ...past, toSeconds: 900_000 }, record(1_500_000), month, 1),
    ).toBeUndefined();
  });
});

test('the outages of two months in a row are joined without a comparison of all with all', () => {
  let reads = 0;
  const outagesFrom = (begin: number) =>
    Array.from({ length: 1_000 }, (_, place) => ({
      get fromSeconds() {
        reads += 1;
        return begin + 20 * place;
      },
      toSeconds: begin + 20 * place + 10,
      causes: [],
      maintenance: 'none' as const,
    }));
  const joined = joinedOutages(outagesFrom(0), outagesFrom(20_000), 20_000);
  expect(joined).toHaveLength(2_000);
  expect(reads).toBeLessThan(100_000);
});
