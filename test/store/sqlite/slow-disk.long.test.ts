import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import {
  createSandboxExporter,
  sandboxAccount,
  startVirtualSandbox,
} from '../../support/sandbox-exporter.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { plainItem } from '../support/stored-items.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const worker = new URL('../support/slow-worker.js', import.meta.url);

test('scrapes are served while the disk ends no commit', async () => {
  const path = await temporaryFolder();
  const { store } = await openSqliteStore({ path, now: Date.now, worker });
  const clock = new VirtualClock();
  const sandbox = await startVirtualSandbox(clock, { checks: 20, transactions: 2 });
  onTestFinished(() => sandbox.close());
  const accounts = [sandboxAccount(sandbox)];
  const exporter = createSandboxExporter({ accounts, store, clock, write: () => {} });
  const url = await exporter.start();
  onTestFinished(() => exporter.stop());
  await store.load('a');
  await writeFile(join(path, 'hangs'), '');
  let ended = 0;
  const check = new Map(Array.from({ length: 2000 }, (_, id) => [id, plainItem(id)]));
  const commits = Array.from({ length: 6 }, async () => {
    await store.commit({ account: 'a', items: { check } });
    ended++;
  });

  for (let scrape = 0; scrape < 20; scrape++) {
    const { statusCode, body } = await request(`${url}/metrics`);
    expect([statusCode, await body.text()]).toEqual([200, expect.stringContaining('uptime_up')]);
  }

  expect(ended).toBe(0);
  await rm(join(path, 'hangs'));
  await Promise.all(commits);
});
