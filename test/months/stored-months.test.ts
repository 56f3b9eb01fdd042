import { describe, expect, test } from 'vitest';
import { MonthCalendar } from '../../src/lib/month-calendar.ts';
import { indexName } from '../../src/months/documents.ts';
import { StoredMonths } from '../../src/months/stored-months.ts';
import type { DocumentChanges } from '../../src/store/format/document-set.ts';
import { record } from './support/october.ts';

const calendar = new MonthCalendar('UTC');
const october = calendar.containing(Date.parse('2026-10-10T00:00Z') / 1000);
const leaving = { atSeconds: october.fromSeconds + 86_400, why: 'filter' } as const;

function storedMonths() {
  const stored: DocumentChanges[] = [];
  const months = new StoredMonths({
    account: 'shop',
    policies: { calendar },
    readMonth: async () => [],
    storeDocuments: async (documents) => {
      stored.push(documents);
    },
    log: { error: () => undefined, warn: () => undefined } as never,
  });
  const leave = (id: number) => {
    months.addRemoved(october, record(id, 'removed', { removedAtSeconds: leaving.atSeconds }));
    months.noteLeft([{ kind: 'check', id }], leaving, () => false);
  };
  return { months, stored, leave };
}

describe('the index of months', () => {
  test('is taken again when it could not be stored, whatever is stored meanwhile', async () => {
    const { months, leave } = storedMonths();
    leave(1);
    months.takeChanges();
    const other = months.store(october, [record(2, 'sealed')]);
    months.notStored();
    await other;
    expect(months.takeChanges().get(indexName)).toMatchObject({ removed: [{ id: 1 }] });
  });
});
