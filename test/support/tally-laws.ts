import { expect } from 'vitest';
import fc from './fast-check.ts';
import { addUp, type StateTruth } from './service-truth.ts';
import { type CountedTally, type Outcome, play, type Scenario } from './tally-driver.ts';

const scenarios = (watchful: boolean) =>
  fc.record<Scenario>({
    seed: fc.nat(1_000_000),
    resolutionMinutes: fc.constantFrom(1, 5, 15, 60),
    lagSeconds: fc.constantFrom(0, 20, 300, 1_800),
    hasLateOutcomes: fc.boolean(),
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

/** The resolution changes while it is down. */
const outageOfTwoResolutions: Scenario = {
  seed: 788_733,
  resolutionMinutes: 5,
  dialect: '3.1',
  watchful: true,
  days: 2,
};

/**
 * It is paused while unknown, 31 seconds after a test that is the newest for the exporter's slow
 * clock.
 */
const pausedWhileUnknown: Scenario = {
  seed: 366_686,
  resolutionMinutes: 1,
  dialect: '3.1',
  watchful: false,
  days: 11,
};

/** A list that lags shows a pause after a newer one has shown the tests that followed it. */
const seenTooLate: Scenario = {
  seed: 392_363,
  resolutionMinutes: 60,
  lagSeconds: 1_800,
  dialect: '3.1',
  watchful: false,
  days: 6,
};

/** The next test of an hourly check confirms a failure, and the check is unknown after it. */
const confirmedBeforeUnknown: Scenario = {
  seed: 284_635,
  resolutionMinutes: 60,
  lagSeconds: 1_800,
  dialect: '3.1',
  watchful: false,
  days: 14,
};

/** A report lacks an outage that only a list has, whose tests are ahead of the exporter's clock. */
const listedAheadOfTheClock: Scenario = {
  seed: 8,
  resolutionMinutes: 60,
  lagSeconds: 300,
  hasLateOutcomes: true,
  dialect: '2.x',
  watchful: false,
  days: 12,
};

/** It is paused while unknown, and a clock that is behind hides how long the list showed the pause. */
const pausedUnseenWhileUnknown: Scenario = {
  seed: 458_679,
  resolutionMinutes: 5,
  dialect: '3.1',
  watchful: false,
  days: 22,
};

/** A list of half an hour ago shows a pause, and the check has been unknown since its end. */
const unknownAfterAPause: Scenario = {
  seed: 3,
  resolutionMinutes: 1,
  lagSeconds: 1_800,
  hasLateOutcomes: true,
  dialect: '3.1',
  watchful: false,
  days: 17,
};

const hardLives = [
  ...[seenByAClockThatIsBehind, pausedWhileUnknown, seenTooLate],
  ...[confirmedBeforeUnknown, listedAheadOfTheClock],
  ...[pausedUnseenWhileUnknown, unknownAfterAPause],
];

/** Fails if a tally does not add up or decreases compared with an earlier one. */
function watchLaws(): (tally: CountedTally) => void {
  let shown: CountedTally | undefined;
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

function truthOf({ history, check, tally, end, looks }: Outcome): StateTruth {
  const { startSeconds: fromSeconds, horizonSeconds: toSeconds } = tally;
  const states = history
    .segments(check, fromSeconds, toSeconds, end)
    .map(({ status, from, to }) => ({ state: status, fromSeconds: from, toSeconds: to }));
  return addUp(states, { fromSeconds, toSeconds }, looks);
}

async function run(scenario: Scenario) {
  const outcome = await play(scenario, watchLaws());
  return { ...outcome, truth: truthOf(outcome) };
}

/** While the list is read regularly, the tally equals the service's report to the second. */
export async function expectExactWhileWatched(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(scenarios(true), async (scenario) => {
      const { tally, truth } = await run(scenario);

      expect({ ...tally.seconds, outages: tally.outages }).toEqual({
        ...truth.seconds,
        outages: truth.outages,
      });
    }),
    { numRuns, examples: [[outageOfTwoResolutions]] },
  );
}

/** Gaps, restarts, faults and droughts lose no second of downtime and no outage. */
export async function expectExactThroughGaps(numRuns: number): Promise<void> {
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
      expect(end - tally.horizonSeconds).toBeLessThan(7200 + (scenario.lagSeconds ?? 0));
    }),
    { numRuns, examples: hardLives.map((scenario) => [scenario]) },
  );
}
