import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { plainItem } from '../support/stored-items.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const worker = new URL('../support/slow-worker.js', import.meta.url);
const commitMilliseconds = 500;

/** A server in this process, as the exporter's is. */
async function serve(): Promise<() => Promise<number>> {
  const server = createServer((_request, response) => response.end('page'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return () =>
    new Promise((resolve, reject) => {
      const since = performance.now();
      get({ port, host: '127.0.0.1' }, (response) => {
        response.resume().on('end', () => resolve(performance.now() - since));
      }).on('error', reject);
    });
}

test('a disk that takes half a second for a commit holds up no request', async () => {
  const { store } = await openSqliteStore({ path: await temporaryFolder(), now: Date.now, worker });
  const scrape = await serve();
  await store.load('a');
  let committing = true;
  const check = new Map(Array.from({ length: 2000 }, (_, id) => [id, plainItem(id)]));
  const since = performance.now();
  const commits = Promise.all(
    Array.from({ length: 4 }, () => store.commit({ account: 'a', items: { check } })),
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
  await store.close();

  times.sort((a, b) => a - b);
  console.log(
    `${times.length} requests during ${Math.round(took)} ms of commits: median ${times[times.length >> 1]?.toFixed(1)} ms, ` +
      `longest ${times.at(-1)?.toFixed(1)} ms; longest block of the event loop ${(delay.max / 1e6).toFixed(1)} ms`,
  );
  expect(took).toBeGreaterThan(4 * commitMilliseconds);
  expect(times.length).toBeGreaterThan(20);
  // One that waited for a commit would take as long as what is left of it: a quarter of a second on average.
  expect(times[times.length >> 1]).toBeLessThan(commitMilliseconds / 4);
  expect(times.filter((time) => time > commitMilliseconds).length).toBe(0);
});
