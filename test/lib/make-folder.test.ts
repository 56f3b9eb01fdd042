import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/lib/make-folder.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';

const isFolder = async (path: string) => (await stat(path)).isDirectory();

test.each(['a', 'a/b/c', 'a/../b/./c/', 'there/c'])('%s is made, level by level', async (name) => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'there'));
  makeFolder(`${folder}/${name}`);
  expect(await isFolder(`${folder}/${name}`)).toBe(true);
});

test('a folder that is there, also by a link, stays', async () => {
  const folder = await temporaryFolder();
  await symlink(folder, join(folder, 'link'));
  makeFolder(join(folder, 'link'));
  makeFolder('/');
});

test('a file in the way is told of', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  expect(() => makeFolder(join(file, 'data'))).toThrow(
    `EEXIST: file already exists, mkdir '${file}'`,
  );
});

test('a folder that accepts no entries is refused at once', () => {
  expect(() => makeFolder('/proc/nowhere/below')).toThrow(/mkdir '\/proc\/nowhere'/);
});
