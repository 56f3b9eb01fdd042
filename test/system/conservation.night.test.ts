import { describe, expect, test } from 'vitest';
import { documentedWire, type Wire } from '../../sandbox/src/wire.ts';
import { playMonth } from '../support/month-driver.ts';
import { catchUp, expectMonthsTruth } from '../support/months-truth.ts';

/** SEED=n plays other days. A day takes about 4 s. */
const firstSeed = Number(process.env.SEED ?? 1);
const cases: readonly [string, number, number, Partial<Wire>][] = [
  // Longer than the long window of the limits.
  ['as recorded', 31, firstSeed, {}],
  ['as documented', 10, firstSeed + 1, documentedWire],
];

describe.each(cases)('a service that responds with %s', (_, days, seed, wire) => {
  test(`over ${days} days of outages, pauses, faults, droughts, full disks and crashes every counter agrees with the service and none steps back`, async () => {
    const limits = { shortLimit: 400, longLimit: 72_000 };
    const month = await playMonth({ seed, limits, days, wire });
    await catchUp(month);

    expect(month.crashes).toBeGreaterThan(3);
    await expectMonthsTruth(month);
  });
});
