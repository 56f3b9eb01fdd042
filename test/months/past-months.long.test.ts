import { describe, expect, onTestFinished, test } from 'vitest';
import { type Month, MonthCalendar } from '../../src/lib/month-calendar.ts';
import { hashUnit } from '../../src/lib/random.ts';
import type { ItemKind } from '../../src/store/store.ts';
import { secondsOutside, Truth } from '../life/truth.ts';
import { World, type WorldOptions } from '../life/world.ts';
import { extent } from '../support/extent.ts';
import { planMaintenance } from '../support/plan-maintenance.ts';
import { servedOnly } from '../support/served-only.ts';
import { transactionStatesTruth } from '../support/service-truth.ts';
import { statesOnly } from '../support/states-only.ts';
import { serviceAverage } from './support/service-average.ts';

const [minute, hour, day] = [60, 3_600, 86_400];
const at = (text: string) => Date.parse(text) / 1000;
const firstDay = '2026-11-05T03:17:00Z';

interface Row {
  readonly kind: ItemKind | 'group';
  readonly id: number;
  readonly name: string;
  readonly unwatched_seconds: number;
  readonly created?: string;
  readonly first_seen?: string;
  readonly read_afterwards?: string;
  readonly read_at?: string;
}

interface Report {
  readonly state: string;
  readonly items: readonly Row[];
  readonly outages: readonly {
    readonly kind: string;
    readonly id: number;
    readonly from: string;
    readonly to?: string;
  }[];
}

interface JobView {
  readonly job?: { readonly state: string; readonly read: number };
  readonly cost?: { readonly checks: number; readonly requests: number };
}

interface StoredSums {
  readonly name: string;
  readonly seconds: { readonly up?: number; readonly down?: number; readonly unknown?: number };
  readonly maintenance?: { readonly up: number; readonly down: number };
  readonly unwatched?: readonly number[];
  readonly firstSeenSeconds?: number;
  readonly readAfterwards?: { readonly share: string };
}

async function report(world: World, month: string): Promise<Report> {
  return JSON.parse(await world.get(`/report.json?month=${month}`)) as Report;
}

async function jobOf(world: World, query = ''): Promise<JobView> {
  const { accounts } = JSON.parse(await world.get(`/-/backfill${query}`));
  return accounts[0] as JobView;
}

async function begin(world: World, from: string): Promise<void> {
  expect(await world.post(`/-/backfill?from=${from}`)).toMatchObject({ status: 202 });
}

async function untilRead(world: World): Promise<void> {
  for (let turn = 0; turn < 200; turn++) {
    if ((await jobOf(world)).job?.state === 'done') return;
    await world.pass(10 * minute);
  }
  throw new Error('the job did not end');
}

/** The stored records of a month by the ids of their items. */
async function stored(
  world: World,
  month: string,
  kind: ItemKind = 'check',
): Promise<Map<number, StoredSums>> {
  const of = `month ${month} ${kind}` as const;
  const rows = await world.disk.readMonth({ account: 'shop', kind: of, afterId: -1, most: 1_000 });
  return new Map(
    rows.map((row) => {
      if ('reason' in row) throw new Error(row.reason);
      return [row.id, row.value as StoredSums];
    }),
  );
}

function worldOf(options: WorldOptions): World {
  const world = World.inMemory({
    checks: 6,
    transactions: 2,
    datasets: statesOnly,
    served: servedOnly(),
    startMilliseconds: Date.parse(firstDay),
    ...options,
  });
  onTestFinished(() => world.stop());
  return world;
}

/** A world whose exporter crashes after the first commit after which this is true of its disk. */
function worldThatCrashes(when: (world: World) => Promise<boolean>, options: WorldOptions) {
  const crash = { isDue: false, hasHappened: false };
  const after = async () => {
    if (!crash.isDue || crash.hasHappened || !(await when(world))) return 'go on' as const;
    crash.hasHappened = true;
    return 'crash' as const;
  };
  const world = worldOf({ ...options, moments: { after } });
  return { world, crash };
}

/** Whether some checks are read. */
async function isBegun({ disk }: World): Promise<boolean> {
  const { documents } = await disk.load('shop');
  return documents.all('feature backfill of check').size > 1;
}

/** Older and younger checks that are always up, without maintenance. */
function plantUp({ sandbox: { world } }: World): void {
  for (const { id } of world.maintenance.windows.all) world.maintenance.remove(id);
  const created = ['2025-11-20T00:00Z', '2026-01-10T10:00Z', '2026-09-17T09:20Z'].map(at);
  for (const [place, check] of world.checks.entries()) {
    const from = created[place] ?? at('2026-02-01T00:00Z');
    const run = { from, resolutionSeconds: minute, phaseSeconds: check.id % minute };
    world.registry.put({ ...check, created: from, resolutionMinutes: 1, runs: [run] });
    world.plant({ checkId: check.id, status: 'up', from, to: from + 400 * day });
  }
}

