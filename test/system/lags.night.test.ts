import { test } from 'vitest';
import { CountedChecker, expectCounted } from '../life/counted-checker.ts';
import { drawDays } from '../life/day-scripts.ts';
import { play } from '../life/script.ts';
import { casesOf, extent } from '../support/extent.ts';

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
  async (version, daysInAll, _, wire) => {
    const seed = Number(process.env.SEED ?? 5);
    const days = extent(0.25, Number(process.env.DAYS ?? daysInAll));
    const script = drawDays({ seed, version, days, wire });
    // A long life has as many compared moments as five days.
    const share = Math.min(0.2, 1 / days);
    const { watcher } = await play(script, (life) => new CountedChecker(life, { share }));
    expectCounted(watcher);
  },
);
