import { describe, expect, test } from 'vitest';
import { talliedStates } from '../../../src/domain/interval.ts';
import { AccountRows } from '../../../src/store/format/account-rows.ts';
import { DocumentSet } from '../../../src/store/format/document-set.ts';
import { CorruptRowError, keyText, type StoredRow } from '../../../src/store/format/row.ts';
import type {
  ItemKind,
  StoreChanges,
  StoredAccount,
  StoredItem,
} from '../../../src/store/store.ts';
import fc from '../../support/fast-check.ts';
import { fullItem, plainItem } from '../support/stored-items.ts';

const account = 'shop';

/** The last value of a generator that only yields to share the thread. */
function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

type Rows = Map<string, StoredRow>;

/** Applies commits to rows, as an engine does. */
function commit(rows: Rows, changes: Omit<StoreChanges, 'account'>, on = opened(rows)): Rows {
  const { writes, applied } = finished(on.encode({ account, ...changes }));
  const next = new Map(rows);
  for (const { body, ...row } of writes) {
    if (body === null) next.delete(keyText(row));
    else next.set(keyText(row), { ...row, body: Buffer.from(body) });
  }
  applied();
  return next;
}

function opened(rows: Rows): AccountRows {
  const account_ = new AccountRows(account);
  finished(account_.read(rows.values()));
  return account_;
}

function read(rows: Iterable<StoredRow>): StoredAccount {
  return finished(new AccountRows(account).read(rows));
}

const checks = (...items: readonly [number, StoredItem | null][]) => ({
  items: { check: new Map(items) },
});

const second = fc.integer({ min: 1_760_000_000, max: 1_790_000_000 });
const itemThat = fc
  .record({
    n: fc.nat(1_000_000),
    state: fc.constantFrom(...talliedStates),
    isFull: fc.boolean(),
    hasLog: fc.boolean(),
    goneAtSeconds: fc.option(second, { nil: undefined }),
  })
  .map(({ n, state, isFull, hasLog, goneAtSeconds }): StoredItem => {
    const { log, ...full } = fullItem;
    const { states } = plainItem(n);
    const gone = goneAtSeconds === undefined ? {} : { goneAtSeconds };
    if (!isFull) return { states: { ...states, state }, ...gone };
    return hasLog ? { ...full, log } : { ...full, ...gone };
  });
const change = fc.tuple(
  fc.constantFrom<ItemKind>('check', 'transaction'),
  fc.integer({ min: 1, max: 600 }),
  fc.option(itemThat, { nil: null }),
);

describe('rows', () => {
  test('restore what was committed last, whether the account was opened again between commits or not', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(change), fc.boolean()), { maxLength: 8 }),
        (commits) => {
          const expected = { check: new Map(), transaction: new Map() };
          let rows: Rows = new Map();
          let on = opened(rows);
          for (const [changes, isReopened] of commits) {
            const items = { check: new Map(), transaction: new Map() };
            for (const [kind, id, item] of changes) {
              items[kind].set(id, item);
              if (item === null) expected[kind].delete(id);
              else expected[kind].set(id, item);
            }
            rows = commit(rows, { items }, on);
            if (isReopened) on = opened(rows);
            expect(read(rows.values())).toMatchObject({ items: expected, lost: [] });
          }
        },
      ),
    );
  });

  test('of a list that only moves horizons are those of the horizons', () => {
    const before = commit(new Map(), checks([1, fullItem], [2, plainItem(1)]));
    const { states } = fullItem;
    const moved = {
      ...fullItem,
      states: { ...states, horizonSeconds: states.horizonSeconds + 60 },
    };
    const { writes } = finished(opened(before).encode({ account, ...checks([1, moved]) }));

    // An account that was just opened has equal objects, not the same ones.
    const on = opened(new Map());
    commit(new Map(), checks([1, fullItem], [2, plainItem(1)]), on);
    const { writes: next } = finished(on.encode({ account, ...checks([1, moved]) }));

    expect(next.map(({ table, kind }) => [table, kind])).toEqual([['horizon', 'check']]);
    expect(writes.length).toBeGreaterThan(next.length);
  });
});