/** The same checks with outages over midnights and months, in maintenance or not. */
function plant(world: World, seed: number): void {
  plantUp(world);
  const { world: service } = world.sandbox;
  const down = (checkId: number, from: number, seconds: number) =>
    service.plant({ checkId, status: 'down', from, to: from + seconds });
  for (const check of service.checks) {
    for (let outages = 0; outages < 8; outages++) {
      const begin = at('2026-02-10T00:00Z') + hashUnit(seed, check.id, outages) * 260 * day;
      if (begin < check.created) continue;
      down(check.id, Math.floor(begin), 90 + Math.floor(hashUnit(seed, outages, 2) * 5 * hour));
    }
  }
  const [{ id } = { id: 0 }] = service.checks;
  down(id, at('2026-06-30T22:10Z'), 3 * hour);
  down(id, at('2026-08-03T10:00Z'), hour);
  planMaintenance(service, {
    from: at('2026-08-03T10:20Z'),
    to: at('2026-08-03T12:20Z'),
    uptimeids: [id],
  });
}

/**
 * The records and the rows of a month equal what the service knows of its checks. One that was
 * deleted during the job has a record if the lists still had it when the job ended.
 */
async function expectChecks(
  world: World,
  truth: Truth,
  month: Month,
  removed: readonly (number | undefined)[] = [],
): Promise<void> {
  const { name, fromSeconds, toSeconds: to } = month;
  const records = await stored(world, name);
  const { items, outages, state } = await report(world, name);
  expect(state).toBe('whole');
  const checks = world.sandbox.world.checks.filter(({ created }) => created < to);
  const recorded = [...records.keys()].filter((id) => !removed.includes(id));
  expect(recorded.sort()).toEqual(checks.map(({ id }) => id).sort());
  for (const { id, created } of checks) {
    const range = { from: Math.max(created, fromSeconds), to };
    const { seconds, maintenance } = records.get(id) ?? {};
    const { up = 0, down = 0, unknown = 0 } = seconds ?? {};
    const service = await serviceAverage(world.sandbox, id, range);
    expect({ name, id, up, down, unknown }).toEqual({ name, id, ...service });
    const spans = truth.spans(id, range, world.now);
    const outside = secondsOutside(spans, range, truth.maintenance(id));
    const { up: upIn, down: downIn } = maintenance ?? { up: 0, down: 0 };
    expect({ name, id, up: up - upIn, down: down - downIn }).toEqual({
      name,
      id,
      up: outside.up,
      down: outside.down,
    });
    const row = items.find((one) => one.kind === 'check' && one.id === id);
    // First sight has read the end of the last month by itself.
    const share = name === '2026-10' ? 'part' : 'whole';
    expect(row).toMatchObject({ unwatched_seconds: 0, read_afterwards: share });
    expect(row?.created === undefined).toBe(created <= fromSeconds);
    const listed = outages.filter((one) => one.kind === 'check' && one.id === id);
    const known = truth
      .outages(id, { from: created, to: at(firstDay) })
      .filter(({ start, end = 0 }) => start < to && end > fromSeconds);
    expect({ name, id, outages: listed.map((one) => [at(one.from), at(one.to ?? '')]) }).toEqual({
      name,
      id,
      outages: known.map(({ start, end }) => [start, end]),
    });
  }
}

async function expectTransactions(world: World, month: Month): Promise<void> {
  const { name, fromSeconds, toSeconds } = month;
  const records = await stored(world, name, 'transaction');
  const { all } = world.sandbox.world.transactions;
  const old = all.filter(({ createdAt }) => createdAt < toSeconds);
  expect([...records.keys()].sort()).toEqual(old.map(({ id }) => id).sort());
  for (const { id, createdAt } of old) {
    const range = { fromSeconds: Math.max(createdAt, fromSeconds), toSeconds };
    const truth = transactionStatesTruth(world.sandbox, id, range, world.now);
    const { seconds, unwatched } = records.get(id) ?? {};
    const { up = 0, down = 0 } = seconds ?? {};
    expect({ name, id, up, down, unwatched }).toEqual({
      name,
      id,
      up: truth.seconds.up,
      down: truth.seconds.down,
      unwatched: undefined,
    });
  }
}

const seeds = Array.from(
  { length: extent(1, 10) },
  (_, place) => Number(process.env.SEED ?? 1) + place,
);

