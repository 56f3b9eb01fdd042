import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DocumentKind } from '../../../src/store/format/documents.ts';
import { formatVersion, type MonthKind } from '../../../src/store/format/row.ts';
import { openStore } from '../support/open-store.ts';
import { fullItem, plainItem } from '../support/stored-items.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { folderOf, itemsFile, liveIn, shownFiles, shownOf, storeFiles } from './stored-life.ts';

type OwnKind = Exclude<DocumentKind, `feature ${string}` | MonthKind>;
const ownKinds: Readonly<Record<OwnKind, true>> = {
  account: true,
  accountData: true,
  alerts: true,
  budget: true,
  'check measurements': true,
  'check settings': true,
  datasets: true,
  'details of check': true,
  'details of transaction': true,
  maintenance: true,
  'outages of checks': true,
  'outages of transactions': true,
  transactions: true,
};
const featureKinds = [
  ...['first seen', 'job', 'of check', 'of transaction'].map((name) => `feature backfill ${name}`),
  ...['feature months', 'feature months causes', 'feature months names'],
];
const months: readonly MonthKind[] = ['month 2026-10 check', 'month 2026-10 transaction'];

test('a life stores each kind of document, and with STORES its store is written', async () => {
  const folder = join(await temporaryFolder(), 'store');
  const { store } = await openStore(folder);
  await liveIn(store);
  const check = new Map([
    [1, fullItem],
    [2, plainItem(2)],
  ]);
  await store.commit({ account: 'fields', items: { check } });

  const { documents, lost } = await store.load('shop');
  expect(lost).toEqual([]);
  const stored = new Set([...documents].map(([{ kind }]) => kind));
  expect([...stored].sort()).toEqual([...Object.keys(ownKinds), ...featureKinds].sort());
  for (const kind of months) {
    const records = await store.readMonth({ account: 'shop', kind, afterId: 0, most: 10 });
    expect(records).not.toEqual([]);
  }
  await store.close();

  const to = process.env.STORES === undefined ? await temporaryFolder() : folderOf(formatVersion);
  mkdirSync(to, { recursive: true });
  for (const file of storeFiles) copyFileSync(join(folder, file), join(to, file));
  const again = await openStore(folder);
  const { counters, report } = await shownOf(again.store);
  await again.store.close();
  expect(counters).toContain('uptime_check_state_seconds_total{');
  writeFileSync(join(to, shownFiles.counters), counters);
  writeFileSync(join(to, shownFiles.report), report);
  writeFileSync(join(to, itemsFile), `${JSON.stringify([...check], null, 1)}\n`);
});
