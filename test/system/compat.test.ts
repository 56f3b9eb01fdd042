import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { hashUnit } from '../../src/lib/random.ts';
import { readPage, type Samples } from '../support/counter-watch.ts';
import { extent } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const minute = 60;
const hour = 60 * minute;
const week = 7 * 24 * hour;
const outageFamilies = [
  'pingdom_outages_total',
  'pingdom_up_seconds',
  'pingdom_down_seconds',
  'pingdom_uptime_slo_error_budget_available_seconds',
] as const;

async function scrapeAs(exporter: RestartableExporter, name: string): Promise<Samples> {
  const { body } = await request(`${exporter.url}/metrics?compat=${name}`);
  return readPage(await body.text()).samples;
}

/** The value of the only series that a check has in a family, keyed by id. */
function byCheck(samples: Samples, family: string): ReadonlyMap<number, number> {
  return new Map(
    [...samples].flatMap(([sample, value]): [number, number][] => {
      const id = sample.startsWith(`${family}{`) ? /\{id="(\d+)"/.exec(sample)?.[1] : undefined;
      return id === undefined ? [] : [[Number(id), value]];
    }),
  );
}

interface Reported {
  readonly outages: number;
  readonly up: number;
  readonly down: number;
}

/** The service's outage report about the week before `end`. */
function reportAt({ sandbox, now }: RestartableExporter, id: number, end: number): Reported {
  const check = sandbox.world.check(id);
  if (check === undefined) throw new Error(`the sandbox has no check ${id}`);
  const states = sandbox.history.segments(check, end - week, end, now);
  const of = (status: string) => states.filter((state) => state.status === status);
  const seconds = (status: string) => of(status).reduce((sum, { from, to }) => sum + to - from, 0);
  return { outages: of('down').length, up: seconds('up'), down: seconds('down') };
}

/**
 * Checks whose past was not requested, because the list shows no error within 35 days. Their pauses
 * before first sight count as up.
 */
function askedFor({ sandbox }: RestartableExporter): ReadonlySet<number> {
  return new Set(
    sandbox.journal.recent.flatMap(({ operation, path }) =>
      operation === 'list_outages' ? [Number(path.split('/').at(-1))] : [],
    ),
  );
}

/** The reports are as old as the last list, so the week may end up to one test before now. */
async function expectReports(exporter: RestartableExporter, shown: Samples): Promise<number> {
  const { items } = await exporter.disk.load('shop');
  const [outages, up, down] = outageFamilies.map((family) => byCheck(shown, family));
  const asked = askedFor(exporter);
  let failed = 0;
  for (const check of exporter.sandbox.world.checks) {
    const { id } = check;
    const told = { outages: outages?.get(id), up: up?.get(id), down: down?.get(id) };
    const horizon = items.check.get(id)?.states.horizonSeconds ?? 0;
    const resolution = check.runs.at(-1)?.resolutionSeconds ?? 0;
    const ends = Array.from({ length: resolution + 1 }, (_, place) => horizon + place);
    const candidates = ends
      .filter((end) => end <= exporter.now)
      .map((end) => reportAt(exporter, id, end));
    const fits = candidates.filter((report) =>
      asked.has(id)
        ? report.outages === told.outages && report.up === told.up && report.down === told.down
        : report.outages === told.outages &&
          report.down === told.down &&
          report.up <= (told.up ?? 0) &&
          (told.up ?? 0) + report.down <= week,
    );
    expect({ id, told, truth: candidates[0], fits: fits.length > 0 }).toMatchObject({ fits: true });
    if ((told.down ?? 0) > 0) failed += 1;
  }
  return failed;
}

describe('the families of other exporters', () => {
  test('tell the last seven days as the service does', async () => {
    const seed = 2;
    const exporter = await RestartableExporter.create({ seed, checks: 24, transactions: 0 });
    await exporter.start();
    await exporter.pass(extent(0.4, 1) * hour);
    let failed = 0;
    for (let draw = 0; draw < extent(2, 3); draw++) {
      await exporter.pass((0.5 + hashUnit(seed, draw)) * hour);
      const before = exporter.sandbox.journal.total;
      const kokuwaio = await scrapeAs(exporter, 'kokuwaio');
      const jusbrasil = await scrapeAs(exporter, 'jusbrasil');
      await scrapeAs(exporter, 'giantswarm');
      expect(exporter.sandbox.journal.total).toBe(before);
      failed += await expectReports(exporter, kokuwaio);
      for (const family of outageFamilies) {
        expect(byCheck(jusbrasil, family)).toEqual(byCheck(kokuwaio, family));
      }
    }
    expect(failed).toBeGreaterThan(extent(6, 10));
    expect(askedFor(exporter).size).toBeGreaterThan(5);
  });

  test('are absent while the past of a check is not known, and only then', async () => {
    const exporter = await RestartableExporter.create({ seed: 2, checks: 24, transactions: 0 });
    exporter.sandbox.faults.inject({ kind: 'status-500', operation: 'list_outages' });
    await exporter.start();
    await exporter.pass(2 * minute);
    const early = await scrapeAs(exporter, 'kokuwaio');
    const checks = exporter.sandbox.world.checks.length;

    expect(byCheck(early, 'pingdom_uptime_status').size).toBe(checks);
    expect(byCheck(early, 'pingdom_uptime_slo_error_budget_total_seconds').size).toBe(checks);
    for (const family of outageFamilies) {
      const known = [...byCheck(early, family).keys()];
      expect(known.length).toBeGreaterThan(0);
      expect(known.length).toBeLessThan(checks);
      for (const id of known) {
        const { outages } = reportAt(exporter, id, exporter.now);
        expect({ id, outages }).toEqual({ id, outages: 0 });
      }
    }
    exporter.sandbox.faults.clear();
    await exporter.pass(hour);
    expect(byCheck(await scrapeAs(exporter, 'kokuwaio'), 'pingdom_down_seconds').size).toBe(checks);
  });
});
