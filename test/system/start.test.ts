import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { freePort } from '../support/free-port.ts';
import {
  createSandboxExporter,
  sandboxAccount,
  startVirtualSandbox,
} from '../support/sandbox-exporter.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

/** The store of one process. It reads accounts once the promise has resolved. */
function held(store: Store, until: Promise<void>): Store {
  return {
    id: store.id,
    accounts: () => store.accounts(),
    load: async (account) => {
      await until;
      return store.load(account);
    },
    readMonth: (batch) => store.readMonth(batch),
    commit: (changes) => store.commit(changes),
    close: async () => {},
  };
}

test('while the stored state is restored, only the health check responds, and the first page has all of the state', async () => {
  const clock = new VirtualClock();
  const sandbox = await startVirtualSandbox(clock, { checks: 5, transactions: 1 });
  onTestFinished(() => sandbox.close());
  const accounts = [sandboxAccount(sandbox)];
  const disk = new MemoryStore();
  const common = { accounts, clock, write: () => {} };
  const first = createSandboxExporter({ ...common, store: held(disk, Promise.resolve()) });
  const before = await first.start();
  await expect
    .poll(async () => (await request(`${before}/metrics`)).body.text())
    .toContain('uptime_transaction_state_seconds_total{');
  await first.stop();

  let restore = () => {};
  const restoring = new Promise<void>((resolve) => {
    restore = resolve;
  });
  const address = `127.0.0.1:${await freePort()}`;
  const second = createSandboxExporter({
    ...common,
    store: held(disk, restoring),
    listenOn: [address],
  });
  const started = second.start();
  onTestFinished(() => second.stop());
  const status = async (path: string, method: 'GET' | 'POST' = 'GET') => {
    const { statusCode, body } = await request(`http://${address}${path}`, { method });
    return [statusCode, await body.text()] as const;
  };

  await expect.poll(() => status('/-/healthy').catch(() => [])).toEqual([200, 'ok\n']);
  for (const path of [
    '/metrics',
    '/metrics?compat=blackbox',
    '/-/ready',
    '/',
    '/status.json',
    '/sd',
  ]) {
    expect([path, (await status(path))[0]]).toEqual([path, 503]);
  }
  expect((await status('/-/backup', 'POST'))[0]).toBe(503);
  restore();
  await started;

  const [statusCode, page] = await status('/metrics');
  expect(statusCode).toBe(200);
  expect(page.match(/^uptime_check_state_seconds_total\{/gm)?.length).toBeGreaterThanOrEqual(20);
  expect(page).toContain('uptime_transaction_state_seconds_total{');
  expect((await status('/-/ready'))[0]).toBe(200);
});
