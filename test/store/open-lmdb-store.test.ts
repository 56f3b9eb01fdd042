import { randomFillSync } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import { describe, expect, test } from 'vitest';
import { openLmdbStore } from '../../src/store/open-lmdb-store.ts';
import { plainItem } from './support/stored-items.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

async function filledStore(): Promise<string> {
  const path = await temporaryFolder();
  const { store } = await openLmdbStore({ path, asideSuffix: 'first' });
  const check = new Map(Array.from({ length: 5000 }, (_, id) => [id, plainItem(id)]));
  await store.commit({ account: 'a', items: { check } });
  await store.close();
  return path;
}

const pageSizeOffset = 48;
const lastPageOffset = 144;

/** In the first meta page of the data file. */
async function writeMeta(path: string, offset: number, bytes: Buffer): Promise<void> {
  const file = await open(dataFile(path), 'r+');
  await file.write(bytes, 0, bytes.length, offset);
  await file.close();
}

async function writeLastPage(path: string, page: bigint): Promise<void> {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(page);
  await writeMeta(path, lastPageOffset, bytes);
}

function dataFile(path: string): string {
  return join(path, 'data', 'data.mdb');
}

function openRecords(path: string) {
  return openLmdb({
    path: join(path, 'data'),
    noSubdir: false,
    encoding: 'string',
    maxDbs: 1,
  });
}

const damages: Record<string, (path: string) => Promise<void>> = {
  'of foreign bytes': async (path) => {
    await writeFile(dataFile(path), randomFillSync(Buffer.alloc(100_000)));
  },
  'of a few bytes': async (path) => writeFile(dataFile(path), 'x'),
  'truncated near its beginning': async (path) => truncate(dataFile(path), 12_288),
  'truncated near its end': async (path) => {
    const file = dataFile(path);
    await truncate(file, (await readFile(file)).length - 30 * 4096);
  },
  'of another version': async (path) => {
    const records = openRecords(path);
    records.putSync(['', 'format', 'version'], '99');
    await records.close();
  },
  'with a record that is no tally': async (path) => {
    const records = openRecords(path);
    records.putSync(['a', 'check', 3], '{"odd":true}');
    await records.close();
  },
  'of a last page beyond what a file system holds': (path) => writeLastPage(path, 2n ** 40n),
  'of a last page beyond what a number holds': (path) => writeLastPage(path, 2n ** 60n),
  'of a last page beyond what a store ever needs': (path) => writeLastPage(path, 2n ** 30n),
  'of pages without size': (path) => writeMeta(path, pageSizeOffset, Buffer.alloc(4)),
  'of pages of an odd size': (path) => writeMeta(path, pageSizeOffset, Buffer.from([1, 16, 0, 0])),
  'that killed the process twice while it was opened': async (path) =>
    writeFile(join(path, 'opening'), '2'),
};

describe('a store that cannot be used is moved aside and started afresh', () => {
  test.each(Object.keys(damages))('%s', async (damage) => {
    const path = await filledStore();
    await damages[damage]?.(path);

    const { store, movedAside } = await openLmdbStore({ path, asideSuffix: '2026-01-05T12' });

    expect(movedAside?.path).toBe(join(path, 'data.damaged-2026-01-05T12'));
    expect(movedAside?.reason).toMatch(/\w/);
    expect(await readdir(path)).toContain('data.damaged-2026-01-05T12');
    expect((await store.load('a')).items.check.size).toBe(0);
    await store.commit({ account: 'a', items: { check: new Map([[1, plainItem(1)]]) } });
    await store.close();

    const again = await openLmdbStore({ path, asideSuffix: 'third' });
    expect(again.movedAside).toBeUndefined();
    expect((await again.store.load('a')).items.check.size).toBe(1);
    await again.store.close();
  });
});

test('a sound store is not moved aside', async () => {
  const path = await filledStore();

  const { store, movedAside } = await openLmdbStore({ path, asideSuffix: 'x' });

  expect(movedAside).toBeUndefined();
  expect((await store.load('a')).items.check.size).toBe(5000);
  await store.close();
});

