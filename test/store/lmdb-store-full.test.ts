import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from './support/temporary-folder.ts';

const child = join(import.meta.dirname, 'support', 'filling-child.js');

test('a commit for which the disk has no room is refused, loses nothing, and the store goes on', async () => {
  const path = await temporaryFolder();
  const script = 'ulimit -f 4000 && exec "$0" "$1" "$2"';

  const { stdout } = await promisify(execFile)('sh', ['-c', script, process.execPath, child, path]);

  expect(JSON.parse(stdout)).toEqual({
    name: 'StoreError',
    reason: 'full',
    message: expect.stringContaining(path),
    lost: false,
    recovered: 10,
  });
});
