import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { StoreError } from '../../../src/store/store-error.ts';
import { openStore } from '../support/open-store.ts';
import { fill, onSmallDisk, smallDisk } from '../support/small-disk.ts';
import { plainItem } from '../support/stored-items.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const checks = (n: number, length = 500) =>
  new Map(Array.from({ length }, (_, id) => [id, plainItem(n)]));
const reasonOf = (commit: Promise<void>) =>
  commit.then(
    () => 'stored',
    ({ reason }: StoreError) => reason,
  );

onSmallDisk('on a small disk', () => {
  test('commits of more than it has room for are refused, lose nothing, and succeed when there is room', async () => {
    const disk = await smallDisk();
    const { store } = await openStore(join(disk, 'data'));
    for (let n = 1; n <= 20; n++) {
      await store.commit({ account: 'a', items: { check: checks(n) } });
    }
    const free = await fill(disk);
    let stored = checks(20);
    let more = stored;
    let outcome = 'stored';
    while (outcome === 'stored') {
      stored = more;
      more = checks(20, stored.size + 100);
      outcome = await reasonOf(store.commit({ account: 'a', items: { check: more } }));
    }

    const refusals = new Set([outcome]);
    for (let n = 0; n < 100; n++) {
      refusals.add(await reasonOf(store.commit({ account: 'a', items: { check: more } })));
    }
    expect([...refusals]).toEqual(['full']);
    expect((await store.load('a')).items.check).toEqual(stored);
    await free();
    expect(await reasonOf(store.commit({ account: 'a', items: { check: more } }))).toBe('stored');
    await store.close();
    const again = await openStore(join(disk, 'data'));
    expect((await again.store.load('a')).items.check).toEqual(more);
    await again.store.close();
  });

  test('commits of one size go on forever on a disk of 2 MiB, and when others have filled it', async () => {
    const disk = await smallDisk('2m');
    const { store } = await openStore(join(disk, 'data'));
    const commit = (n: number) => store.commit({ account: 'a', items: { check: checks(n) } });
    for (let n = 100; n < 200; n++) await commit(n);
    await fill(disk);
    for (let n = 200; n < 300; n++) await commit(n);

    expect((await store.load('a')).items.check).toEqual(checks(299));
    await store.close();
  });

  test('commits of one size go on when the disk fills up while the log is still short', async () => {
    const disk = await smallDisk();
    const path = join(disk, 'data');
    const before = await openStore(path);
    await before.store.commit({ account: 'a', items: { check: checks(1) } });
    await before.store.close();
    const { store } = await openStore(path);
    const commit = (n: number) => store.commit({ account: 'a', items: { check: checks(n) } });
    await commit(2);
    await fill(disk);

    for (let n = 3; n < 30; n++) await commit(n);

    expect((await store.load('a')).items.check).toEqual(checks(29));
    await store.close();
  });

  test.each(['in order', 'as after a crash'])(
    'a store left %s opens on a full disk',
    async (how) => {
      const disk = await smallDisk();
      const path = join(disk, 'data');
      const { store } = await openStore(path);
      await store.commit({ account: 'a', items: { check: checks(1) } });
      await store.commit({ account: 'a', items: { check: checks(2) } });
      if (how === 'in order') await store.close();
      else {
        await mkdir(join(disk, 'crashed'));
        execFileSync('cp', [`${path}/uptime.db`, `${path}/uptime.db-wal`, join(disk, 'crashed')]);
        await store.close();
        await rm(path, { recursive: true });
        await rename(join(disk, 'crashed'), path);
      }
      const free = await fill(disk);

      const opened = await openStore(path);
      expect(opened.notices).toEqual([]);
      expect((await opened.store.load('a')).items.check).toEqual(checks(2));
      await reasonOf(opened.store.commit({ account: 'a', items: { check: checks(3) } }));
      await free();
      await opened.store.commit({ account: 'a', items: { check: checks(4) } });
      expect((await opened.store.load('a')).items.check).toEqual(checks(4));
      await opened.store.close();
    },
  );

  test('a store on a read-only disk is served, the log of a crash included, until it can be written', async () => {
    const disk = await smallDisk();
    const path = join(disk, 'data');
    const { store } = await openStore(path);
    await store.commit({ account: 'a', items: { check: checks(1) } });
    await mkdir(join(disk, 'crashed'));
    execFileSync('cp', [`${path}/uptime.db`, `${path}/uptime.db-wal`, join(disk, 'crashed')]);
    expect((await stat(join(disk, 'crashed', 'uptime.db-wal'))).size).toBeGreaterThan(0);
    await store.close();
    execFileSync('mount', ['-o', 'remount,ro', disk]);

    const opened = await openStore(join(disk, 'crashed'));
    expect(opened.notices).toMatchObject([{ kind: 'read-only', reason: /EROFS/ }]);
    expect((await opened.store.load('a')).items.check).toEqual(checks(1));
    expect(await reasonOf(opened.store.commit({ account: 'a', items: { check: checks(2) } }))).toBe(
      'unwritable',
    );
    execFileSync('mount', ['-o', 'remount,rw', disk]);
    await opened.store.commit({ account: 'a', items: { check: checks(3) } });
    await opened.store.close();

    const again = await openStore(join(disk, 'crashed'));
    expect((await again.store.load('a')).items.check).toEqual(checks(3));
    await again.store.close();
  });

  test('a folder that is mounted over is noticed, and used again when it is back', async () => {
    const path = await temporaryFolder();
    const { store } = await openStore(path);
    await store.commit({ account: 'a', items: { check: checks(1) } });
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', path]);
    const refused = await reasonOf(store.commit({ account: 'a', items: { check: checks(2) } }));
    execFileSync('umount', ['-l', path]);
    expect(refused).toBe('unwritable');
    expect(await reasonOf(store.commit({ account: 'a', items: { check: checks(3) } }))).toBe(
      'stored',
    );
    await store.close();
  });
});

