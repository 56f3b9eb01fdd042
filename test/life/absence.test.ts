import { expect, test } from 'vitest';
import { casesOf } from '../support/extent.ts';
import { checkStates } from '../support/service-truth.ts';
import { bookedSpan, shownOf } from '../support/shown-totals.ts';
import { countersOnly } from '../support/states-only.ts';
import { CountedChecker } from './counted-checker.ts';
import { away, down, type Life, pause, play, type Script } from './script.ts';

const minute = 60;

/** A pause of each of five checks while the exporter is away, and an outage of one of them. */
const absent: Script = {
  checks: 5,
  minutes: 300,
  datasets: countersOnly,
  events: [
    away(20, 200),
    ...[0, 1, 2, 3, 4].map((check) => pause(check, 60 + check, 60)),
    down(3, 160, 20),
  ],
};

const cases = [
  ['3.1', {}],
  ['2.1', {}],
  ['2.0', {}],
  ['3.1', { reportLagSeconds: { min: 900, max: 900 } }],
] as const;

test.each(casesOf(cases, 1, 3))(
  'a pause while the exporter was away is counted as time that was not monitored: API %s, %o',
  async (version, wire) => {
    let life: Life | undefined;
    // Nothing tells a pause from an unknown status if reports show it as one.
    const shown = { ...wire, pausesInReports: 'absent' } as const;
    const { broken } = await play({ ...absent, version, wire: shown }, (one) => {
      life = one;
      return new CountedChecker(one);
    });
    const { world } = life as unknown as Life;

    expect(broken).toEqual([]);
    const samples = await world.scrape();
    for (const [id, item] of (await world.disk.load('shop')).items.check) {
      const { seconds } = checkStates(world.sandbox, id, bookedSpan(item), world.now);
      const shown = shownOf(samples, 'check', 'shop', id).seconds;
      const missed = seconds.unmonitored - shown.unmonitored;
      expect(seconds.unmonitored).toBeGreaterThan(50 * minute);
      expect(Math.abs(missed), `unmonitored of ${id}`).toBeLessThan(minute);
    }
  },
);
