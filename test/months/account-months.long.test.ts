import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ServedFamilies } from '../../src/exposition/catalogue/served-families.ts';
import { indexName, readIndex } from '../../src/months/documents.ts';
import { EncodedStore } from '../../src/store/encoded-store.ts';
import { MemoryBackend, type MemoryRows } from '../../src/store/memory-store.ts';
import type { StoreChanges, StoredMonth } from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { World, type WorldOptions } from '../life/world.ts';
import { casesOf } from '../support/extent.ts';
import { planMaintenance } from '../support/plan-maintenance.ts';
import { servedOnly } from '../support/served-only.ts';
import { statesOnly } from '../support/states-only.ts';
import { serviceAverage } from './support/service-average.ts';

const day = 86_400;
const at = (text: string) => Date.parse(text) / 1000;

/** The stored record of each check of a month. */
async function stored(world: World, month: string): Promise<readonly StoredMonth[]> {
  const kind = `month ${month} check` as const;
  return world.disk.readMonth({ account: 'shop', kind, afterId: -1, most: 1_000 });
}

/** The index of months as it is stored: the names of the months, and which items left. */
async function indexed({ disk }: World) {
  const { documents } = await disk.load('shop');
  const { months = [], removed } = readIndex(documents.get(indexName)) ?? {};
  return { months: months.map(({ name }) => name), removed };
}

async function isWhole(rows: MemoryRows, month: string): Promise<boolean | undefined> {
  const { documents } = await new EncodedStore(new MemoryBackend(rows, 'test')).load('shop');
  const index = readIndex(documents.get(indexName));
  return index?.months.find(({ name }) => name === month)?.isWhole;
}

/** The first commit of which this is true fails. */
function failOnce({ disk }: World, isDue: (changes: StoreChanges) => boolean): void {
  let hasFailed = false;
  vi.spyOn(disk, 'commit').mockImplementation(async (changes) => {
    if (!hasFailed && isDue(changes)) {
      hasFailed = true;
      throw new StoreError('full', 'the disk is full');
    }
    await disk.store.commit(changes);
  });
}

interface StoredRecord {
  readonly seconds: Readonly<Record<string, number>>;
  readonly createdAtSeconds?: number;
  readonly unwatched?: readonly number[];
  readonly outages?: readonly unknown[];
  readonly responseTimes?: readonly number[];
}

function recordIn(stored: StoredMonth): StoredRecord {
  if ('value' in stored) return stored.value as StoredRecord;
  throw new Error(stored.reason);
}

function worldAt(time: string, options: WorldOptions = {}): World {
  const world = World.inMemory({
    checks: 6,
    transactions: 1,
    startMilliseconds: Date.parse(time),
    datasets: statesOnly,
    served: servedOnly(),
    ...options,
    // Without the creation of a check, the time before first sight is not known.
    wire: { attributes: 'present' },
  });
  onTestFinished(() => world.stop());
  return world;
}

