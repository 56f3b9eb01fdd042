import { describe, expect, test } from 'vitest';
import { documentedWire, type Wire } from '../../sandbox/src/wire.ts';
import { CountedChecker } from '../life/counted-checker.ts';
import { drawDays } from '../life/day-scripts.ts';
import { play } from '../life/script.ts';

/** SEED=n plays other days. A day takes about 4 s. */
const firstSeed = Number(process.env.SEED ?? 1);
const cases: readonly [string, number, number, Partial<Wire>][] = [
  // Longer than the long window of the limits.
  ['as recorded', 31, firstSeed, {}],
  ['as documented', 10, firstSeed + 1, documentedWire],
];

describe.each(cases)('a service that responds with %s', (_, days, seed, wire) => {
  test(`over ${days} days of outages, pauses, faults, droughts, full disks and crashes every counter agrees with the service and none steps back`, async () => {
    const script = drawDays({ seed, days, wire, limits: [400, 72_000] });
    const { broken } = await play(script, (life) => new CountedChecker(life, { share: 0 }));
    expect(broken).toEqual([]);
  });
});
