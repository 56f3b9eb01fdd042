import { expect, test } from 'vitest';
import { readDocument } from '../../../src/store/format/documents.ts';
import { CorruptRowError } from '../../../src/store/format/row.ts';
import { MemoryStore } from '../../../src/store/memory-store.ts';
import type { StoreChanges } from '../../../src/store/store.ts';
import { accountsByVersion } from '../../support/accounts-by-version.ts';
import { RestartableExporter } from '../../support/restartable-exporter.ts';

const hour = 3_600;

/** Records every committed document under its name, with `N` for the number. */
class RecordingStore extends MemoryStore {
  readonly documents = new Map<string, unknown[]>();

  override async commit(changes: StoreChanges): Promise<void> {
    for (const [name, value] of changes.documents ?? []) {
      if (value === null) continue;
      const known = this.documents.get(name);
      if (known === undefined) this.documents.set(name, [value]);
      else known.push(value);
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
    const exporter = await RestartableExporter.create({ seed: 5, checks: 12, store });
    await exporter.start(account);
    await exporter.pass(hour / 2);
    await exporter.stop();
    await exporter.start(account);
    await exporter.pass(hour / 6);
    await exporter.stop();
    for (const [name, values] of store.documents) {
      // Optional features, and the months, check their own documents.
      if (/^(?:feature|month) /.test(name)) continue;
      stored.set(name, [...(stored.get(name) ?? []), ...values]);
    }
  }
  return stored;
}

/** The value after it was stored as JSON. */
const restored = (value: unknown) => JSON.parse(JSON.stringify(value));

test('every document that the exporter stores has a schema, and the schema knows all of it', async () => {
  const stored = await storedDocuments();

  const kinds = new Set([...stored.keys()].map((name) => name.replace(/\d+$/, 'N')));
  expect([...kinds].sort()).toEqual([
    'account',
    'accountData',
    'alerts',
    'budget',
    'check readings',
    'check settings N',
    'datasets',
    'details of check N',
    'details of transaction N',
    'maintenance',
    'outages of checks',
    'outages of transactions',
    'transactions',
  ]);
  for (const [name, values] of stored) {
    for (const value of values) {
      // A schema removes fields that it does not name, because their values would not be checked.
      expect({ name, value: readDocument(name, value) }).toEqual({ name, value });
      expect(readDocument(name, restored(value))).toEqual(value);
    }
  }
});

test.each([
  ['budget', { atSeconds: 'noon', snapshot: {} }],
  ['maintenance', { windows: [{ id: 1.5 }], occurrences: [] }],
  ['outages of checks', { items: [[1, { open: 'yes' }]], former: [] }],
  ['account', { configuredAtSeconds: 'yesterday' }],
  ['details of check 12', { hourlyAverages: { at: 1, value: { startAtSeconds: -1 } } }],
  ['details of transaction 3', { reportedUntilSeconds: { at: 1, value: 'later' } }],
  [
    'check readings',
    [
      [1, 'up'],
      ['2', 'up'],
    ],
  ],
])('a document %s that is not what its name stands for is refused', (name, value) => {
  expect(() => readDocument(name, restored(value))).toThrow(CorruptRowError);
});
