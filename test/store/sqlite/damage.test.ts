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

const stores = 12;

test(`${stores} corrupt stores open, and name what they lost`, async () => {
  await surviveDamage(stores, 1);
});

test.each([
  { version: 99, says: /was written by a newer version \(format 99.*install that version/ },
  { version: 0, says: /has format 0, which no released version wrote: move it away/ },
])('a store of version $version is refused untouched', async ({ version, says }) => {
  const path = join(await temporaryFolder(), 'written');
  await mkdir(path);
  const connection = new Connection(join(path, file));
  connection.create(version);
  const row = storeRow({ id: 'x', serial: 1, version });
  connection.write({ account: storeAccount, writes: [row] });
  connection.close();
  const refused = await moved(path);
  const before = await readFile(join(refused, file));

  expect(() => openHere(refused)).toThrow(says);

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

test('a database of a version before the first release is set aside as it is, and an empty one begins', async () => {
  const path = join(await temporaryFolder(), 'former');
  await mkdir(path);
  const former = new Database(join(path, file));
  former.pragma('journal_mode = WAL');
  former.exec(
    'CREATE TABLE records (account TEXT, kind TEXT, name TEXT, bytes BLOB, PRIMARY KEY (account, kind, name)) WITHOUT ROWID',
  );
  former.pragma(`application_id = ${applicationId}`);
  former.pragma('user_version = 3');
  former.pragma('wal_checkpoint(TRUNCATE)');
  former.close();
  const here = await moved(path);
  const before = await readFile(join(here, file));

  const { store, database } = openHere(here);

  const reason = 'it has the form of a version before the first release';
  expect(database.notices).toMatchObject([{ kind: 'quarantined', reason }]);
  expect((await readFile(join(here, `${file}.damaged-x`))).equals(before)).toBe(true);
  const lost = { kind: 'missing', name: 'commits', reason: 'the database was set aside' };
  expect((await store.load('shop')).lost).toEqual([lost]);
  await store.commit({ account: 'shop', items: { check: itemsOf('shop') } });
  expect((await store.load('shop')).items.check).toEqual(itemsOf('shop'));
  await store.close();
});
