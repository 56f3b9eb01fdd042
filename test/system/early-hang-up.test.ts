import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { startExporter } from '../support/exporter-command.ts';

const baseUrl = { UPTIME_API_BASE_URL: 'http://127.0.0.1:9' };

/** A file whose reader waits until something is written to it. */
async function slowFile() {
  const path = join(await temporaryFolder(), 'token');
  execFileSync('mkfifo', [path]);
  return { path, whileItIsRead: () => open(path, 'w') };
}

test('a reload that is asked for while the configuration is still read for the first time is done later', async () => {
  const token = await slowFile();
  const storage = join(await temporaryFolder(), 'data');
  const child = startExporter(['--web.listen-address=127.0.0.1:0', `--storage.path=${storage}`], {
    ...baseUrl,
    UPTIME_API_TOKEN_FILE: token.path,
  });
  const first = await token.whileItIsRead();
  child.process.kill('SIGHUP');
  await first.write('token-12345678');
  await first.close();
  await child.until(/msg="serving metrics"/);
  const second = await token.whileItIsRead();
  await second.write('token-12345678');
  await second.close();
  await child.until(/msg="configuration reloaded"/);
});

test('a hang-up ends a command that has nothing to reload', async () => {
  const child = startExporter(['sandbox', '--port=0']);
  await child.until(/Stop with Ctrl-C/);
  child.process.kill('SIGHUP');
  expect(await child.ended).toBe('SIGHUP');
});
