import { expect, test } from 'vitest';
import { labelsOf } from '../dashboards/remote-write.ts';
import { planMaintenance } from '../support/plan-maintenance.ts';
import { startWatchedSandbox } from '../support/watched-sandbox.ts';

const day = 86_400;

interface Reported {
  readonly id: string;
  readonly from: number;
  readonly to: number | undefined;
  readonly maintenance: string;
}

/** The outages on a page, keyed by check or transaction and start. */
function toldOn(page: string, kind: string): Reported[] {
  const samples = (edge: string) =>
    [...page.matchAll(/^(uptime_recent_outage_\w+\{.*\}) (\S+)$/gm)]
      .map(([, key = '', value]) => ({ labels: labelsOf(key), value: Number(value) }))
      .filter(
        ({ labels }) =>
          labels.__name__ === `uptime_recent_outage_${edge}_timestamp_seconds` &&
          labels.kind === kind,
      );
  const keyOf = (labels: Record<string, string>) => `${labels.check_id} ${labels.outage}`;
  const ends = new Map(samples('end').map(({ labels, value }) => [keyOf(labels), value]));
  return samples('start').map(({ labels, value }) => ({
    id: labels.check_id ?? '',
    from: value,
    to: ends.get(keyOf(labels)),
    maintenance: labels.maintenance ?? '',
  }));
}

test('the newest outages are those of the service: ended between two lists, in maintenance, ongoing', async () => {
  const watched = await startWatchedSandbox({ checks: 12 });
  const { world, history } = watched.sandbox;
  await watched.pass(600_000);
  const now = () => Math.floor(watched.clock.now() / 1000);
  const began = now() + 60;
  const [short, maintained, half] = world.checks;
  const open = world.checks[10];
  if (!short || !maintained || !half || !open) throw new Error('the account is too small');
  const plan = (checkId: number, from: number, to: number) =>
    planMaintenance(world, { from, to, uptimeids: [checkId] });
  plan(maintained.id, began - 60, began + day);
  plan(half.id, began + 300, began + 1200);
  world.plant({ checkId: short.id, status: 'down', from: began, to: began + 600 });
  world.plant({ checkId: maintained.id, status: 'down', from: began, to: began + 900 });
  world.plant({ checkId: half.id, status: 'down', from: began, to: began + 900 });
  await watched.pass(1_800_000);
  world.plant({ checkId: open.id, status: 'down', from: now() });
  await watched.pass(300_000);

  const told = toldOn(await watched.page(), 'check');
  const wanted = world.checks.flatMap((check) =>
    history
      .segments(check, now() - 35 * day, now(), now())
      .filter(({ status }) => status === 'down')
      .map(({ from, to }) => ({ id: `${check.id}`, from, to: to < now() ? to : undefined })),
  );
  const newest = wanted.sort((a, b) => b.from - a.from);
  const byId = newest.filter(
    (one, at) => newest.slice(0, at).filter(({ id }) => id === one.id).length < 10,
  );
  expect(told.map(({ id, from, to }) => ({ id, from, to }))).toEqual(byId.slice(0, 100));
  const inMaintenance = (id: number) =>
    told.find((one) => one.id === `${id}` && one.from >= began - 60)?.maintenance;
  expect([short, maintained, half, open].map(({ id }) => inMaintenance(id))).toEqual([
    'none',
    'whole',
    'part',
    'none',
  ]);
});
