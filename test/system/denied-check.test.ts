import { expect, test } from 'vitest';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { checkStates } from '../support/service-truth.ts';
import { bookedSpan, shownOf } from '../support/shown-totals.ts';
import { expectTheTruth } from '../support/the-truth.ts';

const minute = 60;
const hour = 60 * minute;

test('what is denied of two checks is asked for at its turns only, costs the others nothing, and is made up for', async () => {
  const exporter = await RestartableExporter.create({ checks: 6, transactions: 0 });
  const { world, faults, journal } = exporter.sandbox;
  const ids = world.checks.map(({ id }) => id);
  const [denied = 0, deleted = 0, ...others] = ids;
  for (const id of ids) {
    for (const start of [80, 140, 200, 260]) {
      const from = exporter.now + start * minute;
      world.plant({ checkId: id, status: 'down', from, to: from + 12 * minute });
    }
  }
  await exporter.start();
  await exporter.pass(hour);
  await exporter.scrape();
  const aboutChecks = ['summary.outage', 'results', 'summary.average', 'summary.performance'];
  for (const path of [...aboutChecks, 'checks', 'analysis']) {
    faults.inject({ kind: 'forbidden', path: `/api/3.1/${path}/${denied}` });
    faults.inject({ kind: 'not-found', path: `/api/3.1/${path}/${deleted}` });
  }

  const lists = journal.countOfOperation('list_checks');
  const asked = (id: number) =>
    journal.recent.filter(({ path }) => aboutChecks.some((of) => path === `/api/3.1/${of}/${id}`));
  const before = new Map(ids.map((id) => [id, asked(id).length]));
  await exporter.pass(2 * hour);
  const listings = journal.countOfOperation('list_checks') - lists;
  const requestsFor = (id: number) => asked(id).length - (before.get(id) ?? 0);

  expect(listings).toBeGreaterThan(100);
  const usual = Math.max(...others.map(requestsFor));
  for (const id of [denied, deleted]) expect(requestsFor(id)).toBeLessThan(1.5 * usual);
  const samples = await exporter.scrape();
  expect(samples.get('uptime_up{account="shop"}')).toBe(1);
  const { items } = await exporter.disk.load('shop');
  for (const id of others) {
    const span = bookedSpan(items.check.get(id) ?? expect.fail(`check ${id} is not stored`));
    const { seconds, outages } = checkStates(exporter.sandbox, id, span, exporter.now);
    expect(shownOf(samples, 'check', 'shop', id)).toEqual({ seconds, outages });
    expect(exporter.now - span.toSeconds).toBeLessThan(15 * minute);
  }

  faults.clear();
  await exporter.pass(3 * hour);
  await expectTheTruth(exporter);
});
