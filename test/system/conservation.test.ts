import { expect, test } from 'vitest';
import fc from '../support/fast-check.ts';
import { type MonthScenario, playMonth } from '../support/month-driver.ts';
import { catchUp, expectMonthsTruth } from '../support/months-truth.ts';

const months = fc.record<MonthScenario>({
  seed: fc.nat(1_000_000),
  limits: fc.constantFrom(
    { shortLimit: 400, longLimit: 72_000 },
    { shortLimit: 4_000, longLimit: 720_000 },
  ),
  days: fc.constant(1),
});

/** The night plays a whole month. */
test('over a day of outages, pauses, faults, droughts, full disks and crashes every counter agrees with the service and none steps back', async () => {
  await fc.assert(
    fc.asyncProperty(months, async (scenario) => {
      const month = await playMonth(scenario);
      await catchUp(month);

      expect(month.crashes).toBeGreaterThan(0);
      await expectMonthsTruth(month);
    }),
    // The same days in every run; SEED=n plays others.
    { numRuns: 1, endOnFailure: true, seed: Number(process.env.SEED ?? 1) },
  );
});