describe('a loss', () => {
  const old = commit(new Map(), checks([1, fullItem], [2, plainItem(1)], [252, plainItem(2)]));
  const { log } = fullItem;
  const on = opened(old);
  const rows = commit(old, checks([1, { ...fullItem, log: { ...log, outages: 3 } }]), on);
  const lostOf = (of: Rows) => read(of.values()).lost;
  const without = (key: string) => new Map([...rows].filter(([other]) => other !== key));
  const keys = {
    item: keyText({ table: 'row', kind: 'check', id: 1 }),
    log: keyText({ table: 'row', kind: 'check log', id: 1 }),
    horizon: keyText({ table: 'horizon', kind: 'check', id: 1 }),
  };

  test.each([
    ['a row', without(keys.item), '1', 'its row is missing'],
    ['a log', without(keys.log), '1', 'its log is missing'],
    [
      'a log of the commit before',
      new Map([...rows, [keys.log, old.get(keys.log) as StoredRow]]),
      '1',
      'its log and its horizon are of different commits',
    ],
    [
      'a horizon of the commit before',
      new Map([...rows, [keys.horizon, old.get(keys.horizon) as StoredRow]]),
      '1',
      'its log and its horizon are of different commits',
    ],
  ])('of %s is that of its item, by name', (_what, left, name, reason) => {
    expect(lostOf(left)).toEqual([{ kind: 'check', name, reason }]);
    expect(read(left.values()).items.check.get(2)).toEqual(plainItem(1));
  });

  test('of a part of the horizons is that of each of its items', () => {
    expect(lostOf(without(keys.horizon))).toEqual(
      [1, 252].map((id) => ({ kind: 'check', name: String(id), reason: 'its horizon is missing' })),
    );
  });

  test('of one bit is named, and the next commit leaves nothing of it', () => {
    for (const [key, row] of rows) {
      const body = Buffer.from(row.body);
      body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1;
      const damaged = new Map([...rows, [key, { ...row, body }]]);
      expect(lostOf(damaged)).not.toEqual([]);

      const repaired = commit(damaged, {
        documents: new DocumentSet<null>().set('transactions', []),
      });

      expect(lostOf(repaired)).toEqual([]);
      expect(read(repaired.values()).items).toEqual(read(damaged.values()).items);
    }
  });
});

test('all rows of a large account are replaced if they belong to another name, and so are corrupt', () => {
  const rows = Array.from({ length: 130_000 }, (_, id) => {
    const body = Buffer.from('{}');
    return { table: 'row', kind: 'details of check', id, body, crc: 1 } as const;
  });
  const ofAccount = new AccountRows(account);
  expect(finished(ofAccount.read(rows)).lost).toHaveLength(rows.length);
  const { writes } = finished(ofAccount.encode({ account }));
  expect(writes).toHaveLength(rows.length);
  expect(writes.every(({ body }) => body === null)).toBe(true);
});

describe('a document', () => {
  const stored = (value: unknown) => {
    const documents = new DocumentSet<null>().set('feature test', value);
    const rows = commit(new Map(), { documents });
    return read(rows.values()).documents.get('feature test');
  };

  test.each([
    ['a lone surrogate', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
    ['a pair of surrogates', 'a\u{1f600}b', 'a\u{1f600}b'],
    ['U+0000', 'a\0b', 'a\ufffdb'],
    ['an escape in the text', '\\u0000 null', '\\u0000 null'],
    ['3,000 bytes', 'ä'.repeat(1500), 'ä'.repeat(1500)],
  ])('has texts with %s in a form that SQL can read', (_what, text, expected) => {
    expect(stored({ [text]: [text, null] })).toEqual({ [expected]: [expected, null] });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'with %d is refused when it is written',
    (value) => {
      expect(() => stored({ nested: [{ value }] })).toThrow(CorruptRowError);
    },
  );

  test('is the same JSON value after it was read', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(stored({ value })).toEqual(JSON.parse(JSON.stringify({ value })));
      }),
    );
  });

  test.each([
    ['transactions', 0],
    ['check settings', 0],
    ['check settings', 7],
    ['feature a of check', 12],
    ['feature a 5', 0],
  ] as const)('of the kind %s keeps its kind and its id %i', (kind, id) => {
    const documents = new DocumentSet<null>();
    documents.setRead({ kind, id }, kind.startsWith('feature') ? 1 : []);
    expect([...read(commit(new Map(), { documents }).values()).documents]).toEqual([...documents]);
  });
});

test('a watermark that was stored with a fraction is whole when it is read', () => {
  const { analyses } = fullItem;
  const watermark = { startSeconds: 1.5, atSeconds: 7.25, recent: [] } as never;
  const item = { ...fullItem, analyses: { ...analyses, watermark } };
  const documents = new DocumentSet<null>().set('alerts', { watermark, counts: {} });
  const { items, documents: stored } = read(
    commit(new Map(), { ...checks([1, item]), documents }).values(),
  );

  const whole = { startSeconds: 1, atSeconds: 7, recent: [] };
  expect(items.check.get(1)?.analyses?.watermark).toEqual(whole);
  expect(stored.get('alerts')?.watermark).toEqual(whole);
});
