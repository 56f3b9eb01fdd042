import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { manifestKind } from '../../../src/store/format/manifest.ts';
import { seal } from '../../../src/store/format/record.ts';
import { Connection } from '../../../src/store/sqlite/connection.ts';
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

test(`${stores} corrupt stores open, show what they lost, and keep what was not touched`, async () => {
  await surviveDamage(stores, 1);
});

test.each([
  { version: 99, says: /was written by a newer version \(format 99.*install that version/ },
  { version: 1, says: /has format 1, which no released version wrote: move it away/ },
])('a store of version $version is refused untouched', async ({ version, says }) => {
  const path = join(await temporaryFolder(), 'written');
  await mkdir(path);
  const connection = new Connection(join(path, file));
  const key = { kind: manifestKind, name: '' };
  const bytes = seal('shop', key, new Uint8Array(20), version);
  connection.create(version, [{ account: 'shop', ...key, bytes }]);
  connection.close();
  const refused = await moved(path);
  const before = await readFile(join(refused, file));

  expect(() => openHere(refused)).toThrow(says);

  expect((await readFile(join(refused, file))).equals(before)).toBe(true);
});

test('a corrupt version in the header of the file is not trusted against the records', async () => {
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
