import { existsSync } from 'node:fs';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { startDemo } from '../support/exporter-command.ts';
import { skipped } from '../support/skipped.ts';

const main = new URL('../../dist/main.js', import.meta.url).pathname;

/** Runs a line of the shell, in which `$0` is the exporter. */
function shell(line: string): Child {
  return startChild('sh', ['-c', line.replaceAll('$0', `'${process.execPath}' '${main}'`)]);
}

/** Resolves when the account is on the page. */
async function serving(url: string): Promise<void> {
  for (;;) {
    const { body } = await request(`${url}/metrics`);
    if ((await body.text()).includes('uptime_up{account="demo"} 1')) return;
  }
}

test('serves on when nobody reads its log any more, and ends in good order', async () => {
  const demo = await startDemo(['--log.level=debug', '--checks=3']);
  demo.process.stdout?.destroy();
  demo.process.stderr?.destroy();

  await serving(demo.url);
  demo.process.kill('SIGTERM');

  expect(await demo.ended).toBe(0);
});

test('a reader that has seen enough of the output is no error', async () => {
  const child = shell('$0 metrics | true');
  expect(await child.ended).toBe(0);
  expect(child.output()).toBe('');
});

const noFullDevice = existsSync('/dev/full') ? undefined : 'this machine has no /dev/full';

describe.skipIf(skipped(noFullDevice))('on a full disk', () => {
  test('an exporter whose log is there serves on, and ends in good order', async () => {
    const child = shell(
      'exec $0 demo --log.level=debug --checks=3 --web.listen-address=127.0.0.1:0 2>/dev/full',
    );
    const [, url = ''] = await child.until(/Status page\s+(http:\S+)\//);

    await serving(url);
    child.process.kill('SIGTERM');

    expect(await child.ended).toBe(0);
  });

  test('a command reports that its output is lost', async () => {
    const child = shell('$0 metrics >/dev/full');
    expect(await child.ended).toBe(1);
    expect(child.output()).toMatch(/^cannot write the output: ENOSPC.*\n$/);
  });
});
