import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/src/running-sandbox.ts';
import { systemClock, unixSeconds } from '../../src/lib/clock.ts';
import { fill, onSmallDisk, smallDisk } from '../store/support/small-disk.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { startChild } from '../support/child.ts';
import {
  addressOf,
  expectTheTruthOf,
  laneAt,
  runThrough,
  scale,
  startScaled,
  startUnrulyAccount,
} from '../support/scaled-life.ts';
import {
  countersOf,
  pageOf,
  untilAllIsCounted,
  untilAllIsRefused,
  untilDurableIsShown,
} from './support/frozen-counters.ts';

const token = 'sandbox-token-1234567890';
const main = new URL('../../dist/main.js', import.meta.url).pathname;

/** Writes fail like on a full disk: no file may grow beyond 1,000 blocks of 512 bytes. */
const onFullDisk = 'ulimit -f 1000 && exec "$0" "$@"';

test('a process whose disk is full from the start serves, reports it, and ends in good order', async () => {
  const sandbox = await startSandbox({
    clock: systemClock,
    limitsClock: systemClock,
    token,
    host: '127.0.0.1',
    port: 0,
    checks: 3_000,
    shortLimit: 100_000,
    longLimit: 18_000_000,
  });
  onTestFinished(() => sandbox.close());
  const path = await temporaryFolder();
  const child = startChild(
    'sh',
    [
      ...['-c', onFullDisk, process.execPath, main],
      ...['--web.listen-address=127.0.0.1:0', `--storage.path=${path}`],
    ],
    { env: { UPTIME_API_BASE_URL: sandbox.url, UPTIME_API_TOKEN: token } },
  );
  const [, address = ''] = await child.until(/address=([\d.:]+)/);
  await child.until(/level=error .*store write failed/);

  for (const served of ['/metrics', '/', '/status.json', '/-/healthy']) {
    const { statusCode, body } = await request(`http://${address}${served}`);
    await body.dump();
    expect([served, statusCode]).toEqual([served, 200]);
  }
  child.process.kill('SIGTERM');
  expect(await child.ended).toBe(0);
  expect(child.output()).not.toMatch(/^\s+at /m);
});

onSmallDisk('on a small disk', () => {
  test('ten minutes of a full one end nothing: the last durable page is served, after a restart too, and with room all is counted right', async () => {
    const since = Date.now();
    const { clock, sandbox } = await startUnrulyAccount(since);
    const disk = await smallDisk();
    const lane = await laneAt(0, join(disk, 'data'), sandbox.url);
    const page = (address: string) => pageOf(lane, address);
    const begun = startScaled(lane, since);
    const address = await addressOf(begun);
    await untilAllIsCounted(() => page(address));

    const free = await fill(disk);
    await begun.until(/level=error .*store write failed/);
    await untilAllIsRefused(() => page(address));
    const durable = await untilDurableIsShown(lane, since, () => page(address));
    const until = unixSeconds(clock) + 600;
    let refused = 0;
    while (unixSeconds(clock) < until) {
      await delay(60_000 / scale / 10);
      const samples = await page(address);
      expect(countersOf(samples)).toEqual(durable);
      refused = samples.get('uptime_exporter_store_errors_total') ?? 0;
    }
    expect(refused).toBeGreaterThan(5);
    expect(begun.process.exitCode).toBeNull();
    begun.process.kill('SIGTERM');
    expect(await begun.ended).toBe(0);

    const again = startScaled(lane, since);
    expect(countersOf(await page(await addressOf(again)))).toEqual(durable);
    await again.until(/level=error .*store write failed/);
    again.process.kill('SIGKILL');
    await again.ended;
    await free();
    const freed = unixSeconds(clock);
    await runThrough(freed, lane, since);
    const now = unixSeconds(clock);
    await sandbox.close();

    await expectTheTruthOf(lane, sandbox, { since, now, sinceSeconds: freed });
    for (const { output } of [begun, again]) expect(output()).not.toMatch(/^\s+at |malloc|panic/m);
  });
});
