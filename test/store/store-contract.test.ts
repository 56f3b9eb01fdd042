import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DocumentSet } from '../../src/store/format/document-set.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { Store, StoredItem } from '../../src/store/store.ts';
import { openPostgres } from '../replicas/support/open-postgres.ts';
import { PostgresCluster } from '../replicas/support/postgres-cluster.ts';
import { missing } from '../support/tools.ts';
import { openStore } from './support/open-store.ts';
import { fullItem, plainItem } from './support/stored-items.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const stores: Record<string, () => Promise<{ store: Store; reopen(): Promise<Store> }>> = {
  memory: async () => {
    const store = new MemoryStore();
    return { store, reopen: async () => store };
  },
  sqlite: async () => {
    const path = join(await temporaryFolder(), 'nested', 'store');
    const open = async () => (await openStore(path)).store;
    const store = await open();
    return {
      store,
      reopen: async () => {
        await store.close();
        return open();
      },
    };
  },
};

let cluster: Promise<PostgresCluster> | undefined;
if (!missing('initdb')) {
  stores.postgres = async () => {
    cluster ??= PostgresCluster.start();
    const url = await (await cluster).createDatabase();
    const open = async () => (await openPostgres(url)).store;
    const store = await open();
    return {
      store,
      reopen: async () => {
        await store.close();
        return open();
      },
    };
  };
}
afterAll(async () => (await cluster)?.stop());

