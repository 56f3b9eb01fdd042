import { expect, expectTypeOf, test } from 'vitest';
import type { BudgetSnapshot } from '../../../src/budget/budget.ts';
import type { AccountData } from '../../../src/domain/account.ts';
import type { Transaction } from '../../../src/domain/transaction.ts';
import type { Allowances } from '../../../src/schedule/allowances.ts';
import type { Outage, RemovedOutage } from '../../../src/slo/outages.ts';
import type { CheckItemDetails } from '../../../src/state/items/check-items.ts';
import type { TransactionItemDetails } from '../../../src/state/items/transaction-items.ts';
import type { DatasetSuccess } from '../../../src/state/stored-account.ts';
import {
  type DocumentOf,
  documentSchema,
  type FamilyDocuments,
  readDocument,
} from '../../../src/store/format/documents.ts';
import { CorruptRowError } from '../../../src/store/format/row.ts';
import { MemoryStore } from '../../../src/store/memory-store.ts';
import type { StoreChanges } from '../../../src/store/store.ts';
import type { EventTally } from '../../../src/tally/event-tally.ts';
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
      // Optional features check their own documents.
      if (name.startsWith('feature ')) continue;
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
    'store',
    'transactions',
  ]);
  for (const [name, values] of stored) {
    for (const value of values) {
      // A schema removes fields that it does not name, because their values would not be checked.
      const checked = documentSchema(name)?.parse(value);
      expect({ name, value: checked }).toEqual({ name, value });
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

/** The names of all fields, nested ones included. */
type Fields<T> = T extends readonly (infer E)[]
  ? Fields<E>
  : T extends object
    ? { [K in keyof T & string]-?: K | `${K}.${Fields<NonNullable<T[K]>>}` }[keyof T & string]
    : never;
/** Details are stored with their dates. */
type Values<D> = { [K in keyof D]-?: NonNullable<D[K]>['value' & keyof NonNullable<D[K]>] };

test('each schema names the fields of its type, no fewer and no others', () => {
  expectTypeOf<Fields<DocumentOf<'transactions'>>>().toEqualTypeOf<Fields<Transaction>>();
  expectTypeOf<Fields<DocumentOf<'datasets'>>>().toEqualTypeOf<Fields<DatasetSuccess>>();
  expectTypeOf<Fields<DocumentOf<'alerts'>>>().toEqualTypeOf<Fields<EventTally>>();
  // Occurrences that the service reports have an id as well.
  expectTypeOf<
    Exclude<Fields<DocumentOf<'maintenance'>>, 'occurrences.id' | 'ended.id' | 'unplanned.id'>
  >().toEqualTypeOf<Fields<NonNullable<AccountData['maintenance']>>>();
  expectTypeOf<Fields<DocumentOf<'accountData'>>>().toEqualTypeOf<
    Fields<Omit<AccountData, 'maintenance'>>
  >();
  type Budget = DocumentOf<'budget'>;
  expectTypeOf<Fields<Budget['snapshot']>>().toEqualTypeOf<Fields<BudgetSnapshot>>();
  expectTypeOf<Fields<Budget['allowances']>>().toEqualTypeOf<Fields<Allowances>>();
  type StoredOutages = DocumentOf<'outages of checks'>;
  expectTypeOf<Fields<StoredOutages['items'][number][1]>>().toEqualTypeOf<Fields<Outage>>();
  expectTypeOf<Fields<StoredOutages['former']>>().toEqualTypeOf<Fields<RemovedOutage>>();
  expectTypeOf<Fields<Values<FamilyDocuments['details of check']>>>().toEqualTypeOf<
    Fields<CheckItemDetails>
  >();
  expectTypeOf<Fields<Values<FamilyDocuments['details of transaction']>>>().toEqualTypeOf<
    Fields<TransactionItemDetails>
  >();
});
