import request from 'supertest';
import { expect, onTestFinished, test } from 'vitest';
import { World } from '../life/world.ts';
import { sandboxToken } from '../support/sandbox-exporter.ts';
import { servedOnly } from '../support/served-only.ts';
import { countersOnly } from '../support/states-only.ts';

const minute = 60;

interface OutageRow {
  readonly kind: string;
  readonly id: number;
  readonly from: string;
  readonly to?: string;
  readonly seconds_in_month: number;
  readonly counted: boolean;
  readonly causes: readonly string[];
}

/** The texts of the failed tests that the service has of an outage. */
async function causesOf({ sandbox }: World, { id, from, to }: OutageRow) {
  const [begin, end] = [from, to].map((time = '') => Date.parse(time) / 1000);
  for (let attempts = 0; attempts < 20; attempts++) {
    const { status, body } = await request(sandbox.app)
      .get(`/api/3.1/results/${id}`)
      .query({ from: begin, to: end, limit: 1_000 })
      .set('Authorization', `Bearer ${sandboxToken}`);
    if (status !== 200) continue;
    const failed = body.results.filter((one: { status: string }) => one.status === 'down');
    return new Set<string>(failed.map((one: { statusdesc: string }) => one.statusdesc));
  }
  throw new Error(`the service does not report results of ${id}`);
}

test('the longest outages of a month get the causes that the service has, ten a day, also over a restart and in records that are sealed', async () => {
  const world = World.inMemory({
    checks: 8,
    transactions: 0,
    startMilliseconds: Date.parse('2026-11-02T10:00:00Z'),
    datasets: countersOnly,
    served: servedOnly(),
  });
  onTestFinished(() => world.stop());
  const [check] = world.sandbox.world.checks;
  if (check === undefined) throw new Error('the sandbox has no check');
  for (let day = 1; day <= 12; day += 1) {
    const from = Date.parse('2026-10-01T00:00:00Z') / 1000 + 2 * day * 86_400;
    const to = from + (5 + day) * minute;
    world.sandbox.world.plant({ checkId: check.id, status: 'down', from, to });
  }
  const outages = async (): Promise<OutageRow[]> => {
    const { outages: all } = JSON.parse(await world.get('/report.json?month=2026-10'));
    return all.filter((one: OutageRow) => one.kind === 'check' && one.counted && one.to);
  };
  await world.start();
  await world.pass(50 * minute);
  const before = await outages();
  const lacking = before.filter((one) => one.causes.length === 0 && one.seconds_in_month >= 60);
  await world.pass(42 * minute);
  await world.crash();
  await world.start();
  await world.pass(80 * minute);
  const after = await outages();
  const explained = after.filter(
    (one) =>
      one.causes.length > 0 && lacking.some(({ id, from }) => id === one.id && from === one.from),
  );
  const longest = lacking
    .sort((a, b) => b.seconds_in_month - a.seconds_in_month)
    .slice(0, 10)
    .map(({ id, from }) => `${id} ${from}`);
  expect(explained.map(({ id, from }) => `${id} ${from}`).sort()).toEqual(longest.sort());
  for (const one of explained) {
    const known = await causesOf(world, one);
    for (const cause of one.causes) expect([...known]).toContain(cause);
  }

  // The records were sealed without these causes, and are completed a week later.
  const recorded = async () => {
    const batch = { account: 'shop', kind: 'month 2026-10 check', afterId: -1, most: 100 } as const;
    return JSON.stringify(await world.disk.readMonth(batch)).split('"causes"').length - 1;
  };
  expect(await recorded()).toBe(0);
  await world.stop();
  await world.pass(7 * 86_400);
  await world.start();
  await world.pass(10 * minute);
  expect(await recorded()).toBe(10);
});