describe('the months of an account', () => {
  test('stay as they are written, whatever is edited later, also after a crash', async () => {
    const world = worldAt('2026-10-31T22:00:00Z');
    await world.start();
    await world.pass(12_000);
    const records = await stored(world, '2026-10');
    expect(records).toHaveLength(6);
    expect(records.map(recordIn).filter((record) => 'countedUntilSeconds' in record)).toEqual([]);

    const [{ id } = { id: 0 }] = world.sandbox.world.checks;
    await world.change('PUT', `/checks/${id}`, { name: 'renamed' });
    const late = { from: at('2026-10-31T23:00:00Z'), to: at('2026-11-01T01:00:00Z') };
    planMaintenance(world.sandbox.world, { ...late, uptimeids: [id] });
    await world.crash();
    await world.start();
    await world.pass(3_600);
    expect(await stored(world, '2026-10')).toEqual(records);
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

  test('before the first day keep their bounds when a reload changes the time zone', async () => {
    const world = worldAt('2026-11-05T03:00:00Z', { shortLimit: 4_000, longLimit: 720_000 });
    const unchanged = { digest: 'unchanged' };
    await world.start(unchanged);
    await world.pass(3 * 3_600);
    world.timeZone = 'America/New_York';
    await world.reload(unchanged);
    await world.pass(300);
    const { time_zone, from, to } = JSON.parse(await world.get('/report.json?month=2026-10'));
    const bounds = { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' };
    expect({ time_zone, from, to }).toEqual({ time_zone: 'UTC', ...bounds });
  });

  const mistakes = [
    ['later', '2029-10'],
    ['earlier', '2023-11'],
  ] as const;
  test.each(casesOf(mistakes, 0))(
    'are not lost, and no other stays, when responses are dated years %s for hours',
    async (direction, mistaken) => {
      const world = worldAt('2026-10-31T22:00:00Z', { shortLimit: 4_000, longLimit: 720_000 });
      await world.start();
      await world.pass(4 * 3_600);
      const [{ id } = { id: 0 }] = world.sandbox.world.checks;
      await world.change('DELETE', `/checks/${id}`);
      await world.pass(600);
      const before = [await indexed(world), await stored(world, '2026-10')];
      world.sandbox.faults.inject({ kind: `dated-years-${direction}` });
      await world.pass(2 * 3_600);
      expect((await indexed(world)).months).toContain(mistaken);
      world.sandbox.faults.clear();
      await world.pass(2 * 3_600);
      expect([await indexed(world), await stored(world, '2026-10')]).toEqual(before);
    },
  );

  test('are not lost when the store cannot be written', async () => {
    const world = worldAt('2026-10-31T23:00:00Z');
    await world.start();
    await world.pass(1_800);
    world.disk.failWith(new StoreError('full', 'the disk is full'));
    await world.pass(7_200);
    expect(await stored(world, '2026-10')).toEqual([]);
    world.disk.failWith(undefined);
    await world.pass(3_600);
    expect(await stored(world, '2026-10')).toHaveLength(6);
  });

  test('are those of a deleted check also when the store cannot be written until a reload', async () => {
    const world = worldAt('2026-11-10T12:00:00Z', { checks: 2, transactions: 0 });
    await world.start();
    await world.pass(600);
    const [{ id } = { id: 0 }] = world.sandbox.world.checks;
    const removed = async () => {
      const { items } = JSON.parse(await world.get('/report.json?month=2026-11'));
      return items.flatMap((row: { id: number; removed?: string }) =>
        row.removed === undefined ? [] : row.id,
      );
    };
    world.disk.failWith(new StoreError('full', 'the disk is full'));
    await world.change('DELETE', `/checks/${id}`);
    await world.pass(300);
    expect(await removed()).toEqual([id]);
    await world.reload({ concurrency: 3 });
    world.disk.failWith(undefined);
    await world.pass(300);
    expect(await removed()).toEqual([id]);
    await world.crash();
    await world.start();
    expect(await removed()).toEqual([id]);
  });

  test('are those of a deleted check also after a crash when its totals are stored, and no more', async () => {
    const hasLeft = async ({ disk }: World) => {
      const { items } = await disk.load('shop');
      return [...items.check.values()].some(({ goneAtSeconds }) => goneAtSeconds !== undefined);
    };
    const after = async () => ((await hasLeft(world)) ? 'crash' : 'go on');
    const world: World = worldAt('2026-11-10T12:00:00Z', {
      ...{ checks: 2, transactions: 0, moments: { after } },
    });
    await world.start();
    await world.pass(600);
    const [{ id } = { id: 0 }] = world.sandbox.world.checks;
    await world.change('DELETE', `/checks/${id}`);
    await world.pass(300);
    expect(world.running).toBe(false);
    await world.crash();
    await world.start();
    const { items } = JSON.parse(await world.get('/report.json?month=2026-11'));
    expect(items.find((row: { id: number }) => row.id === id)).toHaveProperty('removed');
  });

  test('stay when checks return after more than a week, and when they leave again at once', async () => {
    const world = worldAt('2026-10-31T22:00:00Z', {
      ...{ transactions: 0, shortLimit: 4_000, longLimit: 720_000 },
    });
    const october = async () => {
      const { items } = JSON.parse(await world.get('/report.json?month=2026-10'));
      return items.map((row: { id: number; known_seconds: number; down_seconds: number }) => {
        return [row.id, row.known_seconds, row.down_seconds];
      });
    };
    const none = { filter: () => false };
    await world.start();
    await world.pass(4 * 3_600);
    const before = await october();
    await world.reload(none);
    await world.pass(120);
    await world.stop();
    await world.pass(9 * day);
    await world.start(none);
    await world.pass(120);
    await world.reload({});
    await world.pass(100);
    expect(await october()).toEqual(before);
    await world.reload(none);
    await world.pass(120);
    expect(await october()).toEqual(before);
    await world.crash();
    await world.start();
    await world.pass(3_600);
    expect(await october()).toEqual(before);
  });

  test('keep what is known of a check from before it left for long, also if its past is not read', async () => {
    const datasets = { ...statesOnly, history: { enabled: false } };
    const world = worldAt('2026-11-02T00:00:00Z', { checks: 2, transactions: 0, datasets });
    const [{ id } = { id: 0 }] = world.sandbox.world.checks;
    const others = { filter: (entry: { id: number }) => entry.id !== id };
    await world.start();
    await world.pass(2 * 3_600);
    await world.reload(others);
    await world.pass(120);
    await world.stop();
    await world.pass(8 * day);
    await world.start(others);
    await world.pass(600);
    await world.reload({});
    await world.pass(1_800);
    await world.stop();
    await world.pass(at('2026-11-30T23:30:00Z') - world.now);
    await world.start();
    await world.pass(600);
    const unwatched = async () => {
      const { items } = JSON.parse(await world.get('/report.json?month=2026-11'));
      return items.find((row: { id: number }) => row.id === id).unwatched_seconds;
    };
    const before = await unwatched();
    await world.pass(2 * 3_600);
    expect(await unwatched()).toBe(before);
  });

  test('are not whole from the commit on that adds a record, also after a crash', async () => {
    const world = worldAt('2026-10-31T23:30:00Z', { checks: 2, transactions: 0 });
    const [{ id } = { id: 0 }] = world.sandbox.world.checks;
    await world.start();
    await world.pass(600);
    await world.reload({ filter: (entry) => entry.id !== id });
    await world.pass(3_600);
    const wasWhole = await isWhole(world.copy(), '2026-10');
    let afterSeal: MemoryRows | undefined;
    vi.spyOn(world.disk, 'commit').mockImplementation(async (changes) => {
      await world.disk.store.commit(changes);
      const isSeal = changes.items !== undefined;
      if (isSeal && changes.documents?.get('month 2026-10 check', id)) afterSeal ??= world.copy();
    });
    await world.reload({});
    await world.pass(3_600);
    const isWholeAfterSeal = afterSeal && (await isWhole(afterSeal, '2026-10'));
    expect({ wasWhole, isWholeAfterSeal }).toEqual({ wasWhole: true, isWholeAfterSeal: false });
    expect(await isWhole(world.copy(), '2026-10')).toBe(true);
  });

  test('have the end of an outage over two of their ends although the store cannot be written then', async () => {
    const world = worldAt('2026-08-31T23:00:00Z', { checks: 2, transactions: 0 });
    const [{ id } = { id: 0 }] = world.sandbox.world.checks;
    const [from, to] = [at('2026-08-31T23:20:00Z'), at('2026-10-05T00:00:00Z')];
    world.sandbox.world.plant({ checkId: id, status: 'down', from, to });
    await world.start();
    await world.pass(2 * 3_600);
    for (const restart of ['2026-10-02T00:00:00Z', '2026-11-02T00:00:00Z']) {
      await world.stop();
      await world.pass(at(restart) - world.now);
      await world.start();
      if (restart.startsWith('2026-11')) failOnce(world, isOfAugust);
      await world.pass(3_600);
    }
    const record = (await stored(world, '2026-08')).find((one) => one.id === id);
    const last = record && recordIn(record).outages?.at(-1);
    expect(last).toMatchObject({ toSeconds: expect.any(Number) });

    function isOfAugust({ documents }: StoreChanges): boolean {
      return documents?.get('month 2026-08 check', id) !== undefined;
    }
  });

  test('take back no counter when they are sealed during a reload', async () => {
    const world = worldAt('2026-10-31T23:30:00Z', {
      ...{ checks: 3, transactions: 0, shortLimit: 4_000, longLimit: 720_000 },
      served: ServedFamilies.full,
    });
    const [{ id: excluded } = { id: 0 }] = world.sandbox.world.checks;
    await world.start();
    await world.pass(300);
    await world.reload({ filter: ({ id }) => id !== excluded });
    await world.pass(120);
    await world.reload({});
    // Sealing a check that has returned begins with reading its former record.
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const readMonth = vi.spyOn(world.disk, 'readMonth').mockImplementation(async (batch) => {
      await released;
      return await world.disk.store.readMonth(batch);
    });
    await world.pass(3_600);
    expect(readMonth).toHaveBeenCalled();
    readMonth.mockRestore();
    await world.reload({ concurrency: 3 });
    await world.pass(900);
    await world.page();
    release();
    await world.pass(1);
    await world.crash();
    await world.start();
    await world.page();
    expect(world.watch.backsteps).toEqual([]);
  });

  test('are completed once with the response times that were read after they were sealed', async () => {
    const world = worldAt('2026-10-31T22:30:00Z', {
      checks: 2,
      transactions: 0,
      datasets: { ...statesOnly, performance: { enabled: true } },
    });
    const recorded = async () =>
      (await stored(world, '2026-10')).map((one) => [one.id, recordIn(one).responseTimes?.[0]]);
    const shown = async () => {
      const { items } = JSON.parse(await world.get('/report.json?month=2026-10'));
      return items
        .map((row: { id: number; response_time_hours: number }) => [
          row.id,
          row.response_time_hours,
        ])
        .sort(([a]: number[], [b]: number[]) => (a ?? 0) - (b ?? 0));
    };
    await world.start();
    await world.pass(2.5 * 3_600);
    expect(await recorded()).toHaveLength(2);
    // The hour before the end of the month is read after it.
    const all = await shown();
    expect(all).not.toEqual(await recorded());
    await world.stop();
    await world.pass(8 * day);
    await world.start();
    await world.pass(900);
    expect(await recorded()).toEqual(all);
    const [before] = await stored(world, '2026-10');
    await world.pass(900);
    expect((await stored(world, '2026-10'))[0]).toEqual(before);
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
