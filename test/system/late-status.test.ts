import { expect, test } from 'vitest';
import { accountsByVersion } from '../support/accounts-by-version.ts';
import { casesOf, extent } from '../support/extent.ts';
import { playMonth } from '../support/month-driver.ts';
import { catchUp, expectCountedTruth, expectMonthsTruth } from '../support/months-truth.ts';

const cases = casesOf(['3.1', '2.1', '2.0'] as const, 2);

test.each(cases)(
  'with API %s, lists that show tests up to 40 seconds before their outcomes leave no wrong second',
  async (version) => {
    let moments = 0;
    const life = await playMonth({
      seed: Number(process.env.SEED ?? 3),
      limits: { shortLimit: 4_000, longLimit: 720_000 },
      days: extent(1, Number(process.env.DAYS ?? 4)),
      account: accountsByVersion[version],
      transactionIntervals: [],
      wire: { lateStatusSeconds: 40 },
      atMoment: async (exporter, samples, looks) => {
        moments += 1;
        await expectCountedTruth(exporter, samples, looks);
      },
    });
    await catchUp(life);

    await expectMonthsTruth(life);
    expect(moments).toBeGreaterThan(0);
  },
);
