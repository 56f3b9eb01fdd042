import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { PublicPage } from '../../../src/http/public/public-status.ts';
import { sloPolicy } from '../../../src/slo/groups.ts';
import { overlap, Truth } from '../../life/truth.ts';
import { World, type WorldOptions } from '../../life/world.ts';
import { planMaintenance } from '../../support/plan-maintenance.ts';
import { sandboxToken } from '../../support/sandbox-exporter.ts';
import { servedOnly } from '../../support/served-only.ts';
import { statesOnly } from '../../support/states-only.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const pageSchema = z.object({
  state: z.string(),
  not_known_since: z.number().optional(),
  late: z.boolean(),
  services: z.array(
    z.object({
      name: z.string(),
      state: z.string(),
      was_down: z.boolean().optional(),
      since: z.number().optional(),
      since_exact: z.boolean().optional(),
      days: z.array(
        z.object({
          from: z.number(),
          to: z.number(),
          up: z.number(),
          down: z.number(),
          unknown: z.number(),
          not_monitored: z.number(),
          planned_work: z.number(),
          planned_work_down: z.number(),
          not_known: z.number(),
        }),
      ),
    }),
  ),
  outages: z.array(
    z.object({
      service: z.string(),
      from: z.number(),
      to: z.number().optional(),
      ongoing: z.boolean(),
      planned_work: z.string(),
    }),
  ),
  planned_work: z
    .array(z.object({ from: z.number(), to: z.number(), under_way: z.boolean() }))
    .optional(),
});

const secretGroup = 'internal group 7731';
const secretText = 'planted description 7732';

/** A world whose checks are all up, with a public page of the first four of five. */
async function openWorld(options: WorldOptions = {}) {
  const pages: PublicPage[] = [];
  const named: { name: string; ids: number[] } = { name: secretGroup, ids: [] };
  const world = World.inMemory({
    checks: 5,
    transactions: 0,
    datasets: statesOnly,
    ...{ shortLimit: 100, longLimit: 72_000 },
    served: servedOnly(),
    pages,
    slo: sloPolicy(
      { objectives: { defaultRatio: 0.98765 }, groups: { named: [named] } },
      () => false,
    ),
    ...options,
  });
  onTestFinished(() => world.stop());
  const { maintenance, checks, registry } = world.sandbox.world;
  for (const window of maintenance.windows.all) maintenance.remove(window.id);
  const ids = checks.map(({ id }) => id);
  const [from, to] = [world.now - 120 * day, world.now + 60 * day];
  for (const check of [...checks]) {
    const run = { from, resolutionSeconds: minute, phaseSeconds: 17 };
    registry.put({ ...check, created: from, resolutionMinutes: 1, runs: [run] });
    world.sandbox.world.plant({ checkId: check.id, status: 'up', from, to });
  }
  named.ids.push(...ids.slice(0, 4));
  const [first = 0, second = 0] = ids;
  pages.push({
    ...{ name: 'shop', title: 'Shop & Co', account: 'shop', group: secretGroup },
    checks: [
      { id: second, name: 'Checkout' },
      { id: first, name: 'Website' },
    ],
  });
  const plant = (place: number, status: 'down' | 'unknown', range: { from: number; to: number }) =>
    world.sandbox.world.plant({ checkId: ids[place] ?? 0, status, ...range });
  const json = async () => pageSchema.parse(JSON.parse(await world.get('/status/shop.json')));
  const service = async (name: string) =>
    (await json()).services.find((one) => one.name === name) ?? { state: 'none', since: 0 };
  return { world, ids, plant, json, service, html: () => world.get('/status/shop') };
}

/** From now on every request is refused. */
function refuse({ sandbox }: World): void {
  sandbox.faults.inject({ kind: 'unauthorized' });
}

