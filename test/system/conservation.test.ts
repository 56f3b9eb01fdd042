import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredAccount } from '../../src/store/store.ts';
import type { Samples } from '../support/counter-watch.ts';
import { type Month, type MonthScenario, playMonth } from '../support/month-driver.ts';
import { checkResults, checkStates, transactionStatesTruth } from '../support/service-truth.ts';
import { bookedSpan, readSpan, shownOf, shownResults } from '../support/shown-totals.ts';

const minute = 60;
const hour = 60 * minute;
/** In a drought the budget comes back with the next hour; a check tested every hour waits for its next tests. */
const mostHoursToCatchUp = 12;

const limits = fc.constantFrom(
  { shortLimit: 400, longLimit: 72_000 },
  { shortLimit: 4_000, longLimit: 720_000 },
);

const months = fc.record<MonthScenario>({
  seed: fc.nat(1_000_000),
  limits,
  days: fc.constant(30),
});

/** Lets the exporter run undisturbed until all that was before is booked. */
async function catchUp({ exporter }: Month): Promise<void> {
  const end = exporter.now;
  for (let waited = 0; waited < mostHoursToCatchUp; waited++) {
    await exporter.pass(hour);
    const { check, transaction } = (await exporter.disk.load('shop')).items;
    const booked = [...check.values(), ...transaction.values()];
    if (booked.every(({ states }) => states.horizonSeconds >= end)) return;
  }
}

function expectTheTruth(month: Month, samples: Samples, stored: StoredAccount['items']): void {
  const { exporter, looks } = month;
  const { sandbox, now } = exporter;
  expect([...stored.check.keys()].sort()).toEqual(sandbox.world.checks.map(({ id }) => id).sort());
  for (const [id, item] of stored.check) {
    const span = bookedSpan(item);
    const truth = checkStates(sandbox, id, span, now, looks);
    const { seconds, outages } = shownOf(samples, 'check', 'shop', id);
    const { up, down, unknown, unmonitored } = seconds;
    expect(up + down + unknown + unmonitored).toBe(span.toSeconds - span.fromSeconds);
    expect({ id, down, outages }).toEqual({
      id,
      down: truth.seconds.down,
      outages: truth.outages,
    });
    for (const state of ['unknown', 'unmonitored'] as const) {
      const missed = truth.seconds[state] - seconds[state];
      expect(missed, `${state} of check ${id}`).toBeGreaterThanOrEqual(0);
      expect(missed, `${state} of check ${id}`).toBeLessThanOrEqual(truth.unseen[state]);
    }
    expect(readSpan(item).fromSeconds).toBe(span.fromSeconds);
    const results = checkResults(sandbox, id, readSpan(item));
    expect({ id, ...shownResults(samples, 'shop', id) }).toEqual({ id, ...results });
  }
  expect(stored.transaction.size).toBe(sandbox.world.transactions.all.length);
  for (const [id, item] of stored.transaction) {
    const { seconds, outages } = transactionStatesTruth(sandbox, id, bookedSpan(item), now);
    const shown = shownOf(samples, 'transaction', 'shop', id);
    expect({ id, ...shown }).toEqual({ id, seconds, outages });
  }
  for (const { states } of [...stored.check.values(), ...stored.transaction.values()]) {
    expect(now - states.horizonSeconds).toBeLessThan(mostHoursToCatchUp * hour);
    const firstSeen = looks[0] ?? Number.NaN;
    expect(Math.abs(states.startSeconds - firstSeen)).toBeLessThan(5 * minute);
  }
}

test('over a month of outages, pauses, faults, droughts, full disks and crashes every counter agrees with the service and none steps back', async () => {
  await fc.assert(
    fc.asyncProperty(months, async (scenario) => {
      const month = await playMonth(scenario);
      await catchUp(month);
      const { exporter, crashes } = month;
      const samples = await exporter.scrape();
      const { items } = await exporter.disk.load('shop');

      expect(crashes).toBeGreaterThan(3);
      expect(exporter.watch.backsteps).toEqual([]);
      expectTheTruth(month, samples, items);
    }),
    // The same month at every run; SEED=n plays another.
    { numRuns: 1, endOnFailure: true, seed: Number(process.env.SEED ?? 1) },
  );
}, 600_000);
