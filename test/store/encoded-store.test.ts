import { describe, expect, test } from 'vitest';
import { EncodedStore } from '../../src/store/encoded-store.ts';
import { MemoryBackend, MemoryRows } from '../../src/store/memory-store.ts';
import type { Commit, CommitOutcome } from '../../src/store/record-backend.ts';
import { StoreError, UnreachableError } from '../../src/store/store-error.ts';
import { plainItem } from './support/stored-items.ts';

/** A backend that can report a different outcome of the next commit than the real one. */
class UncertainBackend extends MemoryBackend {
  readonly released: string[] = [];
  opened = 0;
  next: { readonly isDone: boolean; readonly outcome: CommitOutcome } | undefined;

  override async open(account: string) {
    this.opened += 1;
    return super.open(account);
  }

  override async commit(commit: Commit): Promise<CommitOutcome> {
    const { next } = this;
    this.next = undefined;
    if (next === undefined) return super.commit(commit);
    if (next.isDone) await super.commit(commit);
    return next.outcome;
  }

  override async release(account: string): Promise<void> {
    this.released.push(account);
    await super.release(account);
  }
}

function setUp() {
  const records = new MemoryRows();
  const backend = new UncertainBackend(records, 'replica 1');
  const store = new EncodedStore(backend);
  const commit = (n: number, id = 1) =>
    store.commit({ account: 'shop', items: { check: new Map([[id, plainItem(n)]]) } });
  const stored = async () => {
    const { items, lost } = await new EncodedStore(
      new MemoryBackend({ ...records, owners: new Map() }, 'a reader'),
    ).load('shop');
    return { items: items.check, lost };
  };
  return { records, backend, store, commit, stored };
}

const reasonOf = (commit: Promise<void>) =>
  commit.then(
    () => 'stored',
    (error) => (error instanceof StoreError ? error.reason : String(error)),
  );

test('an account that another process owns cannot be loaded', async () => {
  const { records, store } = setUp();
  await new MemoryBackend(records, 'replica 2').open('shop');

  await expect(store.load('shop')).rejects.toMatchObject({
    reason: 'fenced',
    message: 'the account shop belongs to replica 2',
  });
});

test('the size of the rows is told when an account is loaded', async () => {
  const { records, store, commit } = setUp();
  await commit(1);
  await store.close();
  const sizes: number[] = [];
  const backend = new MemoryBackend(records, 'replica 1');
  const decoding = (bytes: number) => sizes.push(bytes);
  await new EncodedStore(backend, { decoding }).load('shop');

  const stored = [...(records.accounts.get('shop')?.values() ?? [])];
  expect(sizes).toEqual([Buffer.concat(stored.map(({ body }) => body)).length]);
  expect(sizes[0]).toBeGreaterThan(0);
});

test('accounts are released when the store is closed, and another process can take them', async () => {
  const { records, backend, store, commit } = setUp();
  await commit(1);
  const other = new MemoryBackend(records, 'replica 2');
  expect(await other.open('shop')).toEqual({ kind: 'taken', owner: 'replica 1' });

  await store.close();

  expect(backend.released).toEqual(['shop']);
  expect(await other.open('shop')).toMatchObject({ kind: 'owned' });
});

describe('a commit', () => {
  test('that is not stored rejects, and the next one stores all of its own', async () => {
    const { backend, commit, stored } = setUp();
    await commit(1);
    const error = new StoreError('full', 'no space left');
    backend.next = { isDone: false, outcome: { kind: 'not stored', error } };

    expect(await reasonOf(commit(2))).toBe('full');
    expect((await stored()).items).toEqual(new Map([[1, plainItem(1)]]));
    await commit(3);
    expect(await stored()).toEqual({ items: new Map([[1, plainItem(3)]]), lost: [] });
  });

  test.each([true, false])(
    'of unknown outcome rejects, and the account is read again before the next; it was stored: %s',
    async (isDone) => {
      const { backend, store, commit, stored } = setUp();
      await commit(1);
      await commit(1, 2);
      backend.next = { isDone, outcome: { kind: 'unknown', why: 'connection lost' } };
      const { opened } = backend;

      expect(await reasonOf(commit(2))).toBe('unknown');
      await commit(3, 2);

      expect(backend.opened).toBe(opened + 1);
      const items = new Map([
        [1, plainItem(isDone ? 2 : 1)],
        [2, plainItem(3)],
      ]);
      expect(await stored()).toEqual({ items, lost: [] });
      await store.close();
      expect(backend.released).toEqual(['shop']);
    },
  );

  test('of unknown outcome keeps the account until its end', async () => {
    const { backend, store, commit } = setUp();
    await commit(1);
    backend.next = { isDone: true, outcome: { kind: 'unknown', why: 'connection lost' } };
    expect(await reasonOf(commit(2))).toBe('unknown');

    await store.close();

    expect(backend.released).toEqual([]);
  });

  test('that is fenced rejects, and so do all others until the account is loaded again', async () => {
    const { records, commit, store, stored } = setUp();
    await commit(1);
    records.owners.set('shop', 'replica 2');

    expect(await reasonOf(commit(2))).toBe('fenced');
    // This process has older data of the account than the other one has stored.
    records.owners.set('shop', 'replica 1');
    expect(await reasonOf(commit(2))).toBe('fenced');
    expect((await stored()).items).toEqual(new Map([[1, plainItem(1)]]));
    await store.load('shop');
    await commit(4);
    expect((await stored()).items).toEqual(new Map([[1, plainItem(4)]]));
  });
});

describe('while the server of the backend is not reached', () => {
  const refused = new UnreachableError('no answer within 10 seconds');

  test('commits that waited for the attempt fail with it, and later ones are tried', async () => {
    const { backend, commit, stored } = setUp();
    await commit(1);
    backend.next = { isDone: false, outcome: { kind: 'not stored', error: refused } };

    const waited = [commit(2, 1), commit(3, 2), commit(4, 3)];

    const outcomes = await Promise.allSettled(waited);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await commit(5, 4);
    expect([...(await stored()).items.keys()]).toEqual([1, 4]);
  });

  test('commits that waited for a commit that failed for another reason are tried', async () => {
    const { backend, commit, stored } = setUp();
    const error = new StoreError('full', 'no space left');
    backend.next = { isDone: false, outcome: { kind: 'not stored', error } };

    const outcomes = await Promise.allSettled([commit(1, 1), commit(2, 2)]);

    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect([...(await stored()).items.keys()]).toEqual([2]);
  });
});
