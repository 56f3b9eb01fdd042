import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { storeAccount, storeRow } from '../../../src/store/format/store-record.ts';
import { applicationId, Connection } from '../../../src/store/sqlite/connection.ts';
import {
  file,
  itemsOf,
  moved,
  openHere,
  surviveDamage,
  writeStore,
} from '../support/damaged-stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const stores = 6;

test(`${stores} corrupt stores open, and name what they lost`, async () => {
  await surviveDamage(stores, 1);
});

test.each([99, 0])('a store of format %i is refused untouched', async (version) => {
  const path = join(await temporaryFolder(), 'written');
  await mkdir(path);
  const connection = new Connection(join(path, file));
  connection.create(version);
  const row = storeRow({ id: 'x', serial: 1, version });
  connection.write({ account: storeAccount, writes: [row] });
  connection.close();
  const refused = await moved(path);
  const before = await readFile(join(refused, file));

  expect(() => openHere(refused)).toThrow(`has format ${version}, and this version reads format`);

  expect((await readFile(join(refused, file))).equals(before)).toBe(true);
});

test('a store of a version before the first release is refused untouched', async () => {
  const path = join(await temporaryFolder(), 'former');
  await mkdir(path);
  const former = new Database(join(path, file));
  former.pragma('journal_mode = WAL');
  former.exec('CREATE TABLE records (account TEXT, kind TEXT, name TEXT, bytes BLOB)');
  former.pragma(`application_id = ${applicationId}`);
  former.pragma('user_version = 3');
  former.pragma('wal_checkpoint(TRUNCATE)');
  former.close();
  const refused = await moved(path);
  const before = await readFile(join(refused, file));

  expect(() => openHere(refused)).toThrow('has format 3, and this version reads format');

  expect((await readFile(join(refused, file))).equals(before)).toBe(true);
});

test('a corrupt version in the header of the file is not trusted against that of the rows', async () => {
  const path = await temporaryFolder();
  const whole = Buffer.from((await writeStore()).whole);
  whole.writeUInt32BE(99, 60);
  await writeFile(join(path, file), whole);

  const { store } = openHere(path);

  expect((await store.load('shop')).items.check).toEqual(itemsOf('shop'));
  await store.close();
});

test('a database of another program is refused with a message', async () => {
  const path = await temporaryFolder();
  const other = new Database(join(path, file));
  other.exec('CREATE TABLE other (a)');
  other.close();

  expect(() => openHere(path)).toThrow('database of another program');
});
