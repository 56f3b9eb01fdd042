import { monitorEventLoopDelay } from 'node:perf_hooks';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../../src/store/store.ts';
import {
  createSandboxExporter,
  sandboxAccount,
  startVirtualSandbox,
} from '../../support/sandbox-exporter.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { plainItem } from '../support/stored-items.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const worker = new URL('../support/slow-worker.js', import.meta.url);
const commitMilliseconds = 500;
const commitCount = 6;

/** An exporter with this store, and its scrapes. */
async function serve(store: Store): Promise<() => Promise<number>> {
  const clock = new VirtualClock();
  const sandbox = await startVirtualSandbox(clock, { checks: 20, transactions: 2 });
  onTestFinished(() => sandbox.close());
  const accounts = [sandboxAccount(sandbox)];
  const exporter = createSandboxExporter({ accounts, store, clock, write: () => {} });
  const url = await exporter.start();
  onTestFinished(() => exporter.stop());
  return async () => {
    const since = performance.now();
    const { statusCode, body } = await request(`${url}/metrics`);
    expect([statusCode, await body.text()]).toEqual([200, expect.stringContaining('uptime_up')]);
    return performance.now() - since;
  };
}

test('a disk that takes half a second for a commit delays no scrape', async () => {
  const { store } = await openSqliteStore({ path: await temporaryFolder(), now: Date.now, worker });
  const scrape = await serve(store);
  await store.load('a');
  let committing = true;
  const check = new Map(Array.from({ length: 2000 }, (_, id) => [id, plainItem(id)]));
  const since = performance.now();
  const commits = Promise.all(
    Array.from({ length: commitCount }, () => store.commit({ account: 'a', items: { check } })),
  ).finally(() => {
    committing = false;
  });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const times: number[] = [];
  while (committing) times.push(await scrape());
  await commits;
  const took = performance.now() - since;
  delay.disable();

  times.sort((a, b) => a - b);
  console.log(
    `${times.length} scrapes during ${Math.round(took)} ms of commits: median ${times[times.length >> 1]?.toFixed(1)} ms, ` +
      `longest ${times.at(-1)?.toFixed(1)} ms; longest block of the event loop ${(delay.max / 1e6).toFixed(1)} ms`,
  );
  expect(took).toBeGreaterThan(commitCount * commitMilliseconds);
  expect(times.length).toBeGreaterThan(20);
  // A scrape that waited for a commit would take the rest of it: a quarter of a second on average.
  expect(times[times.length >> 1]).toBeLessThan(commitMilliseconds / 4);
  // If commits ran in this thread, each would delay the scrape in progress. A loaded machine
  // sometimes does that too.
  expect(times.filter((time) => time > commitMilliseconds).length).toBeLessThan(commitCount / 2);
});
