import { describe, expect, onTestFinished, test } from 'vitest';
import { GroupPolicy, type SloPolicy } from '../../src/slo/groups.ts';
import { ObjectivePolicy } from '../../src/slo/objectives.ts';
import type { StoredMonth } from '../../src/store/store.ts';
import { World, type WorldOptions } from '../life/world.ts';
import { statesOnly } from '../support/states-only.ts';
import { serviceAverage } from './support/service-average.ts';

const day = 86_400;
const at = (text: string) => Date.parse(text) / 1000;

interface Report {
  readonly month: string;
  readonly state: string;
  readonly groups: readonly Row[];
  readonly items: readonly Row[];
  readonly outages: readonly Record<string, unknown>[];
}

interface Row {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly groups: readonly string[];
  readonly objective: number;
  readonly availability?: number;
  readonly down_seconds: number;
  readonly known_seconds: number;
  readonly unwatched_seconds: number;
  readonly maintenance_seconds: number;
  readonly created?: string;
  readonly removed?: string;
}

async function report(world: World, query = ''): Promise<Report> {
  return JSON.parse(await world.get(`/report.json${query}`)) as Report;
}

/** The stored record of each check of a month. */
async function stored(world: World, month: string): Promise<readonly StoredMonth[]> {
  const kind = `month ${month} check` as const;
  return world.disk.readMonth({ account: 'shop', kind, afterId: -1, most: 1_000 });
}

interface StoredRecord {
  readonly seconds: Readonly<Record<string, number>>;
  readonly createdAtSeconds?: number;
  readonly unwatched?: readonly number[];
  readonly outages?: readonly unknown[];
}

function recordIn(stored: StoredMonth): StoredRecord {
  if ('value' in stored) return stored.value as StoredRecord;
  throw new Error(stored.reason);
}

const slo: SloPolicy = {
  objectives: new ObjectivePolicy({ defaultRatio: 0.99, fits: (a, b) => a === b }),
  groups: new GroupPolicy({
    named: [{ name: 'all', names: ['*'] }],
    fits: (pattern, text) => pattern === '*' || pattern === text,
  }),
};

function worldAt(time: string, options: WorldOptions = {}): World {
  const world = World.inMemory({
    checks: 6,
    transactions: 1,
    slo,
    startMilliseconds: Date.parse(time),
    datasets: statesOnly,
    ...options,
    // Without the creation of a check, the time before first sight is not known.
    wire: { attributes: 'present' },
  });
  onTestFinished(() => world.stop());
  return world;
}