describe('a public page', () => {
  test('names services as configured, and the others by their place', async () => {
    const { world, json } = await openWorld();
    await world.start();
    await world.pass(10 * minute);
    const { services, state } = await json();
    expect(services.map(({ name, state }) => [name, state])).toEqual([
      ['Checkout', 'up'],
      ['Website', 'up'],
      ['Service 3', 'up'],
      ['Service 4', 'up'],
    ]);
    expect(state).toBe('up');
  });

  test('shows an outage while it lasts, and after it', async () => {
    const { world, plant, json, service, html } = await openWorld();
    const down = { from: world.now + 20 * minute, to: world.now + 50 * minute };
    plant(0, 'down', down);
    await world.start();
    await world.pass(40 * minute);
    const begun = await service('Website');
    expect(begun.state).toBe('down');
    expect(Math.abs((begun.since ?? 0) - down.from)).toBeLessThanOrEqual(2 * minute);
    expect((await json()).outages).toMatchObject([{ service: 'Website', ongoing: true }]);
    expect(await html()).toContain('1 of 4 services is down');
    await world.pass(25 * minute);
    const [outage] = (await json()).outages;
    expect(outage).toMatchObject({ service: 'Website', ongoing: false });
    expect(Math.abs((outage?.to ?? 0) - down.to)).toBeLessThanOrEqual(2 * minute);
    expect((await service('Website')).state).toBe('up');
  });

  test('tells unknown, paused and down in planned work apart', async () => {
    const { world, ids, plant, json, html } = await openWorld();
    const { now } = world;
    plant(0, 'unknown', { from: now + 10 * minute, to: now + day });
    plant(2, 'down', { from: now + 20 * minute, to: now + day });
    const [, , third = 0, fourth] = ids;
    const planned = { uptimeids: [third], from: now + 15 * minute, to: now + 90 * minute };
    planMaintenance(world.sandbox.world, planned);
    await world.start();
    await world.change('PUT', `/checks/${fourth}`, { paused: true });
    await world.pass(40 * minute);
    const { services, planned_work, state } = await json();
    expect(services.map(({ name, state }) => [name, state])).toEqual([
      ['Checkout', 'up'],
      ['Website', 'unknown'],
      ['Service 3', 'planned_work'],
      ['Service 4', 'not_monitored'],
    ]);
    expect(state).toBe('unknown');
    expect(planned_work).toEqual([{ from: planned.from, to: planned.to, under_way: true }]);
    expect(await html()).toContain('Planned work');
  });

  test('says since when nothing is known, and never that a service is up then', async () => {
    const { world, plant, json, html } = await openWorld();
    plant(1, 'down', { from: world.now + 10 * minute, to: world.now + 5 * day });
    await world.start();
    await world.pass(20 * minute);
    refuse(world);
    const blindFrom = world.now;
    for (const seconds of [3 * minute, 10 * minute, 3 * hour]) {
      await world.pass(seconds);
      const page = await json();
      expect(page.state).toBe('not_known');
      expect(page.not_known_since).toBeGreaterThan(blindFrom - 3 * minute);
      expect(page.not_known_since).toBeLessThanOrEqual(blindFrom);
      expect(page.services.map(({ state }) => state)).toEqual(Array(4).fill('not_known'));
      expect(page.services.map(({ was_down }) => was_down)).toEqual([true, false, false, false]);
      expect(page.outages).toMatchObject([{ service: 'Checkout', ongoing: false }]);
      for (const { days } of page.services) {
        for (const one of days) {
          const unseen = overlap(one, { ...one, from: blindFrom, to: world.now });
          expect(one.not_known).toBeGreaterThanOrEqual(Math.max(0, unseen - 4 * minute));
        }
      }
      const text = await html();
      expect(text).toContain('Not known since');
      // Planned work is below as well, and is yet to come.
      expect(text).toMatch(/was last seen .* ago\. The days and outages below end there\./);
      expect(text).not.toContain('goes on');
      expect(text).not.toMatch(/<\/svg> Up/);
    }
  });

  test('shows its services while only transactions cannot be read', async () => {
    const { world, json } = await openWorld({ transactions: 2 });
    await world.start();
    await world.pass(20 * minute);
    world.sandbox.faults.inject({ kind: 'status-503', operation: 'list_transactions' });
    await world.pass(3 * hour);
    const [account] = JSON.parse(await world.get('/status.json')).accounts;
    expect(account.datasets.transactions.stale).toBe(true);
    const page = await json();
    expect(page.not_known_since).toBeUndefined();
    expect(page.state).toBe('up');
  });

  test('goes on, late, while a list or two cannot be read, until the last one is too old', async () => {
    const { world, plant, json, service } = await openWorld({ wire: { stray401: 0, stray403: 0 } });
    plant(0, 'down', { from: world.now + 10 * minute, to: world.now + 5 * day });
    await world.start();
    await world.pass(20 * minute);
    expect((await json()).late).toBe(false);
    world.sandbox.faults.inject({ kind: 'status-503', operation: 'list_checks' });
    await world.pass(2 * minute);
    const [account] = JSON.parse(await world.get('/status.json')).accounts;
    expect(account.state).toBe('failing');
    const page = await json();
    expect(page).toMatchObject({ state: 'down', late: true });
    expect(page.not_known_since).toBeUndefined();
    expect((await service('Checkout')).state).toBe('up');
    await world.pass(10 * minute);
    expect((await json()).state).toBe('not_known');
    world.sandbox.faults.clear();
    await world.pass(10 * minute);
    expect(await json()).toMatchObject({ state: 'down', late: false });
  });

  test('does not know anything before the first list', async () => {
    const { world, json, html } = await openWorld();
    refuse(world);
    await world.start();
    await world.pass(5 * minute);
    expect((await json()).state).toBe('not_known');
    expect(await html()).toContain('Not known yet');
  });

  test('says that changes are late when the budget is short', async () => {
    const { world, json, html } = await openWorld({ shortLimit: 12, longLimit: 500 });
    await world.start();
    await world.pass(2 * hour);
    const page = await json();
    expect(page.late).toBe(true);
    expect(await html()).toContain('Changes are shown late');
  });

  test('has each day of the past as the service knows it', async () => {
    const { world, ids, plant, json } = await openWorld();
    const at = world.now;
    plant(0, 'down', { from: at - 20 * day, to: at - 20 * day + 3 * hour });
    plant(0, 'unknown', { from: at - 9 * day, to: at - 9 * day + 5 * hour });
    plant(2, 'down', { from: at - 3 * day, to: at - 3 * day + 10 * minute });
    await world.start();
    await world.pass(2 * hour);
    const { services } = await json();
    const truth = new Truth(world.sandbox);
    const order = [1, 0, 2, 3];
    for (const [place, { days }] of services.entries()) {
      const spans = truth.spans(
        ids[order[place] ?? 0] ?? 0,
        { from: at - 40 * day, to: world.now },
        world.now,
      );
      expect([35, 36]).toContain(days.length);
      for (const one of days) {
        if (one.not_known > 0) continue;
        const inState = (state: string) =>
          spans.filter((span) => span.state === state).reduce((sum, s) => sum + overlap(s, one), 0);
        expect(Math.abs(one.down - inState('down'))).toBeLessThanOrEqual(2 * minute);
        expect(Math.abs(one.unknown - inState('unknown'))).toBeLessThanOrEqual(2 * minute);
      }
      expect(days.filter(({ not_known }) => not_known > 0).length).toBeLessThanOrEqual(2);
    }
  });

  test('has 90 days when months are recorded, each as the service knows it', async () => {
    const { world, ids, plant, json } = await openWorld({ wire: { attributes: 'present' } });
    const at = world.now;
    plant(0, 'down', { from: at - 60 * day, to: at - 60 * day + 5 * hour });
    plant(1, 'unknown', { from: at - 70 * day, to: at - 68 * day });
    plant(1, 'down', { from: at - 50 * day, to: at - 50 * day + 2 * hour });
    plant(2, 'down', { from: at - 36 * day, to: at - 34 * day });
    await world.start();
    await world.pass(10 * minute);
    expect((await json()).services[0]?.days.length).toBeLessThanOrEqual(36);
    await world.post('/-/backfill?from=2025-09-20');
    const isDone = async () => (await world.get('/-/backfill')).includes('"state":"done"');
    for (let hours = 0; hours < 12 && !(await isDone()); hours++) await world.pass(hour);
    await world.pass(hour);
    await json();
    await world.pass(minute);
    const { services } = await json();
    const truth = new Truth(world.sandbox);
    const order = [1, 0, 2, 3];
    for (const [place, { days }] of services.entries()) {
      const range = { from: at - 100 * day, to: world.now };
      const spans = truth.spans(ids[order[place] ?? 0] ?? 0, range, world.now);
      const secondsOf = (state: string, one: { from: number; to: number }) =>
        spans.filter((span) => span.state === state).reduce((sum, s) => sum + overlap(s, one), 0);
      expect(days).toHaveLength(90);
      for (const one of days) {
        // Of a day that is known in part, what is said is true.
        expect(one.up).toBeLessThanOrEqual(secondsOf('up', one) + 2 * minute);
        expect(Math.abs(one.down - secondsOf('down', one))).toBeLessThanOrEqual(2 * minute);
      }
      // Unknown time does not count, and the first day may be known in part.
      const missing = days.filter(({ not_known, from, to }) => not_known > 0.1 * (to - from));
      expect(missing.length).toBeLessThanOrEqual(place === 0 ? 4 : 2);
      if (place === 0) expect(missing.length).toBeGreaterThanOrEqual(2);
    }
  });

  test('loses a service that the account no longer has', async () => {
    const { world, ids, plant, json } = await openWorld();
    plant(1, 'down', { from: world.now + 5 * minute, to: world.now + day });
    await world.start();
    await world.pass(15 * minute);
    expect((await json()).state).toBe('down');
    await world.change('DELETE', `/checks/${ids[1]}`);
    await world.pass(5 * minute);
    const page = await json();
    expect(page.state).toBe('up');
    expect(page.services.map(({ name }) => name)).toEqual(['Website', 'Service 3', 'Service 4']);
  });

  test('is not found when its last check has left', async () => {
    const { world, ids } = await openWorld();
    await world.start();
    await world.pass(5 * minute);
    for (const id of ids.slice(0, 4)) await world.change('DELETE', `/checks/${id}`);
    await world.pass(5 * minute);
    expect((await world.read('/status/shop')).status).toBe(404);
  });
});