describe.each(Object.keys(stores))('the %s store', (kind) => {
  const make = async () => {
    const made = await stores[kind]?.();
    if (made === undefined) throw new Error(`no store is called ${kind}`);
    return made;
  };

  test('keeps its id when it is opened again, and shares it with no other', async () => {
    const { store, reopen } = await make();
    const { id } = store;
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect((await reopen()).id).toBe(id);
    expect((await make()).store.id).not.toBe(id);
  });

  test('gives back all that was committed, after it was opened again too', async () => {
    const { store, reopen } = await make();
    const documents = new DocumentSet<null>()
      .set('datasets', [{ name: 'checks', atSeconds: 1, items: 2.5 }])
      .set('details of check', { activeProbes: { value: 3, at: 1 } }, 7);
    await store.commit({
      account: 'a',
      items: {
        check: new Map([
          [7, fullItem],
          [8, plainItem(3)],
        ]),
        transaction: new Map([[7, plainItem(4)]]),
      },
      documents,
    });

    const again = await reopen();
    const stored = await again.load('a');

    expect(stored.items.check).toEqual(
      new Map([
        [7, fullItem],
        [8, plainItem(3)],
      ]),
    );
    expect(stored.items.transaction).toEqual(new Map([[7, plainItem(4)]]));
    expect([...stored.documents]).toEqual([...documents]);
    await again.close();
  });

  test('reads bounds of response times that are those of the check before as the same object', async () => {
    const { store, reopen } = await make();
    const { boundsSeconds: bounds } = requireResults(fullItem).responseTimes;
    const check = new Map([1, 2, 3, 4].map((n) => [n, withBounds(n < 4 ? bounds : [7, 8])]));
    await store.commit({ account: 'a', items: { check } });

    const again = await reopen();
    const { items } = await again.load('a');

    const read = [...items.check.values()].map(
      (item) => requireResults(item).responseTimes.boundsSeconds,
    );
    expect(read).toEqual([bounds, bounds, bounds, [7, 8]]);
    expect(new Set(read).size).toBe(2);
    await again.close();
  });

  test('keeps what a commit does not name, and deletes what is null', async () => {
    const { store } = await make();
    const check = new Map([
      [1, plainItem(1)],
      [2, plainItem(2)],
      [3, plainItem(3)],
    ]);
    await store.commit({
      account: 'a',
      items: { check },
      documents: new DocumentSet<null>().set('transactions', []),
    });

    await store.commit({
      account: 'a',
      items: {
        check: new Map([
          [1, plainItem(10)],
          [2, null],
        ]),
      },
    });
    await store.commit({
      account: 'a',
      documents: new DocumentSet<null>().set('transactions', null),
    });

    const stored = await store.load('a');
    expect(stored.items.check).toEqual(
      new Map([
        [1, plainItem(10)],
        [3, plainItem(3)],
      ]),
    );
    expect(stored.documents.size).toBe(0);
    await store.close();
  });

  test('keeps months apart: they are read in batches, not with the account, and deleted with it', async () => {
    const { store, reopen } = await make();
    const kind = 'month 2026-10 check';
    const documents = new DocumentSet<null>().set('transactions', []);
    for (const id of [5, 3, 9, 12_000_000_000]) {
      documents.set(kind, { name: `check \u0000 ${id}` }, id);
    }
    documents.set('month 2026-10 transaction', { name: 'other kind' }, 3);
    documents.set('month 2026-09 check', { name: 'other month' }, 4);
    await store.commit({ account: 'a', documents, items: { check: new Map([[1, plainItem(1)]]) } });
    await store.commit({
      account: 'b',
      documents: new DocumentSet<null>().set(kind, { name: 'other account' }, 6),
    });

    const again = await reopen();
    const { documents: loaded, items } = await again.load('a');
    expect([...loaded].map(([key]) => key)).toEqual([{ kind: 'transactions', id: 0 }]);
    expect(items.check.size).toBe(1);
    const batch = { account: 'a', kind } as const;
    const read = (afterId: number, most: number) => again.readMonth({ ...batch, afterId, most });
    expect(await read(0, 2)).toEqual([
      { kind, id: 3, value: { name: 'check \ufffd 3' } },
      { kind, id: 5, value: { name: 'check \ufffd 5' } },
    ]);
    expect((await read(5, 10)).map(({ id }) => id)).toEqual([9, 12_000_000_000]);
    expect(await read(12_000_000_000, 10)).toEqual([]);
    const september = 'month 2026-09 check';
    const kinds = [kind, september] as const;
    const only = await again.readMonth({ account: 'a', kinds, ids: [9, 4, 3, 77] });
    const idsOf = (month: string) => only.flatMap((row) => (row.kind === month ? row.id : []));
    expect([idsOf(kind), idsOf(september)]).toEqual([[3, 9], [4]]);

    await again.commit({
      account: 'a',
      documents: new DocumentSet<null>().set(kind, null, 9),
    });
    expect(await read(5, 10)).toHaveLength(1);
    await again.commit({ account: 'a', deletesAccount: true });
    expect(await read(0, 10)).toEqual([]);
    const left = await again.load('a');
    expect([left.items.check.size, left.documents.size]).toEqual([0, 0]);
    expect(await again.accounts()).toEqual(['b']);
    expect(await again.readMonth({ ...batch, account: 'b', afterId: 0, most: 10 })).toHaveLength(1);
    await again.close();
  });

  test('keeps accounts apart, whatever their names', async () => {
    const { store } = await make();
    // Text in PostgreSQL has no zero byte, and neither has the name of a configured account.
    const separator = kind === 'postgres' ? ' ' : '\u0000';
    const names = ['a', 'ab', `a${separator}check`, 'Ünï "quoted"'];
    for (const [n, account] of names.entries()) {
      await store.commit({ account, items: { check: new Map([[1, plainItem(n)]]) } });
    }

    for (const [n, account] of names.entries()) {
      expect((await store.load(account)).items.check).toEqual(new Map([[1, plainItem(n)]]));
    }
    expect((await store.load('b')).items.check.size).toBe(0);
    await store.close();
  });
});

function requireResults({ results }: StoredItem) {
  if (results === undefined) throw new Error('the item has no results');
  return results;
}

function withBounds(boundsSeconds: readonly number[]): StoredItem {
  const results = requireResults(fullItem);
  return {
    ...fullItem,
    results: {
      ...results,
      responseTimes: { ...results.responseTimes, boundsSeconds, counts: [1, 2, 1] },
    },
  };
}
