import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { closedFolder, folderProblem, forbidden, readProblem } from '../../src/lib/file-problem.ts';
import { makeFolder } from '../../src/lib/make-folder.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';

function errorOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

const coded = (code: string) => Object.assign(new Error(`${code}: no`), { code });

describe('a file that cannot be read', () => {
  const problem = (path: string) =>
    readProblem(
      path,
      errorOf(() => readFileSync(path)),
    );

  test('is missing, a folder, below a file, or no path at all', async () => {
    const folder = await mkdtemp(join(await temporaryFolder(), 'x'));
    await writeFile(join(folder, 'file'), '');
    expect(problem(join(folder, 'none'))).toMatch(/^there is no such file; create it/);
    expect(problem(folder)).toMatch(/^it is a folder, and a file is needed/);
    expect(problem(join(folder, 'file', 'token'))).toMatch(/^a part of the path is a file/);
    expect(problem(join(folder, 'x'.repeat(300)))).toMatch(/^the path is too long; give the path/);
  });

  test('belongs to another user: owner, mode, own user and remedy are named', () => {
    const user = { uid: 1000, gid: 1000 };
    expect(forbidden('/run/token', { uid: 0, gid: 0, mode: 0o100600 }, user)).toBe(
      'permission denied: /run/token belongs to uid 0, gid 0 with mode 0600, and the exporter runs as uid 1000, gid 1000; ' +
        'give it to that user (chown 1000 /run/token) or let the group read it (chgrp 1000 and chmod g+r)',
    );
    expect(forbidden('/run/token', undefined, user)).toBe(
      'permission denied: a folder on the way to /run/token is closed to the exporter, which runs as uid 1000, gid 1000; open it to that user (chmod o+x)',
    );
  });

  test('belongs to the own user: the mode is the remedy, or what else forbids it', () => {
    const user = { uid: 1000, gid: 1000 };
    const remedy = (uid: number, gid: number, mode: number) =>
      forbidden('/run/token', { uid, gid, mode }, user).split('; ')[1];
    expect(remedy(1000, 0, 0o100200)).toBe('let its owner read it (chmod u+r /run/token)');
    for (const [uid, gid, mode] of [
      [1000, 0, 0o100400],
      [0, 1000, 0o100640],
      [0, 0, 0o100644],
    ] as const) {
      expect(remedy(uid, gid, mode)).toMatch(/^its owner and mode permit it, .* SELinux /);
    }
    // The class of the owner is the one that counts.
    expect(remedy(1000, 1000, 0o100044)).toMatch(/^let its owner/);
  });

  test('has a NUL character, and what is in its place may be a secret', () => {
    const error = errorOf(() => readFileSync('secret\0text'));
    expect(readProblem('secret\0text', error)).toBe(
      'it has a NUL character, so it is no path; correct it',
    );
  });

  test('for any other reason is described in the words of the system', () => {
    expect(readProblem('/x', coded('EIO'))).toBe('the system reports "EIO: no"');
  });
});

describe('a folder that cannot be used', () => {
  test('is a file, or below one, which is named', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'file');
    await writeFile(file, '');
    for (const path of [file, join(file, 'data'), join(file, 'a', 'b')]) {
      const error = errorOf(() => makeFolder(path));
      expect(folderProblem(path, error)).toBe(
        `${path === file ? 'it' : file} is a file, and a folder is needed there; choose another path, or move the file away`,
      );
    }
  });

  test('is closed: the folder that exists, its owner and the remedy are named', () => {
    const user = { uid: 1000, gid: 1000 };
    const closed = (path: string, uid: number, mode: number) =>
      closedFolder(path, '/data', { uid, gid: 0, mode }, user);
    const state = (uid: number, mode: string) =>
      `permission denied: /data belongs to uid ${uid}, gid 0 with mode ${mode}, and the exporter runs as uid 1000, gid 1000`;
    const others = ', or choose another path';
    expect(closed('/data/a', 0, 0o40755)).toBe(
      `${state(0, '0755')}; create the folder for that user (install -d -o 1000 -g 1000 /data/a)${others}`,
    );
    expect(closed('/data', 0, 0o40755)).toBe(
      `${state(0, '0755')}; give it to that user (chown -R 1000:1000 /data)${others}`,
    );
    expect(closed('/data', 1000, 0o40500)).toBe(
      `${state(1000, '0500')}; let its owner write to it (chmod u+rwX /data)${others}`,
    );
    expect(closed('/data', 1000, 0o40600)).toContain('(chmod u+rwX /data)');
    expect(closed('/data', 1000, 0o40700)).toMatch(/its owner and mode permit it, .* SELinux /);
    expect(closed('/data', 1000, 0o100400)).toContain('(chmod u+rwX /data)');
    expect(closed('/data/a', 1000, 0o40700)).toMatch(/its owner and mode permit it, .* SELinux /);
  });

  test('is found with its owner by the path', async () => {
    const folder = join(await temporaryFolder(), 'closed');
    await mkdir(folder, { mode: 0o500 });
    expect(folderProblem(folder, coded('EACCES'))).toContain(
      `permission denied: ${folder} belongs to uid ${process.getuid?.()}, gid ${process.getgid?.()} with mode 0500`,
    );
    expect(folderProblem(join(folder, 'a', 'data'), coded('EACCES'))).toContain(
      `permission denied: ${folder} belongs to`,
    );
  });

  test.each([
    ['EROFS', /^the file system is read-only; mount it writable/],
    ['ENOSPC', /^the disk is full; free some space/],
    ['ENOENT', /^no folder can be created in \/proc; choose another path$/],
    ['EIO', /^the system reports "EIO: no"$/],
  ])('for %s is told what to do', (code, words) => {
    expect(folderProblem('/proc/foo/data', coded(code))).toMatch(words);
  });
});
