import { describe, expect, test } from 'vitest';
import { AccountRecords } from '../../../src/store/format/account-records.ts';
import { DocumentSet } from '../../../src/store/format/document-set.ts';
import { manifestKind } from '../../../src/store/format/manifest.ts';
import { formatVersion, type StoredRecord } from '../../../src/store/format/record.ts';
import type { StoreChanges } from '../../../src/store/store.ts';
import { plainItem } from '../support/stored-items.ts';

/** The last value of a generator that only yields to share the thread. */
function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The records after each of these commits. */
function recordsAfter(...commits: readonly StoreChanges[]): readonly StoredRecord[][] {
  const account = new AccountRecords('a', formatVersion);
  finished(account.read([]));
  const records = new Map<string, StoredRecord>();
  return commits.map((changes) => {
    const { writes, applied } = finished(account.encode(changes));
    for (const { kind, name, bytes } of writes) {
      const key = `${kind} ${name}`;
      if (bytes === null) records.delete(key);
      else records.set(key, { kind, name, bytes });
    }
    applied();
    return [...records.values()];
  });
}

const lostOf = (records: readonly StoredRecord[]) =>
  finished(new AccountRecords('a', formatVersion).read(records)).lost;

const commitOf = (n: number): StoreChanges => ({
  account: 'a',
  items: { check: new Map([[1, plainItem(n)]]) },
  documents: new DocumentSet<null>().set('transactions', []),
});

describe('records of which each is intact', () => {
  const [before = [], after = []] = recordsAfter(commitOf(1), commitOf(2));

  test('are read without loss when they are those that were written last', () => {
    expect(lostOf(before)).toEqual([]);
    expect(lostOf(after)).toEqual([]);
  });

  test.each(after.map((record, place) => [record.kind, place] as const))(
    'are not all there without the %s at %i',
    (_, without) => {
      expect(lostOf(after.filter((__, place) => place !== without))).not.toEqual([]);
    },
  );

  test('are not those that were written last when one is of the commit before', () => {
    const changed = after.filter(
      ({ kind, bytes }, place) =>
        kind !== manifestKind && Buffer.compare(bytes, before[place]?.bytes ?? bytes) !== 0,
    );
    expect(changed.length).toBeGreaterThan(0);
    for (const { kind, name } of changed) {
      const mixed = after.map((record) => {
        if (record.kind !== kind || record.name !== name) return record;
        return before.find((old) => old.kind === kind && old.name === name) ?? record;
      });
      expect(lostOf(mixed)).not.toEqual([]);
    }
  });
});
