import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/store/make-folder.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const isFolder = async (path: string) => (await stat(path)).isDirectory();

test.each(['a', 'a/b/c', 'a/../b/./c/', 'there/c'])('%s is made, level by level', async (name) => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'there'));
  await makeFolder(`${folder}/${name}`);
  expect(await isFolder(`${folder}/${name}`)).toBe(true);
});

test('a folder that is there, also by a link, stays', async () => {
  const folder = await temporaryFolder();
  await symlink(folder, join(folder, 'link'));
  await makeFolder(join(folder, 'link'));
  await makeFolder('/');
});

test('many that make the same folders at once all succeed', async () => {
  const path = join(await temporaryFolder(), 'a', 'b', 'c');
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(path)));
  expect(await isFolder(path)).toBe(true);
});

test('a file in the way is told of', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  await expect(makeFolder(join(file, 'data'))).rejects.toThrow(
    `EEXIST: file already exists, mkdir '${file}'`,
  );
});
