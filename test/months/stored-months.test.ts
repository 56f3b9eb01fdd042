import { describe, expect, test } from 'vitest';
import { MonthCalendar } from '../../src/lib/month-calendar.ts';
import { indexName, monthBody, monthKind } from '../../src/months/documents.ts';
import { StoredMonths } from '../../src/months/stored-months.ts';
import { changed, type DocumentChanges, DocumentSet } from '../../src/store/format/document-set.ts';
import type { MonthSelection, StoredMonth } from '../../src/store/store.ts';
import { record } from './support/october.ts';

const calendar = new MonthCalendar('UTC');
const october = calendar.containing(Date.parse('2026-10-10T00:00Z') / 1000);
const leaving = { atSeconds: october.fromSeconds + 86_400, why: 'filter' } as const;

function storedMonths(
  readMonth = async (_: MonthSelection): Promise<readonly StoredMonth[]> => [],
) {
  const stored: DocumentChanges[] = [];
  const months = new StoredMonths({
    account: 'shop',
    policies: { calendar },
    readMonth,
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

describe('the record of a check that left', () => {
  test('is not stored late over one that was stored since it returned', async () => {
    const { months, leave } = storedMonths();
    leave(1);
    months.takeChanges();
    months.notStored();
    await months.store(october, [record(1, 'returned')]);
    const taken = months.takeChanges().get(monthKind(october, 'check'), 1);
    expect(taken).toMatchObject({ name: 'returned' });
  });

  test('is stored after a reload if the account of before could not store it', () => {
    const { months, leave } = storedMonths();
    leave(1);
    const unstored = months.takeChanges();
    const { months: successor } = storedMonths();
    successor.restore(changed(new DocumentSet(), unstored));
    const taken = successor.takeChanges();
    expect(taken.get(monthKind(october, 'check'), 1)).toMatchObject({ name: 'removed' });
  });
});

describe('the record of the first of more items that lists have lost than are kept', () => {
  function loseMoreThanAreKept() {
    const all = storedMonths();
    all.months.begun(october);
    const lost = Array.from({ length: 2_001 }, (_, id) => ({ kind: 'check' as const, id }));
    all.months.noteLeft(lost, { ...leaving, why: 'list' }, () => false);
    const taken = () => all.months.takeChanges().all(monthKind(october, 'check'));
    return { ...all, taken };
  }

  test('is deleted, and again if that could not be stored', () => {
    const { months, taken } = loseMoreThanAreKept();
    expect([...taken()]).toEqual([[0, null]]);
    months.notStored();
    expect([...taken()]).toEqual([[0, null]]);
    expect([...taken()]).toEqual([]);
  });

  test('is not among those of its month while it waits to be deleted', async () => {
    const { months } = loseMoreThanAreKept();
    const records = [];
    for await (const batch of months.records(october)) records.push(...batch);
    expect(records).toEqual([]);
    expect(await months.recordsOf([october], 'check', [0])).toEqual([[]]);
  });

  test('is not deleted late if another one was stored meanwhile', async () => {
    const { months, taken } = loseMoreThanAreKept();
    taken();
    await months.store(october, [record(0, 'returned')]);
    months.notStored();
    expect([...taken()]).toMatchObject([[0, { name: 'returned' }]]);
  });
});

test('records of several months are read at once, and those that are being stored replace them', async () => {
  const [september, november] = [calendar.later(october, -1), calendar.later(october, 1)];
  const [former, present] = [monthKind(september, 'check'), monthKind(october, 'check')];
  const reads: MonthSelection[] = [];
  const { months, leave } = storedMonths(async (selection) => {
    reads.push(selection);
    return [former, present].flatMap((kind) =>
      [1, 2].map((id) => ({ kind, id, value: monthBody(record(id, `stored ${kind}`)) })),
    );
  });
  months.begun(september);
  leave(1);
  const records = await months.recordsOf([september, october, november], 'check', [1, 2]);
  expect(reads).toEqual([{ kinds: [former, present], ids: [1, 2] }]);
  expect(records.map((ofMonth) => ofMonth.map(({ id, name }) => [id, name]))).toEqual([
    [
      [1, `stored ${former}`],
      [2, `stored ${former}`],
    ],
    [
      [1, 'removed'],
      [2, `stored ${present}`],
    ],
    [],
  ]);
});

test('a check that leaves again while it is sealed stays among those that left', () => {
  const { months, leave } = storedMonths();
  const check = { kind: 'check', id: 1 } as const;
  leave(1);
  const returned = new Set([months.leftOf(check)].filter((one) => one !== undefined));
  leave(1);
  months.noteSealedAgain(returned);
  expect(months.leftOf(check)).toMatchObject(leaving);
  months.noteSealedAgain(new Set([months.leftOf(check)].filter((one) => one !== undefined)));
  expect(months.leftOf(check)).toBeUndefined();
});

describe('the index of months', () => {
  test('has groups with the sum of what is permitted to their checks', async () => {
    const { months } = storedMonths();
    // The policy was reloaded after the second check had left.
    for (const [id, ratio] of [
      [1, 0.99],
      [2, 0.999],
    ] as const) {
      months.addRemoved(october, record(id, 'shop', { groups: [{ name: 'shop', ratio }] }));
    }
    await months.markWhole(months.begun(october));
    const [group] = months.indexed(october)?.groups ?? [];
    expect(group?.ratio).toBeCloseTo(0.9945, 10);
  });

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
