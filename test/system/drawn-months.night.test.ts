import { expect, test } from 'vitest';
import { drawWire } from '../../sandbox/src/wire.ts';
import { accountsByVersion } from '../support/accounts-by-version.ts';
import { playMonth } from '../support/month-driver.ts';
import { catchUp, expectCountedTruth, expectMonthsTruth } from '../support/months-truth.ts';
import { wrongFacts } from '../support/service-facts.ts';
import { windowVerdict } from '../support/window-truth.ts';

/** SEED=n and SEEDS=m play m other lives with other wires, from seed n on. */
const firstSeed = Number(process.env.SEED ?? 1);
const seeds = Number(process.env.SEEDS ?? 60);
const versions = ['3.1', '2.1', '2.0'] as const;
const lives = Array.from({ length: seeds }, (_, place) => {
  const seed = firstSeed + place;
  return [seed, versions[seed % versions.length] ?? '3.1'] as const;
});

test.each(lives)(
  'with the wire of seed %d and API %s, nothing on a page is ever wrong in a week, and every counter is the truth',
  async (seed, version) => {
    const wrong: string[] = [];
    const life = await playMonth({
      seed,
      wire: drawWire(seed),
      limits: { shortLimit: 4_000, longLimit: 720_000 },
      days: Number(process.env.DAYS ?? 7),
      account: accountsByVersion[version],
      transactionIntervals: version === '3.1' ? [5, 20, 60] : [],
      atMoment: async (exporter, samples, looks) => {
        await expectCountedTruth(exporter, samples, looks);
        wrong.push(...(await windowVerdict(exporter, samples, looks)).wrong);
        wrong.push(...wrongFacts(exporter, samples));
      },
    });
    await catchUp(life);

    await expectMonthsTruth(life);
    expect(wrong).toEqual([]);
  },
);