test.each([
  ['deleted', (path: string) => rm(path, { recursive: true })],
  [
    'replaced',
    async (path: string) => {
      await rename(path, `${path}-away`);
      onTestFinished(() => rm(`${path}-away`, { recursive: true }));
      await mkdir(path);
      await writeFile(join(path, 'uptime.db'), '');
    },
  ],
])('a folder that is %s under the store is noticed at the next commit', async (_how, change) => {
  const path = join(await temporaryFolder(), 'data');
  const { store } = await openStore(path);
  await store.commit({ account: 'a', items: { check: checks(1) } });

  await change(path);

  await expect(store.commit({ account: 'a', items: { check: checks(2) } })).rejects.toThrow(
    /was deleted, replaced or mounted over while in use/,
  );
  await store.close();
});

test('files are for their owner alone, and a backup is a whole store', async () => {
  const path = join(await temporaryFolder(), 'data');
  const { store } = await openStore(path);
  await store.commit({ account: 'a', items: { check: checks(5) } });
  const backup = (await store.backup?.()) ?? '';
  await store.close();

  const modeOf = async (name: string) => ((await stat(name)).mode & 0o777).toString(8);
  expect(await modeOf(path)).toBe('700');
  expect(await modeOf(join(path, 'uptime.db'))).toBe('600');
  expect(await modeOf(backup)).toBe('600');
  expect(backup).toMatch(/\/backup\/uptime-\d{4}-\d\d-\d\dT[\d.Z-]+\.db$/);
  const restored = join(await temporaryFolder(), 'restored');
  await mkdir(restored);
  await rename(backup, join(restored, 'uptime.db'));
  expect(existsSync(backup)).toBe(false);
  const again = await openStore(restored);
  expect((await again.store.load('a')).items.check).toEqual(checks(5));
  await again.store.close();
});
