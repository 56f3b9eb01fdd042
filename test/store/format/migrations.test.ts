import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EncodedStore } from '../../../src/store/encoded-store.ts';
import { DocumentSet } from '../../../src/store/format/document-set.ts';
import { currentFormat, type StoreFormat } from '../../../src/store/format/migrations.ts';
import { StoreDatabase } from '../../../src/store/sqlite/database.ts';
import type { StoredAccount, StoredItem } from '../../../src/store/store.ts';
import { extent } from '../../support/extent.ts';
import { backendOf, moved, openHere } from '../support/damaged-stores.ts';
import { fullItem, plainItem } from '../support/stored-items.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const child = join(import.meta.dirname, '..', 'support', 'migrating-child.js');
const accounts = ['blog', 'shop'];
const { version } = currentFormat;
const points = 20;
/** Rows of two accounts, in each of two migrations. */
const turns = 96;

function itemsOf(account: string): Map<number, StoredItem> {
  const n = accounts.indexOf(account) * 1000;
  return new Map([
    [1, fullItem],
    ...Array.from({ length: 10 }, (_, id): [number, StoredItem] => [id + 2, plainItem(n + id)]),
  ]);
}

async function writtenStore(): Promise<string> {
  const path = join(await temporaryFolder(), 'written');
  await mkdir(path);
  const { store } = openHere(path);
  for (const account of accounts) {
    await store.commit({
      account,
      items: { check: itemsOf(account) },
      documents: new DocumentSet<null>().set('transactions', []),
    });
  }
  await store.close();
  return moved(path);
}

/** An invented next format, whose rows this version cannot read. */
const next: StoreFormat = {
  version: version + 1,
  migrations: new Map([
    [version, (rows) => rows.map((row) => ({ ...row, value: { wrapped: row.value } }))],
  ]),
};
/** The format after it, which is this one again. */
const last: StoreFormat = {
  version: version + 2,
  migrations: new Map([
    ...next.migrations,
    [
      version + 1,
      (rows) => rows.map((row) => ({ ...row, value: (row.value as { wrapped: unknown }).wrapped })),
    ],
  ]),
};

async function loadAll(path: string, format: StoreFormat): Promise<readonly StoredAccount[]> {
  const database = new StoreDatabase({ path, suffix: 'x', now: 0, hasInodes: true, format });
  expect(database.notices).toEqual([]);
  const store = new EncodedStore(backendOf(database));
  const loaded: StoredAccount[] = [];
  for (const account of accounts) loaded.push(await store.load(account));
  await store.close();
  return loaded;
}

function expectWhole(loaded: readonly StoredAccount[]): void {
  for (const [place, account] of accounts.entries()) {
    const { items, documents, lost, past } = loaded[place] as StoredAccount;
    expect([account, lost, past]).toEqual([account, [], undefined]);
    expect(items.check).toEqual(itemsOf(account));
    expect([...documents]).toEqual([['transactions', []]]);
  }
}

test('two accounts are migrated over two versions, with their checksums', async () => {
  expectWhole(await loadAll(await writtenStore(), last));
});

test('what has been migrated is not migrated again', async () => {
  const path = await writtenStore();
  await loadAll(path, last).then(expectWhole);
  const again = await moved(path);

  // Nothing is left to migrate: a second migration would take the rows apart.
  expectWhole(await loadAll(again, last));
});

test('a store that a newer version has migrated is refused untouched', async () => {
  const path = await writtenStore();
  await loadAll(path, last);
  const newer = await moved(path);

  expect(() => openHere(newer)).toThrow(
    `newer version (format ${version + 2}, this one reads ${version})`,
  );
  expectWhole(await loadAll(await moved(newer), last));
});

test(`a migration that is killed at one of ${points} points changes nothing, and the next start does all of it`, async () => {
  const steps = Array.from({ length: points }, (_, n) => Math.floor((n * turns) / points));
  for (const step of steps.filter((_, n) => n % extent(4, 1) === 0)) {
    const path = await writtenStore();
    const running: ChildProcess = spawn(process.execPath, [child, path, String(step)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    onTestFinished(() => {
      running.kill('SIGKILL');
    });
    await once(running, 'exit');
    expect([step, running.signalCode]).toEqual([step, 'SIGKILL']);

    // The previous version still reads everything.
    expectWhole(await loadAll(path, currentFormat));
    expectWhole(await loadAll(await moved(path), last));
  }
});