describe('the months of an account', () => {
  test('are written once when horizons have passed their end, with the sums of the service', async () => {
    const world = worldAt('2026-10-31T22:00:00Z');
    await world.start();
    await world.pass(6_000);
    expect(await stored(world, '2026-10')).toEqual([]);
    expect(await report(world)).toMatchObject({ month: '2026-10', state: 'present' });

    await world.pass(6_000);
    const records = await stored(world, '2026-10');
    expect(records.map(({ id }) => id)).toEqual(
      world.sandbox.world.checks.map(({ id }) => id).sort((a, b) => a - b),
    );
    const { month, state, items } = await report(world);
    expect({ month, state }).toEqual({ month: '2026-10', state: 'whole' });
    expect(items).toHaveLength(7);
    for (const one of records) {
      const { seconds, createdAtSeconds } = recordIn(one);
      const from = createdAtSeconds ?? at('2026-10-01T00:00Z');
      const to = at('2026-11-01T00:00Z');
      const service = await serviceAverage(world.sandbox, one.id, { from, to });
      const { up = 0, down = 0, unknown = 0 } = seconds;
      expect({ id: one.id, up, down, unknown }).toEqual({ id: one.id, ...service });
    }

    // Later renames, and a restart, change nothing of the month.
    const [first] = world.sandbox.world.checks;
    await world.change('PUT', `/checks/${first?.id}`, { name: 'renamed' });
    await world.crash();
    await world.start();
    await world.pass(3_600);
    expect(await stored(world, '2026-10')).toEqual(records);
    expect((await report(world, '?month=2026-11')).items.map(({ name }) => name)).toContain(
      'renamed',
    );
  });

  test('are written by an exporter that was away over the end of the month', async () => {
    const world = worldAt('2026-10-30T12:00:00Z');
    await world.start();
    await world.pass(3_600);
    await world.stop();
    await world.pass(4 * day);
    await world.start();
    await world.pass(7_200);
    expect(await stored(world, '2026-10')).toHaveLength(6);
    const { state, items } = await report(world);
    expect(state).toBe('whole');
    expect(items.filter(({ unwatched_seconds: unwatched }) => unwatched > 0)).toEqual([]);
  });

  test('before the first day have what first sight has read of them, also of checks that failed', async () => {
    const world = worldAt('2026-11-05T03:00:00Z', { shortLimit: 4_000, longLimit: 720_000 });
    await world.start();
    await world.pass(3 * 3_600);
    const records = await stored(world, '2026-10');
    expect(records).toHaveLength(6);
    const to = at('2026-11-01T00:00Z');
    let outages = 0;
    for (const one of records) {
      const record = recordIn(one);
      const from = record.unwatched?.at(-1) ?? record.createdAtSeconds ?? at('2026-10-01T00:00Z');
      const service = await serviceAverage(world.sandbox, one.id, { from, to });
      const { up = 0, down = 0, unknown = 0 } = record.seconds;
      expect({ id: one.id, up, down, unknown }).toEqual({ id: one.id, ...service });
      outages += record.outages?.length ?? 0;
    }
    expect(outages).toBeGreaterThan(0);
  });

  test('begin and end in the configured time zone', async () => {
    const world = worldAt('2026-10-31T21:00:00Z', { timeZone: 'Europe/Berlin' });
    await world.start();
    await world.pass(1.5 * 3_600);
    expect(await stored(world, '2026-10')).toEqual([]);
    await world.pass(2.5 * 3_600);
    expect(await stored(world, '2026-10')).toHaveLength(6);
    expect(JSON.parse(await world.get('/report.json'))).toMatchObject({
      time_zone: 'Europe/Berlin',
      to: '2026-10-31T23:00:00Z',
    });
  });

  test('keep the part of a removed check, and know when a new one was created', async () => {
    const world = worldAt('2026-10-31T22:00:00Z');
    await world.start();
    await world.pass(1_800);
    const [removed] = world.sandbox.world.checks;
    await world.change('DELETE', `/checks/${removed?.id}`);
    await world.change('POST', '/checks', { name: 'new', host: 'new.example.com', type: 'http' });
    await world.pass(9_000);
    const { items, groups } = await report(world, '?month=2026-10');
    const row = items.find(({ id }) => id === removed?.id);
    expect(at(row?.removed ?? '') - at('2026-10-31T22:30:00Z')).toBeLessThan(1_800);
    expect(row?.name).toBe(removed?.name);
    const fresh = items.find(({ name }) => name === 'new');
    expect(at(fresh?.created ?? '') - at('2026-10-31T22:30:00Z')).toBeLessThan(60);
    expect(groups).toMatchObject([{ name: 'all', items: 7, objective: 0.99 }]);
  });

  test('are not lost when the store cannot be written', async () => {
    const world = worldAt('2026-10-31T23:00:00Z');
    await world.start();
    await world.pass(1_800);
    const { StoreError } = await import('../../src/store/store-error.ts');
    world.disk.failWith(new StoreError('full', 'the disk is full'));
    await world.pass(7_200);
    expect(await stored(world, '2026-10')).toEqual([]);
    world.disk.failWith(undefined);
    await world.pass(3_600);
    expect(await stored(world, '2026-10')).toHaveLength(6);
  });

  test('older than thirteen are deleted', async () => {
    const world = worldAt('2026-10-31T23:00:00Z', { checks: 2, transactions: 0 });
    await world.start();
    await world.pass(7_200);
    expect(await stored(world, '2026-10')).toHaveLength(2);
    await world.stop();
    await world.pass(396 * day);
    await world.start();
    await world.pass(7_200);
    expect(await stored(world, '2026-10')).toEqual([]);
  });
});
