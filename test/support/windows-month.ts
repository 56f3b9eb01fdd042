import { expect } from 'vitest';
import type { ApiVersion } from '../../src/domain/version.ts';
import { accountsByVersion } from './accounts-by-version.ts';
import { type MonthScenario, playMonth } from './month-driver.ts';
import { windowVerdict } from './window-truth.ts';

/**
 * Plays days of outages, pauses, faults, droughts, full disks and kills, after some of which the
 * store is that of the previous day. Compares every ratio, burn rate and budget at random moments
 * with the states of all seconds.
 */
export async function expectTrueWindows(version: ApiVersion, days: number): Promise<void> {
  const wrong: string[] = [];
  let compared = 0;
  const compare: NonNullable<MonthScenario['atMoment']> = async (exporter, samples, looks) => {
    const verdict = await windowVerdict(exporter, samples, looks);
    wrong.push(...verdict.wrong);
    compared += verdict.compared;
  };
  const month = await playMonth({
    seed: Number(process.env.SEED ?? 1),
    limits: { shortLimit: 400, longLimit: 72_000 },
    days,
    account: accountsByVersion[version],
    // Only 3.1 has transactions.
    transactionIntervals: version === '3.1' ? [5, 20, 60, 720, 1440] : [],
    losesDays: true,
    atMoment: compare,
  });
  await month.exporter.pass(3600);
  await compare(month.exporter, await month.exporter.scrape(), month.looks);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(8);
}