test('no byte of a public page is from what is not configured to be public', async () => {
  const { world, ids, plant, html } = await openWorld();
  const { checks, registry } = world.sandbox.world;
  for (const check of [...checks]) {
    const tags = [{ name: 'planted-tag-7733', type: 'u' as const, count: 1 }];
    registry.put({
      ...check,
      name: `planted name 7734 ${check.id}`,
      hostname: 'planted7735.example',
      tags,
    });
  }
  const [first = 0, , third = 0] = ids;
  plant(0, 'down', { from: world.now - 5 * day, to: world.now - 5 * day + hour });
  plant(2, 'down', { from: world.now + 5 * minute, to: world.now + day });
  const planned = { from: world.now + hour, to: world.now + 2 * hour };
  planMaintenance(world.sandbox.world, {
    uptimeids: [first, third],
    description: secretText,
    ...planned,
  });
  await world.start();
  await world.pass(3 * hour);
  const status = await world.get('/status.json');
  const texts = [await html(), await world.get('/status/shop.json')];
  expect(status).toContain('planted name 7734');
  for (const text of texts) {
    for (const planted of [
      ...['planted', '7731', '7732', '7733', '7734', '7735', secretGroup, sandboxToken],
      ...['example.com', '98765', '98.765', 'HTTP', 'Timeout', 'uptime_', 'uptime-exporter'],
      ...ids.map(String),
      ...['"account"', 'Budget', 'budget', 'bjective', '/metrics', 'group', '3.1', 'probe'],
    ]) {
      expect(text).not.toContain(planted);
    }
    for (const [, href] of text.matchAll(/(?:href|src|action)="([^"]*)"/g)) {
      expect(href).toMatch(/^(?:data:,|page-[0-9a-f]{12}\.css|shop\.json)$/);
    }
    expect(text).not.toContain('<script');
  }
});
