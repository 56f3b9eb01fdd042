import { expect, test } from 'vitest';
import type { CheckStatus } from '../../../src/domain/check.ts';
import type { FeatureView } from '../../../src/http/ports.ts';
import { publicJson } from '../../../src/http/public/public-json.ts';
import { publicStatus } from '../../../src/http/public/public-status.ts';
import { publicView } from '../../../src/http/public/public-view.tsx';
import { zonedTimes } from '../../../src/lib/zoned-times.ts';
import { groupRow } from '../../../src/slo/groups.ts';
import type { CheckRow } from '../../../src/state/snapshot.ts';
import { checkWith, healthyAccount, noon } from '../../support/snapshots.ts';

const time = zonedTimes('UTC');

/** A public page of these checks, as JSON and as HTML. */
async function pageOf(checks: readonly CheckRow[], features: readonly FeatureView[] = []) {
  const members = checks.map(({ id, status }) => ({
    ...{ id, status, seconds: {}, hasOpenOutage: status === 'down' },
  }));
  const groups = [groupRow('all', members, { ratio: 0.99, reason: 'default' })];
  const status = await publicStatus({
    page: { name: 'shop', title: 'Shop', account: 'main', group: 'all' },
    status: { ...healthyAccount({ checks, groups }), features },
    ...{ nowSeconds: noon, time, yieldIfDue: async () => {} },
  });
  if (status === undefined) throw new Error('no such group');
  const html = publicView({ status, time, style: 'a.css', json: 'a.json' });
  return { json: publicJson(status), html };
}

test('the heading counts the services that are not shown, too', async () => {
  const statuses: CheckStatus[] = [...Array(100).fill('up'), 'down', 'up'];
  const { json, html } = await pageOf(
    statuses.map((status, place) => checkWith({ id: place + 1, status })),
  );
  expect(json.services).toHaveLength(100);
  expect(json).toMatchObject({
    ...{ state: 'down', services_left_out: 2, outages_complete: false },
  });
  for (const text of ['1 of 102 services is down', '101 up, 1 down', '2 further services']) {
    expect(html).toContain(text);
  }
  expect(html).not.toContain('No outage in the last 35 days');
});

test('a failed test in planned work alarms nobody', async () => {
  const { json, html } = await pageOf([
    checkWith({ id: 1 }),
    { ...checkWith({ id: 2, status: 'unconfirmed_down' }), maintenance: { active: true } },
  ]);
  expect(json.services.map(({ state }) => state)).toEqual(['up', 'planned_work']);
  expect(json.state).toBe('planned_work');
  expect(html).toContain('Planned work is under way');
});

test('the days begin with the first one in which a service was up or down', async () => {
  const [midnight, day] = [Date.UTC(2026, 0, 5) / 1000, 86_400];
  const recordedDays = async () => {
    const days = [
      { fromSeconds: midnight - 80 * day, up: 0, down: 0 },
      { fromSeconds: midnight - 60 * day, up: 0, down: day },
    ];
    return new Map([[1, days]]);
  };
  const feature = { name: 'months', json: () => undefined, note: () => null, recordedDays };
  const { json } = await pageOf([checkWith({ id: 1 })], [feature]);

  expect(json.services[0]?.days[0]).toMatchObject({ from: midnight - 60 * day, down: day });
});
