import { expect, test } from 'vitest';
import { accountsByVersion } from '../support/accounts-by-version.ts';
import { casesOf, extent } from '../support/extent.ts';
import { playMonth } from '../support/month-driver.ts';
import { catchUp, expectCountedTruth, expectMonthsTruth } from '../support/months-truth.ts';
import { wrongFacts } from '../support/service-facts.ts';
import { windowVerdict } from '../support/window-truth.ts';

const seconds = (min: number, max: number) => ({ min, max });

/** How far the service's data lag. */
const lags = [
  ['reports of up to 30 minutes ago', { reportLagSeconds: seconds(0, 1_800) }],
  [
    'lists of up to 4 minutes ago, reports of up to 2, late results and missed outages',
    {
      listLagSeconds: seconds(0, 240),
      reportLagSeconds: seconds(0, 120),
      lateResultSeconds: 1_800,
      missedOutages: 0.9,
    },
  ],
  ['reports of always 10 minutes ago', { reportLagSeconds: seconds(600, 600), missedOutages: 0.9 }],
  [
    'lists and reports of up to 30 minutes ago',
    { listLagSeconds: seconds(0, 1_800), reportLagSeconds: seconds(0, 1_800) },
  ],
  // What lags twice, such as a late result in a report of an earlier moment, stays within the
  // longest lag that the exporter expects (35 minutes).
  [
    'lists and reports of up to 15 minutes ago, late results and missed outages',
    {
      listLagSeconds: seconds(0, 900),
      reportLagSeconds: seconds(0, 900),
      lateResultSeconds: 900,
      missedOutages: 0.9,
    },
  ],
] as const;

const week = 7;
const cases = casesOf(
  [
    ['3.1', 1, ...lags[0]],
    ['3.1', 1, ...lags[1]],
    ['2.1', 1, ...lags[0]],
    ['2.1', 1, ...lags[1]],
    ['2.0', 1, ...lags[2]],
    ['2.1', week, ...lags[3]],
    ['2.1', week, ...lags[4]],
    ['2.0', week, ...lags[3]],
    ['2.0', week, ...lags[4]],
    ['3.1', 2 * week, ...lags[4]],
  ] as const,
  1,
);

test.each(cases)(
  'with API %s, for %d days, and %s nothing on a page is ever wrong, and every counter is the truth once the lag is over',
  async (version, daysInAll, _, settings) => {
    const wrong: string[] = [];
    let moments = 0;
    const days = extent(0.25, Number(process.env.DAYS ?? daysInAll));
    const life = await playMonth({
      seed: Number(process.env.SEED ?? 5),
      limits: { shortLimit: 4_000, longLimit: 720_000 },
      days,
      account: accountsByVersion[version],
      transactionIntervals: version === '3.1' ? [5, 20, 60] : [],
      wire: settings,
      // A long life has as many compared moments as five days.
      momentShare: Math.min(0.2, 1 / days),
      atMoment: async (exporter, samples, looks) => {
        moments += 1;
        await expectCountedTruth(exporter, samples, looks);
        wrong.push(...(await windowVerdict(exporter, samples, looks)).wrong);
        wrong.push(...wrongFacts(exporter, samples));
      },
    });
    await catchUp(life);

    await expectMonthsTruth(life);
    expect(wrong).toEqual([]);
    expect(moments).toBeGreaterThan(0);
  },
);
