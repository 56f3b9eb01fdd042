import { expect, onTestFinished, test } from 'vitest';
import { recordedWire } from '../../sandbox/src/wire.ts';
import { World } from '../life/world.ts';
import { servedOnly } from '../support/served-only.ts';
import { statesOnly } from '../support/states-only.ts';

const [minute, hour, day] = [60, 3_600, 86_400];
const at = (text: string) => Date.parse(text) / 1000;
const begin = at('2026-10-30T06:17:00Z');

interface Report {
  readonly state: string;
  readonly items: readonly {
    readonly id: number;
    readonly down_seconds: number;
    readonly unwatched_seconds: number;
    readonly read_afterwards?: string;
  }[];
}

async function rowOf(world: World, id: number, month: string) {
  const { items } = JSON.parse(await world.get(`/report.json?month=${month}`)) as Report;
  return items.find((one) => one.id === id);
}

async function jobOf(world: World, query = '') {
  return JSON.parse(await world.get(`/-/backfill${query}`)).accounts[0];
}

/** Begins the job of `uptime-exporter months`, and resolves when it has ended. */
async function readMonths(world: World, from: string): Promise<void> {
  expect(await world.post(`/-/backfill?from=${from}`)).toMatchObject({ status: 202 });
  for (let turn = 0; turn < 30; turn++) {
    await world.pass(10 * minute);
    if ((await jobOf(world)).job?.state === 'done') return;
  }
  throw new Error(`the job did not end: ${JSON.stringify(await jobOf(world))}`);
}

/** A check is down for 20 minutes while its outage reports are malformed, which lasts a day. */
async function worldWithGivenUpOutage() {
  const world = World.inMemory({
    checks: 2,
    transactions: 0,
    datasets: statesOnly,
    served: servedOnly(),
    shortLimit: 60,
    longLimit: 43_200,
    startMilliseconds: begin * 1000,
    wire: { ...recordedWire, attributes: 'present' },
  });
  onTestFinished(() => world.stop());
  const { world: service, faults } = world.sandbox;
  for (const { id } of service.maintenance.windows.all) service.maintenance.remove(id);
  for (const check of service.checks) {
    const run = { from: begin - 100 * day, resolutionSeconds: minute, phaseSeconds: 7 };
    const created = begin - 100 * day;
    service.registry.put({ ...check, created, resolutionMinutes: 1, runs: [run] });
    service.plant({ checkId: check.id, status: 'up', from: created, to: created + 400 * day });
  }
  const [{ id } = { id: 0 }] = service.checks;
  const down = { from: begin + 2 * hour + 7, to: begin + 2 * hour + 7 + 20 * minute };
  service.plant({ checkId: id, status: 'down', ...down });
  await world.start();
  await world.pass(hour);
  const fault = faults.inject({ kind: 'malformed-states', operation: 'list_outages' });
  await world.pass(29 * hour);
  faults.clear(fault);
  await world.pass(2 * hour);
  return { world, id };
}

test('time that was given up after first sight is read for its month, not for a backfill', async () => {
  const { world, id } = await worldWithGivenUpOutage();
  await world.pass(12 * hour);
  await world.stop();
  await world.pass(60 * day);
  await world.start();
  await world.pass(hour);
  expect((await rowOf(world, id, '2026-10'))?.unwatched_seconds).toBeGreaterThan(0);
  expect((await jobOf(world, '?from=2026-10-30T08:00:00Z')).cost).toMatchObject({ checks: 1 });

  await readMonths(world, '2026-10-01');
  await world.pass(10 * minute);
  expect(await rowOf(world, id, '2026-10')).toMatchObject({
    down_seconds: 20 * minute,
    unwatched_seconds: 0,
    read_afterwards: 'part',
  });
  const lines = (await world.get('/-/backfill/items')).trim().split('\n');
  expect(lines).toHaveLength(2);
  for (const { past, firstSeenSeconds } of lines.map((line) => JSON.parse(line))) {
    expect(past.toSeconds).toBe(firstSeenSeconds);
  }
});