describe('an opening that the process did not survive', () => {
  test('is forgotten when the folder that was opened is no longer there', async () => {
    const path = await filledStore();
    await writeFile(join(path, 'opening'), '2');
    await rename(join(path, 'data'), join(path, 'data.by-hand'));

    const { store, movedAside } = await openLmdbStore({ path, asideSuffix: 'x' });

    expect(movedAside).toBeUndefined();
    expect(await readdir(path)).not.toContain('opening');
    await store.commit({ account: 'a', items: { check: new Map([[1, plainItem(1)]]) } });
    await store.close();
  });

  test('is not told of a record that lmdb has read, whatever comes of it', async () => {
    const path = await filledStore();
    await damages['with a record that is no tally']?.(path);
    await mkdir(join(path, 'data.damaged-x', 'in the way'), { recursive: true });

    await expect(openLmdbStore({ path, asideSuffix: 'x' })).rejects.toMatchObject({
      reason: 'unwritable',
    });

    expect(await readdir(path)).not.toContain('opening');
  });

  test('counts until the next one that it survives', async () => {
    const path = await filledStore();
    for (let time = 0; time < 3; time++) {
      await writeFile(join(path, 'opening'), '1');
      const { store, movedAside } = await openLmdbStore({ path, asideSuffix: 'x' });
      expect(movedAside).toBeUndefined();
      expect((await store.load('a')).items.check.size).toBe(5000);
      await store.close();
    }
  });
});

test('a second user of the path is refused until the first has closed it', async () => {
  const path = await temporaryFolder();
  const { store } = await openLmdbStore({ path, asideSuffix: 'x' });

  await expect(openLmdbStore({ path, asideSuffix: 'x' })).rejects.toMatchObject({
    name: 'StoreError',
    reason: 'locked',
  });

  await store.close();
  const second = await openLmdbStore({ path, asideSuffix: 'x' });
  await second.store.close();
});

test('a path that is no folder is refused with the reason', async () => {
  const path = join(await temporaryFolder(), 'file');
  await writeFile(path, '');

  await expect(openLmdbStore({ path, asideSuffix: 'x' })).rejects.toMatchObject({
    name: 'StoreError',
    reason: 'unwritable',
    message: expect.stringContaining(path),
  });
});

test('a path too long for the lock is refused, and nothing is made in its place', async () => {
  const folder = await temporaryFolder();

  await expect(
    openLmdbStore({ path: join(folder, 'x'.repeat(120)), asideSuffix: 'x' }),
  ).rejects.toMatchObject({ reason: 'unwritable', message: expect.stringContaining('103 bytes') });
  expect(await readdir(folder)).toEqual(['x'.repeat(120)]);
});

test('commits are written in the order in which they were asked for', async () => {
  const { store } = await openLmdbStore({ path: await temporaryFolder(), asideSuffix: 'x' });
  const many = new Map(Array.from({ length: 5000 }, (_, id) => [id, plainItem(1)]));

  const older = store.commit({ account: 'a', items: { check: many } });
  const newer = store.commit({ account: 'a', items: { check: new Map([[3, plainItem(2)]]) } });
  await Promise.all([older, newer]);

  expect((await store.load('a')).items.check.get(3)).toEqual(plainItem(2));
  await store.close();
});

test('what was committed before the close is written', async () => {
  const path = await temporaryFolder();
  const { store } = await openLmdbStore({ path, asideSuffix: 'x' });
  const many = new Map(Array.from({ length: 3000 }, (_, id) => [id, plainItem(1)]));

  const commit = store.commit({ account: 'a', items: { check: many } });
  await store.close();
  await commit;

  const again = await openLmdbStore({ path, asideSuffix: 'x' });
  expect((await again.store.load('a')).items.check.size).toBe(3000);
  await again.store.close();
});

test('a closed store says so', async () => {
  const { store } = await openLmdbStore({ path: await temporaryFolder(), asideSuffix: 'x' });
  await store.close();
  await store.close();

  await expect(store.load('a')).rejects.toMatchObject({ reason: 'closed' });
  await expect(store.commit({ account: 'a' })).rejects.toMatchObject({ reason: 'closed' });
});
