import { spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { startChild } from '../support/child.ts';
import { skipped } from '../support/skipped.ts';

const main = join(import.meta.dirname, '../../dist/main.js');

/** The words that make `setpriv` run a command as another user. */
const as = (uid: number) => [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];

function reasonToSkip(): string | undefined {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') {
    return 'another user is only available to root on Linux';
  }
  const isReadable = spawnSync('setpriv', [...as(65534), 'test', '-r', main]).status === 0;
  return isReadable ? undefined : 'another user may not read the folder of this clone';
}

describe.skipIf(skipped(reasonToSkip()))('as another user', () => {
  test('a token that the user may not read ends the start, and the message names what forbids it', async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o755);
    const token = join(folder, 'token');
    await writeFile(token, 'token-12345678\n', { mode: 0o600 });
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await writeFile(join(closed, 'token'), 'token-12345678\n');
    const words = `${token} belongs to uid 0, gid 0 with mode 0600, and the exporter runs as uid`;
    for (const [uid, path, text] of [
      [65534, token, `${words} 65534, gid 65534`],
      // A user id without a name on this machine.
      [12345, token, `${words} 12345, gid 12345`],
      [12345, join(closed, 'token'), `a folder on the way to ${join(closed, 'token')} is closed`],
    ] as const) {
      const child = startChild('setpriv', [...as(uid), process.execPath, main, '--config.check'], {
        env: { UPTIME_API_BASE_URL: 'https://api.example.com', UPTIME_API_TOKEN_FILE: path },
      });
      expect(await child.ended).toBe(1);
      expect(child.output()).toContain(text);
    }
  });
});