describe('the months before the first day', () => {
  test.each(seeds)(
    'have the sums and the outages of the service, also after a crash (seed %i)',
    async (seed) => {
      const timeZone = seed % 2 === 0 ? 'Europe/Berlin' : 'UTC';
      const calendar = new MonthCalendar(timeZone);
      // Without the creation of a check, the time before its first report is not known.
      const { world, crash } = worldThatCrashes(isBegun, {
        seed,
        timeZone,
        wire: { attributes: 'present' },
      });
      plant(world, seed);
      const truth = new Truth(world.sandbox);
      const [, , , , deleted, leaving] = world.sandbox.world.checks.map(({ id }) => id);
      await world.start();
      await world.pass(hour);
      await world.change('DELETE', `/checks/${deleted}`);
      await world.pass(5 * minute);
      await world.change('POST', '/checks', { name: 'new', host: 'new.example.com', type: 'http' });
      await world.pass(10 * minute);

      await begin(world, `${calendar.named('2025-11')?.fromSeconds}`);
      crash.isDue = true;
      await world.pass(hour);
      expect(crash.hasHappened).toBe(true);
      await world.stop();
      await world.start();
      expect((await jobOf(world)).job?.state).not.toBe('done');
      await world.change('DELETE', `/checks/${leaving}`);
      await untilRead(world);
      await world.pass(hour);

      for (const name of ['2025-11', '2026-03', '2026-06', '2026-07', '2026-08', '2026-10']) {
        const month = calendar.containing(at(`${name}-15T00:00Z`));
        await expectChecks(world, truth, month, [deleted, leaving]);
        await expectTransactions(world, month);
      }
    },
  );

  test('cost the requests that were announced, and wait for another job', async () => {
    const world = worldOf({ wire: { attributes: 'present', stray401: 0, stray403: 0 } });
    plant(world, 1);
    await world.start();
    await world.pass(hour);
    const { cost } = await jobOf(world, '?from=2026-06-01');
    await begin(world, '2026-06-01');
    expect(await world.post('/-/backfill?from=2026-03-01')).toEqual({
      status: 409,
      text: 'No backfill: another backfill job of the account is running.\n',
    });
    await untilRead(world);

    // First sight reads at most 35 days.
    const earliest = at('2026-10-01T00:00Z');
    const requests = world.sandbox.journal.recent.filter(
      ({ query: { from = firstDay } }) => (Number(from) || at(String(from))) < earliest,
    );
    // The list of maintenance windows has no range.
    expect(requests.length + 1).toBe(cost?.requests);

    await begin(world, '2026-03-01');
    await untilRead(world);
    await world.pass(minute);
    expect((await stored(world, '2026-03')).size).toBeGreaterThan(0);
  });

  test('are marked in every form of the report, with the names of the day of reading', async () => {
    const world = worldOf({ transactions: 0, wire: { attributes: 'present' } });
    plant(world, 1);
    const [check] = world.sandbox.world.checks;
    await world.start();
    await world.change('PUT', `/checks/${check?.id}`, { name: 'renamed' });
    await world.pass(hour);
    await begin(world, '2026-07-01');
    await untilRead(world);
    await world.pass(minute);
    await world.change('PUT', `/checks/${check?.id}`, { name: 'renamed again' });
    await world.pass(10 * minute);

    const lead = 'Read afterwards: with the names, groups and objectives of 2026-11-05.';
    const page = await world.get('/report?month=2026-08');
    expect(page).toContain(lead);
    const text = await world.get('/report.txt?month=2026-08');
    expect(text).toContain(lead);
    expect(text).toMatch(/^ {2}renamed: /m);
    expect(await world.get('/report.txt?month=2026-10')).toContain(
      'All were first seen after this month: names, groups and objectives are those of a later time.',
    );
    const [header = '', ...lines] = (await world.get('/report.csv?month=2026-08')).split('\r\n');
    expect(header).toMatch(/,read_afterwards,read_at,/);
    expect(lines.filter((line) => /,whole,2026-11-05T\d\d:\d\d:\d\dZ,/.test(line))).toHaveLength(5);
    const { items } = await report(world, '2026-08');
    expect(items).toHaveLength(5);
    expect(items.find(({ id }) => id === check?.id)).toMatchObject({
      name: 'renamed',
      read_afterwards: 'whole',
    });

    // A deeper job adds months, and changes none.
    const august = await stored(world, '2026-08');
    await begin(world, '2026-05-01');
    await untilRead(world);
    await world.pass(minute);
    expect((await stored(world, '2026-05')).size).toBeGreaterThan(0);
    expect(await stored(world, '2026-08')).toEqual(august);
  });

  test('are written to the end after a crash between two of them', async () => {
    const isMayStored = async (world: World) => (await stored(world, '2026-05')).size > 0;
    const { world, crash } = worldThatCrashes(isMayStored, { wire: { attributes: 'present' } });
    plant(world, 1);
    await world.start();
    await world.pass(hour);
    await begin(world, '2026-05-01');
    crash.isDue = true;
    await world.pass(hour);
    expect(crash.hasHappened).toBe(true);
    expect((await stored(world, '2026-09')).size).toBe(0);
    await world.stop();
    await world.start();
    await world.pass(10 * minute);

    const truth = new Truth(world.sandbox);
    const calendar = new MonthCalendar('UTC');
    for (const name of ['2026-05', '2026-09']) {
      await expectChecks(world, truth, calendar.containing(at(`${name}-15T00:00Z`)));
    }
  });
});

