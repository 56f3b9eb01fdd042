import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SecondsByState } from '../../src/domain/tally.ts';
import type { StateTally } from '../../src/tally/state-tally.ts';
import { type Outcome, play, type Scenario } from '../support/tally-driver.ts';

const scenarios = (watchful: boolean) =>
  fc.record({
    seed: fc.nat(1_000_000),
    resolutionMinutes: fc.constantFrom(1, 5, 15),
    dialect: fc.constantFrom('3.1' as const, '2.x' as const),
    watchful: fc.constant(watchful),
    days: watchful ? fc.integer({ min: 2, max: 6 }) : fc.integer({ min: 5, max: 30 }),
  });

/** A list that shows `unknown` is read while the exporter's clock is hours behind the tests. */
const seenByAClockThatIsBehind: Scenario = {
  seed: 19,
  resolutionMinutes: 1,
  dialect: '3.1',
  watchful: false,
  days: 5,
};

/** Fails when a tally does not add up or takes back what an earlier one showed. */
function watchLaws(): (tally: StateTally) => void {
  let shown: StateTally | undefined;
  return (tally) => {
    const { up, down, unknown, unmonitored } = tally.seconds;
    expect(up + down + unknown + unmonitored).toBe(tally.horizonSeconds - tally.startSeconds);
    if (shown !== undefined) {
      expect(tally.startSeconds).toBe(shown.startSeconds);
      expect(tally.horizonSeconds).toBeGreaterThanOrEqual(shown.horizonSeconds);
      expect(tally.outages).toBeGreaterThanOrEqual(shown.outages);
      for (const state of ['up', 'down', 'unknown', 'unmonitored'] as const) {
        expect(tally.seconds[state]).toBeGreaterThanOrEqual(shown.seconds[state]);
      }
    }
    shown = tally;
  };
}

interface Truth {
  readonly seconds: SecondsByState;
  readonly outages: number;
  /** Seconds of spans in which the list was never read. */
  readonly unseen: { readonly unknown: number; readonly unmonitored: number };
}

function truthOf({ history, check, tally, end, looks }: Outcome): Truth {
  const { startSeconds, horizonSeconds } = tally;
  const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  const unseen = { unknown: 0, unmonitored: 0 };
  let outages = 0;
  const add = (status: keyof SecondsByState, from: number, to: number) => {
    seconds[status] += to - from;
    if (status === 'down' && from > startSeconds) outages += 1;
    if (status !== 'unknown' && status !== 'unmonitored') return;
    if (!looks.some((look) => from <= look && look < to)) unseen[status] += to - from;
  };
  let covered = startSeconds;
  for (const { status, from, to } of history.segments(check, startSeconds, horizonSeconds, end)) {
    if (from > covered) add('unmonitored', covered, from);
    add(status, from, to);
    covered = to;
  }
  if (covered < horizonSeconds) add('unmonitored', covered, horizonSeconds);
  return { seconds, outages, unseen };
}

async function run(scenario: Scenario) {
  const outcome = await play(scenario, watchLaws());
  return { ...outcome, truth: truthOf(outcome) };
}

test('while the list is watched, every second and every outage is as the service reports it', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios(true), async (scenario) => {
      const { tally, truth } = await run(scenario);

      expect({ ...tally.seconds, outages: tally.outages }).toEqual({
        ...truth.seconds,
        outages: truth.outages,
      });
    }),
    { numRuns: 20 },
  );
}, 300_000);

test('through gaps, restarts, faults and droughts, down seconds and outages stay exact, and only what no list showed reads as up', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios(false), async (scenario) => {
      const { tally, truth, end } = await run(scenario);

      expect({ down: tally.seconds.down, outages: tally.outages }).toEqual({
        down: truth.seconds.down,
        outages: truth.outages,
      });
      for (const state of ['unknown', 'unmonitored'] as const) {
        const missed = truth.seconds[state] - tally.seconds[state];
        expect(missed).toBeGreaterThanOrEqual(0);
        expect(missed).toBeLessThanOrEqual(truth.unseen[state]);
      }
      expect(end - tally.horizonSeconds).toBeLessThan(7200);
    }),
    { numRuns: 60, examples: [[seenByAClockThatIsBehind]] },
  );
}, 300_000);
