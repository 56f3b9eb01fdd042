import { execFile } from 'node:child_process';
import { readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openLmdbStore } from '../../src/store/open-lmdb-store.ts';
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

test('a store that cannot be filled up where it ends early is left where it is', async () => {
  const path = await temporaryFolder();
  const { store } = await openLmdbStore({ path, asideSuffix: 'x' });
  await store.commit({ account: 'a', documents: new Map([['data', 'x'.repeat(1e6)]]) });
  await store.close();
  const file = join(path, 'data', 'data.mdb');
  await truncate(file, (await stat(file)).size - 10 * 4096);
  const script = 'ulimit -f 1000 && exec "$0" "$1" "$2"';

  await expect(
    promisify(execFile)('sh', ['-c', script, process.execPath, child, path]),
  ).rejects.toMatchObject({
    stderr: expect.stringContaining(`cannot use the storage path ${path}: EFBIG`),
  });

  expect(new Set(await readdir(path))).toEqual(new Set(['data']));
});
