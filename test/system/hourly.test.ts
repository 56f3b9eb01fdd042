import { expect, test } from 'vitest';
import { accountsByVersion } from '../support/accounts-by-version.ts';
import type { Samples } from '../support/counter-watch.ts';
import { casesOf, extent } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { wrongFacts } from '../support/service-facts.ts';

const minute = 60;
const hour = 60 * minute;

const zones = [
  ['UTC', 0],
  ['Asia/Kolkata', 30 * minute],
  ['Asia/Kathmandu', 15 * minute],
] as const;

/** The values of the last whole hour of a check on the page. */
function shownHour(samples: Samples, id: number) {
  const sample = (what: string) =>
    samples.get(`uptime_check_hourly_${what}{account="shop",check_id="${id}"}`);
  return {
    start: sample('start_timestamp_seconds') ?? Number.NaN,
    up: sample('uptime_seconds'),
    down: sample('downtime_seconds'),
    unmonitored: sample('unmonitored_seconds'),
    average: sample('average_response_time_seconds'),
  };
}

/** Version 3.1 with every time zone except the half-hour one, which the older versions have. */
const cases = Object.values(accountsByVersion).flatMap((account) =>
  zones
    .filter(([, offset]) => (account.version === '3.1') !== (offset === 30 * minute))
    .map(([timeZone, offset]) => [account.version, timeZone, offset, account] as const),
);

test.each(casesOf(cases, 1))(
  'in API %s an hour in %s is shown when the service has all of it',
  async (_version, timeZone, offset, account) => {
    const exporter = await RestartableExporter.create({
      checks: 8,
      transactions: 0,
      wire: { timeZone },
    });
    const { world, history } = exporter.sandbox;
    const begin = exporter.now;
    for (const { id } of world.checks.slice(0, 3)) {
      world.plant({ checkId: id, status: 'down', from: begin, to: begin + 2.6 * hour });
    }
    await exporter.start(account);
    let seen = 0;
    for (let passed = 0; passed < 4; passed++) {
      await exporter.pass(hour);
      const samples = await exporter.scrape();
      for (const check of world.checks) {
        const { start, up, down, unmonitored, average } = shownHour(samples, check.id);
        if (Number.isNaN(start)) continue;
        seen += 1;
        const segments = history.segments(check, start, start + hour, exporter.now);
        const seconds = (state: string) =>
          segments
            .filter(({ status }) => status === state)
            .reduce((sum, { from, to }) => sum + to - from, 0);
        const truth = { up: seconds('up'), down: seconds('down') };
        expect((start - offset) % hour).toBe(0);
        expect({ id: check.id, up, down }).toEqual({ id: check.id, ...truth });
        expect(unmonitored).toBe(hour - truth.up - truth.down);
        expect(average === undefined || average > 0).toBe(true);
        if (truth.up === 0) expect(average).toBeUndefined();
        expect(exporter.now - start).toBeLessThan(4.5 * hour);
      }
    }
    // Of eight checks one is never tested.
    expect(seen).toBeGreaterThan(4 * 6);
  },
);

test('reports that lag give no wrong hour', async () => {
  const wire = { reportLagSeconds: { min: 0, max: 30 * minute } };
  const exporter = await RestartableExporter.create({ checks: 8, transactions: 0, wire });
  await exporter.start();
  const wrong: string[] = [];
  let shown = 0;
  for (let passed = 0; passed < extent(4, 24) * 6; passed++) {
    await exporter.pass(10 * minute);
    const samples = await exporter.scrape();
    wrong.push(...wrongFacts(exporter, samples));
    shown += [...samples.keys()].filter((name) => /hourly_uptime/.test(name)).length;
  }

  expect(wrong).toEqual([]);
  expect(shown).toBeGreaterThan(60);
});
