import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { cp, mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { writeBackup } from '../../../src/store/sqlite/backup.ts';
import { type Connection, pageBytes } from '../../../src/store/sqlite/connection.ts';
import { StoreError } from '../../../src/store/store-error.ts';
import { casesOf } from '../../support/extent.ts';
import { writeStore } from '../support/damaged-stores.ts';
import { openStore } from '../support/open-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const child = join(import.meta.dirname, '..', 'support', 'backing-up-child.js');
const accounts = 20;
const megabyte = 1_000_000;

const isBackup = (name: string) => name.endsWith('.db');

/** The files in the backup folder, with their sizes in bytes. */
function filesIn(folder: string): ReadonlyMap<string, number> {
  if (!existsSync(folder)) return new Map();
  const sizes = readdirSync(folder).map(
    (name) => [name, statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0] as const,
  );
  return new Map(sizes);
}

/**
 * Kills a process that writes backups as soon as a new file has this size. Returns the names of the
 * files that it leaves.
 */
async function killAt(path: string, bytes: number): Promise<readonly string[]> {
  const running = spawn(process.execPath, [child, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    running.kill('SIGKILL');
  });
  const folder = join(path, 'backup');
  const before = filesIn(folder);
  await once(running.stdout, 'data');
  const isWriting = () =>
    [...filesIn(folder)].some(([name, size]) => !before.has(name) && size >= bytes);
  while (!isWriting()) await setImmediate();
  running.kill('SIGKILL');
  await once(running, 'exit');
  return [...filesIn(folder).keys()];
}

/** The number of accounts with a document in a store that is restored from this file. */
async function accountsIn(file: string): Promise<number> {
  const path = join(await temporaryFolder(), 'restored');
  await mkdir(path);
  await cp(file, join(path, 'uptime.db'));
  const { store } = await openStore(path);
  let found = 0;
  for (let n = 0; n < accounts; n++) {
    const { documents } = await store.load(`account ${n}`);
    const text = documents.get('feature test');
    if (typeof text === 'string' && text.length === String(n).length * megabyte) found += 1;
  }
  await store.close();
  return found;
}

test.each(casesOf([0, 1, 5 * megabyte, 20 * megabyte, 29 * megabyte], 0, 2))(
  'a backup that is killed when %d bytes of it are written is not taken for one, and the next one removes it',
  async (bytes) => {
    const path = await temporaryFolder();
    const folder = join(path, 'backup');
    // On a busy machine, the backup may be complete before the signal arrives.
    for (let isCut = false; !isCut; ) {
      const left = await killAt(path, bytes);
      for (const name of left.filter(isBackup)) {
        expect([name, await accountsIn(join(folder, name))]).toEqual([name, accounts]);
      }
      isCut = !left.every(isBackup);
    }

    const { store } = await openStore(path);
    const backup = (await store.backup?.()) ?? '';
    await store.close();
    expect([...filesIn(folder).keys()].filter((name) => !isBackup(name))).toEqual([]);
    expect(await accountsIn(backup)).toBe(accounts);
  },
);

test('a copy that cannot be read is removed, and reported', async () => {
  const folder = join(await temporaryFolder(), 'backup');
  const { whole } = await writeStore();
  // Not one that a write to the copy reads.
  const page = Math.floor(whole.length / 2 / pageBytes) * pageBytes;
  const faulty: Pick<Connection, 'copyTo' | 'bytes'> = {
    bytes: whole.length,
    copyTo: (path) => writeFileSync(path, Buffer.from(whole).fill(0, page, page + pageBytes)),
  };
  const record = { id: 'x', serial: 1, version: 1 };

  expect(() => writeBackup(faulty, folder, 'now', record)).toThrow(StoreError);

  expect(filesIn(folder)).toEqual(new Map());
});

test('a copy that would leave less room on the disk than it takes is not begun', async () => {
  const folder = join(await temporaryFolder(), 'backup');
  await mkdir(folder);
  const { bavail, bsize } = await statfs(folder);
  const huge = { bytes: 0.6 * bavail * bsize, copyTo: () => expect.unreachable('it was begun') };
  const record = { id: 'x', serial: 1, version: 1 };

  expect(() => writeBackup(huge, folder, 'now', record)).toThrow(/now\.db: .* too little room/);

  expect(filesIn(folder)).toEqual(new Map());
});
