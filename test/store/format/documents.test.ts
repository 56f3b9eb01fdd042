import { expect, test } from 'vitest';
import { getOrMake } from '../../../src/lib/get-or-make.ts';
import { readDocument } from '../../../src/store/format/documents.ts';
import { CorruptRowError } from '../../../src/store/format/row.ts';
import { MemoryStore } from '../../../src/store/memory-store.ts';
import type { StoreChanges } from '../../../src/store/store.ts';
import { accountsByVersion } from '../../support/accounts-by-version.ts';
import { RestartableExporter } from '../../support/restartable-exporter.ts';

const hour = 3_600;

/** Records every committed document under its kind. */
class RecordingStore extends MemoryStore {
  readonly documents = new Map<string, unknown[]>();

  override async commit(changes: StoreChanges): Promise<void> {
    for (const [{ kind }, value] of changes.documents ?? []) {
      if (value !== null) getOrMake(this.documents, kind, () => []).push(value);
    }
    await super.commit(changes);
  }
}

/** All documents that exporters of both versions store, before and after a restart. */
async function storedDocuments(): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const stored = new Map<string, unknown[]>();
  for (const version of ['3.1', '2.1'] as const) {
    const account = accountsByVersion[version];
    const store = new RecordingStore();
    const exporter = await RestartableExporter.create({ seed: 5, checks: 6, store });
    await exporter.start(account);
    await exporter.pass(hour / 5);
    await exporter.stop();
    await exporter.start(account);
    await exporter.pass(hour / 20);
    await exporter.stop();
    for (const [kind, values] of store.documents) {
      // Optional features, and the months, check their own documents.
      if (/^(?:feature|month) /.test(kind)) continue;
      stored.set(kind, [...(stored.get(kind) ?? []), ...values]);
    }
  }
  return stored;
}

/** The value after it was stored as JSON. */
const restored = (value: unknown) => JSON.parse(JSON.stringify(value));

test('every document that the exporter stores has a schema, and the schema knows all of it', async () => {
  const stored = await storedDocuments();

  expect([...stored.keys()].sort()).toEqual([
    'account',
    'accountData',
    'alerts',
    'budget',
    'check measurements',
    'check settings',
    'datasets',
    'details of check',
    'details of transaction',
    'maintenance',
    'outages of checks',
    'outages of transactions',
    'transactions',
  ]);
  for (const [kind, values] of stored) {
    for (const value of values) {
      // A schema removes fields that it does not name, because their values would not be checked.
      expect({ kind, value: readDocument(kind, value) }).toEqual({ kind, value });
      expect(readDocument(kind, restored(value))).toEqual(value);
    }
  }
});

test.each([
  ['account', { configuredAtSeconds: 'noon' }, 'configuredAtSeconds'],
  ['datasets', 3, 'it'],
])('a document %s with %j is refused by the name of what is wrong', (kind, value, where) => {
  expect(() => readDocument(kind, value)).toThrow(`${where} is not as expected: `);
});

test.each([
  ['budget', { atSeconds: 'noon', snapshot: {} }],
  ['maintenance', { windows: [{ id: 1.5 }], occurrences: [] }],
  ['outages of checks', { items: [[1, { open: 'yes' }]], former: [] }],
  ['account', { configuredAtSeconds: 'yesterday' }],
  ['details of check', { hourlyAverages: { at: 1, value: { startAtSeconds: -1 } } }],
  ['details of transaction', { reportedUntilSeconds: { at: 1, value: 'later' } }],
  [
    'check measurements',
    [
      [1, 'up'],
      ['2', 'up'],
    ],
  ],
])('a document %s that is not what its kind stands for is refused', (kind, value) => {
  expect(() => readDocument(kind, restored(value))).toThrow(CorruptRowError);
});