describe('the month of the first day', () => {
  const october = { from: at('2026-10-01T00:00Z'), to: at('2026-11-01T00:00Z') };

  /** Some checks and transactions lack their creation, so that nothing before first sight is known. */
  async function firstDayInOctober() {
    const world = worldOf({
      checks: 12,
      transactions: 4,
      startMilliseconds: Date.parse('2026-10-10T12:00Z'),
      wire: { attributes: 'absent' },
    });
    plantUp(world);
    await world.start();
    await world.pass(hour);
    return world;
  }

  async function toNovember(world: World): Promise<void> {
    await world.stop();
    await world.pass(october.to - world.now);
    await world.start();
    await world.pass(3 * hour);
  }

  async function expectCompleted(world: World, ids: readonly number[]): Promise<void> {
    const after = await stored(world, '2026-10');
    for (const id of ids) {
      const { seconds, unwatched, firstSeenSeconds, readAfterwards } = after.get(id) ?? {};
      const { up = 0, down = 0, unknown = 0 } = seconds ?? {};
      const service = await serviceAverage(world.sandbox, id, october);
      expect({ id, up, down, unknown }).toEqual({ id, ...service });
      expect({ id, unwatched, firstSeenSeconds }).toEqual({ id });
      expect(readAfterwards?.share).toBe('part');
    }
  }

  test('is completed where it was not watched, with its names; other records stay', async () => {
    const world = await firstDayInOctober();
    await toNovember(world);
    const before = await stored(world, '2026-10');
    const incomplete = [...before].flatMap(([id, { firstSeenSeconds }]) =>
      firstSeenSeconds === undefined ? [] : id,
    );
    expect(incomplete.length).toBeGreaterThan(0);
    expect(incomplete.length).toBeLessThan(before.size);
    for (const id of incomplete) await world.change('PUT', `/checks/${id}`, { name: 'renamed' });
    await world.pass(10 * minute);
    await begin(world, '2026-10-01');
    await untilRead(world);
    await world.pass(minute);

    await expectCompleted(world, incomplete);
    for (const path of ['/report', '/report.txt']) {
      const words = (await world.get(`${path}?month=2026-10`)).match(/partly read afterwards, on/g);
      expect(words?.length).toBeGreaterThanOrEqual(incomplete.length);
    }
    const after = await stored(world, '2026-10');
    for (const [id, record] of before) {
      if (incomplete.includes(id)) expect(after.get(id)?.name).toBe(record.name);
      else expect(after.get(id)).toEqual(record);
    }

    // A deeper job has nothing to add to it.
    await begin(world, '2026-04-01');
    await untilRead(world);
    await world.pass(minute);
    expect((await stored(world, '2026-05')).size).toBeGreaterThan(0);
    expect(await stored(world, '2026-10')).toEqual(after);
  });

  test('is shown complete before it ends, and written so', async () => {
    const world = await firstDayInOctober();
    const isIncomplete = ({ kind, first_seen: seen }: Row) => kind === 'check' && seen;
    const { items } = await report(world, '2026-10');
    const incomplete = items.filter(isIncomplete).map(({ id }) => id);
    await begin(world, '2026-05-01');
    await untilRead(world);
    const completed = await report(world, '2026-10');
    expect(completed.items.filter(isIncomplete)).toEqual([]);
    for (const id of incomplete) {
      const row = completed.items.find((one) => one.id === id);
      expect(row?.read_afterwards).toBe('part');
    }
    expect(incomplete.length).toBeGreaterThan(0);
    const readAt = ({ items }: Report) => items.map(({ read_at }) => read_at).sort();
    await toNovember(world);
    await expectCompleted(world, incomplete);
    expect(readAt(await report(world, '2026-10'))).toEqual(readAt(completed));
  });
});
