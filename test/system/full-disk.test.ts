import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { startSandbox } from '../../src/sandbox/running-sandbox.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { startChild } from '../support/child.ts';

const token = 'sandbox-token-1234567890';
const main = new URL('../../dist/main.js', import.meta.url).pathname;

/** Writes fail as on a full disk: no file may grow beyond 1,000 blocks of 512 bytes. */
const onFullDisk = 'ulimit -f 1000 && exec "$0" "$@"';

test('a process whose disk is full from the start serves, says so, and ends in good order', async () => {
  const sandbox = await startSandbox({
    ...{ clock: systemClock, limitsClock: systemClock, token, host: '127.0.0.1', port: 0 },
    ...{ checks: 3_000, shortLimit: 100_000, longLimit: 18_000_000 },
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
