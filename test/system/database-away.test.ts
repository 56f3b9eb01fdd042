import { request } from 'undici';
import { expect, test } from 'vitest';
import { SharedMemory } from '../replicas/support/shared-memory.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { expectTheTruth } from '../support/the-truth.ts';

const minute = 60;
const hour = 60 * minute;
/** The default time to live of a lease, and its margin. */
const [ttl, margin] = [30, 5];

const ofAccount = /^uptime_(?!exporter_)/m;

async function response({ url }: RestartableExporter, path: string) {
  const { statusCode, body } = await request(`${url}${path}`);
  return [statusCode, await body.text()];
}

const readiness = (exporter: RestartableExporter) => response(exporter, '/-/ready');

test('while the database is away for an hour nothing of its accounts is served, and afterwards counters are exact', async () => {
  const exporter = await RestartableExporter.create({
    checks: 6,
    transactions: 1,
    shared: new SharedMemory(),
  });
  const { sandbox } = exporter;
  const [check] = sandbox.world.checks;
  const checkId = check?.id ?? 0;
  const begun = exporter.now + 30 * minute;
  sandbox.world.plant({ checkId, status: 'up', from: exporter.now - hour, to: begun + 9 * hour });
  sandbox.world.plant({
    checkId,
    status: 'down',
    from: begun + 20 * minute,
    to: begun + 40 * minute,
  });
  await exporter.start();
  await exporter.pass(30 * minute);
  const requests = () => sandbox.journal.countOfOperation('list_checks');

  exporter.connection?.cut();
  await exporter.pass(ttl - margin - 5);
  expect(await exporter.page()).toMatch(ofAccount);
  expect(await readiness(exporter)).toEqual([200, 'ready\n']);
  await exporter.pass(10);
  const before = requests();
  for (let passed = 0; passed < hour; passed += 5 * minute) {
    const page = await exporter.page();
    expect(page).not.toMatch(ofAccount);
    expect(page).toMatch(/^uptime_exporter_database_up 0$/m);
    expect(page).toMatch(/^uptime_exporter_lease_held\{account="shop"\} 0$/m);
    expect(await readiness(exporter)).toEqual([
      ...[503, 'not ready: the database does not answer; the log says why\n'],
    ]);
    await exporter.pass(5 * minute);
  }
  expect(requests()).toBe(before);
  const log = exporter.log.join('');
  expect(log.match(/leases could not be renewed/g)).toHaveLength(1);
  expect(log.match(/account lost.*reason=expired/g)).toHaveLength(1);

  exporter.connection?.mend();
  await exporter.pass(ttl);
  expect(await exporter.page()).not.toMatch(ofAccount);
  await exporter.pass(2 * margin);
  expect(await exporter.page()).toMatch(/^uptime_exporter_database_up 1$/m);
  expect(await exporter.page()).toMatch(ofAccount);
  expect(await readiness(exporter)).toEqual([200, 'ready\n']);
  await exporter.pass(2 * hour);
  await expectTheTruth(exporter);
});

test('an exporter that was killed serves its accounts again after the ttl and its margin, with exact counters', async () => {
  const exporter = await RestartableExporter.create({
    checks: 6,
    transactions: 1,
    shared: new SharedMemory(),
  });
  await exporter.start();
  await exporter.pass(hour);
  await exporter.crash();
  await exporter.start();
  await exporter.pass(ttl);
  expect(await exporter.page()).not.toMatch(ofAccount);
  await exporter.pass(2 * margin);
  expect(await exporter.page()).toMatch(ofAccount);

  expect(await exporter.page()).toMatch(
    /^uptime_exporter_lease_expired_takes_total\{account="shop"\} 1$/m,
  );

  await exporter.stop();
  await exporter.start();
  expect(await exporter.page()).toMatch(ofAccount);
  expect(await exporter.page()).toMatch(
    /^uptime_exporter_lease_expired_takes_total\{account="shop"\} 0$/m,
  );
  expect(await exporter.page()).toMatch(/^uptime_exporter_lease_epoch\{account="shop"\} 3$/m);
  await exporter.pass(2 * hour);
  await expectTheTruth(exporter);
});

test('parts of the page and targets of an account belong to its owner, and no replica refuses its name', async () => {
  const shared = new SharedMemory();
  const exporter = await RestartableExporter.create({ checks: 6, transactions: 1, shared });
  const other = shared.connect('other', exporter.clock);
  await other.store.load('shop');
  const ask = (path: string) => response(exporter, path);
  await exporter.start();
  expect(await ask('/metrics?account=shop')).toEqual([200, '']);
  expect(await ask('/metrics?compat=kokuwaio&account=shop')).toEqual([200, '']);
  expect(await ask('/sd?account=shop')).toEqual([200, '[]\n']);
  expect(await ask('/sd')).toEqual([200, '[]\n']);
  const [, refusal] = await ask('/-/backfill?account=shop');
  expect(refusal).toContain('its owner is the replica other');
  for (const path of ['/metrics', '/sd', '/metrics?compat=kokuwaio&']) {
    const [status] = await ask(`${path}${path.includes('?') ? '' : '?'}account=shops`);
    expect([path, status]).toEqual([path, 400]);
  }

  await other.store.release('shop');
  await exporter.pass(10 * minute);
  const [status, targets] = await ask('/sd?account=shop');
  expect(status).toBe(200);
  expect(targets).toContain('__meta_uptime_account');
  expect((await ask('/metrics?account=shop'))[1]).toMatch(ofAccount);

  exporter.connection?.cut();
  await exporter.pass(ttl);
  expect((await ask('/metrics?account=shop'))[0]).toBe(200);
  for (const path of ['/sd', '/sd?account=shop']) expect((await ask(path))[0]).toBe(503);
});
