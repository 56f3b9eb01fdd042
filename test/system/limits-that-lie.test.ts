import { describe, expect, test } from 'vitest';
import type { FaultName } from '../../sandbox/src/faults/faults.ts';
import { casesOf, extent } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const minute = 60;
const hour = 60 * minute;
const probes = 'uptime_exporter_probe_requests_total{account="shop"}';
const up = 'uptime_up{account="shop"}';

async function watched(shortLimit: number, longLimit: number): Promise<RestartableExporter> {
  const limits = { shortLimit, longLimit };
  // A probe whose response has no limits is followed by the next one an hour later.
  const wire = { missingLimits: 0, stray401: 0, stray403: 0 };
  const exporter = await RestartableExporter.create({
    checks: 6,
    transactions: 0,
    wire,
    ...limits,
  });
  await exporter.start();
  await exporter.pass(extent(0.5, 2) * hour);
  expect((await exporter.scrape()).get(probes)).toBe(0);
  return exporter;
}

/** Minutes until there is a fresh list again. */
async function minutesOfSilence(exporter: RestartableExporter): Promise<number> {
  for (let minutes = 0; minutes < 200; minutes++) {
    const before = exporter.sandbox.journal.countOfOperation('list_checks');
    await exporter.pass(minute);
    if (
      exporter.sandbox.journal.countOfOperation('list_checks') >
      before + (minutes === 0 ? 1 : 0)
    ) {
      return minutes;
    }
  }
  throw new Error('it does not poll any more');
}

describe.each<FaultName>([
  'absurd-limit-remaining',
  'absurd-limit-reset',
  'nothing-left-limit-headers',
])('one reply with %s', (kind) => {
  test.each(casesOf([false, true], 1))(
    'silences nothing for longer than an hour; restarted: %s',
    async (restarted) => {
      const exporter = await watched(400, 72_000);
      const { faults, journal, limits } = exporter.sandbox;
      faults.inject({ kind, times: 1 });
      await exporter.pass(5 * minute);
      expect(faults.active).toEqual([]);
      if (restarted) {
        await exporter.stop();
        await exporter.start();
      }

      expect(await minutesOfSilence(exporter)).toBeLessThanOrEqual(61);
      await exporter.pass(extent(0.5, 2) * hour);

      const samples = await exporter.scrape();
      expect(samples.get(up)).toBe(1);
      expect(samples.get(probes)).toBeLessThanOrEqual(1);
      expect(journal.countOfStatus(429)).toBe(0);
      expect(limits.reading('short').remaining).toBeGreaterThanOrEqual(79);
      expect(exporter.log.join('')).toMatch(
        /level=warn msg="(implausible rate-limit header|rate-limit header above|probe request sent)/,
      );
    },
  );
});

test.each(casesOf([false, true], 0))(
  'an account that moves to a smaller plan is polled within an hour and keeps the new reserve; restarted: %s',
  async (restarted) => {
    const exporter = await watched(11_600, 2_088_000);
    const { limits, journal } = exporter.sandbox;
    limits.resize({ shortLimit: 400, longLimit: 72_000 });
    await exporter.pass(3 * minute);
    if (restarted) {
      await exporter.stop();
      await exporter.start();
    }

    expect(await minutesOfSilence(exporter)).toBeLessThanOrEqual(61);
    let lowest = 400;
    for (let minutes = 0; minutes < 240; minutes += 5) {
      await exporter.pass(5 * minute);
      lowest = Math.min(lowest, limits.reading('short').remaining);
    }

    expect((await exporter.scrape()).get(up)).toBe(1);
    expect(lowest).toBeGreaterThanOrEqual(79);
    expect(journal.countOfStatus(429)).toBe(0);
    expect(exporter.log.join('')).toMatch(/msg="rate limit decreased".*window=short/);
  },
);
