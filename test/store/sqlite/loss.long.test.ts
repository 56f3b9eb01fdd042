import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DocumentSet } from '../../../src/store/format/document-set.ts';
import { deletion } from '../../../src/store/format/row.ts';
import { storeAccount, storeKey } from '../../../src/store/format/store-record.ts';
import { Connection } from '../../../src/store/sqlite/connection.ts';
import { noteName, StoreNote } from '../../../src/store/sqlite/store-note.ts';
import type { StoredItem } from '../../../src/store/store.ts';
import { casesOf } from '../../support/extent.ts';
import { file, openHere, writeNote } from '../support/damaged-stores.ts';
import { plainItem } from '../support/stored-items.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const log = `${file}-wal`;
const itemCount = 400;

/** The items after a commit, in which all counters have grown. */
function itemsAfter(commit: number): Map<number, StoredItem> {
  return new Map(Array.from({ length: itemCount }, (_, id) => [id, plainItem(commit * 100)]));
}

/**
 * A store whose process is killed after this many commits. Those before `closedAfter` are in the
 * database.
 */
async function killed(commits: number, closedAfter: number): Promise<string> {
  const path = join(await temporaryFolder(), 'life');
  await mkdir(path);
  let current = path;
  for (let commit = 1; commit <= commits; commit++) {
    const { store } = openHere(current);
    await store.commit({ account: 'shop', items: { check: itemsAfter(commit) } });
    if (commit <= closedAfter) {
      await store.close();
      current = await copied(current);
    } else if (commit === commits) {
      // Copied before it is closed, as a crash leaves it.
      const left = await copied(current);
      await store.close();
      return left;
    } else {
      const next = await copied(current);
      await store.close();
      current = next;
    }
  }
  return current;
}

/** Copies the files, with a note that claims that they are the same files. */
async function copied(path: string): Promise<string> {
  const to = `${path}+`;
  await mkdir(to);
  for (const name of [file, log]) await cp(join(path, name), join(to, name)).catch(() => {});
  const note = new StoreNote(path).read();
  if (note !== undefined) await writeNote(to, note);
  return to;
}

async function reopened(path: string) {
  const { store, database } = openHere(path);
  const stored = await store.load('shop');
  return { store, database, stored, past: stored.past, items: stored.items.check };
}

const empty = (path: string) => writeFile(path, '');

test('a store whose process was killed goes on with its last commit', async () => {
  const { past, items, database } = await reopened(await killed(4, 2));

  expect(past).toBeUndefined();
  expect(database.notices).toEqual([]);
  expect(items).toEqual(itemsAfter(4));
});

/** A change of the files. Returns their new folder if they were moved. */
const losses: Record<string, (path: string) => Promise<unknown>> = {
  'a missing log': (path) => rm(join(path, log)),
  'an emptied log': (path) => empty(join(path, log)),
  'a log without its last commit': async (path) => {
    const bytes = await readFile(join(path, log));
    await writeFile(join(path, log), bytes.subarray(0, endOfFirstCommit(bytes)));
  },
  'a log that cannot be read': async (path) => {
    await rm(join(path, log));
    await symlink(log, join(path, log));
  },
  'a log of the same store from before': async (path) => {
    const bytes = await readFile(join(path, log));
    const { store } = openHere(path);
    await store.commit({ account: 'shop', items: { check: itemsAfter(5) } });
    const left = await copied(path);
    await store.close();
    await writeFile(join(left, log), bytes);
    return left;
  },
  'a log of another store': async (path) => {
    await cp(join(await killed(2, 1), log), join(path, log));
  },
  'a database from before, and no log': async (path) => {
    await cp(join(await killed(1, 1), file), join(path, file));
    await rm(join(path, log));
  },
  'no database, and no log': async (path) => {
    await rm(join(path, file));
    await rm(join(path, log));
  },
  'an empty database, and no log': async (path) => {
    await empty(join(path, file));
    await rm(join(path, log));
  },
  'a database of another store, and no log': async (path) => {
    await cp(join(await killed(6, 6), file), join(path, file));
    await rm(join(path, log));
  },
  'a database without the number of its last commit': async (path) => {
    const connection = new Connection(join(path, file));
    connection.write({ account: storeAccount, writes: [deletion(storeKey)] });
    connection.close();
    return copied(path);
  },
  'a missing note': (path) => rm(join(path, noteName)),
  'a corrupt note': (path) => writeFile(join(path, noteName), 'x'.repeat(512)),
};

function endOfFirstCommit(bytes: Buffer): number {
  for (let at = 32; ; at += 24 + 4096) if (bytes.readUInt32BE(at + 4) !== 0) return at + 24 + 4096;
}

describe.each(casesOf(Object.keys(losses), 0, 2, 4, 6, 9, 10, 11))('with %s', (what) => {
  test('no previous total is taken for the last one, the next start finds the same, and a new life begins', async () => {
    const left = await killed(4, 2);
    const elsewhere = await losses[what]?.(left);
    const path = typeof elsewhere === 'string' ? elsewhere : left;
    const idBefore = new StoreNote(path).read()?.id;

    const { store, past, stored, items } = await reopened(path);

    // The alert about lost counters depends on it.
    expect(store.id).not.toBe(idBefore);
    expect(past).toMatch(/\w/);
    expect(stored.lost).toContainEqual({ kind: 'missing', name: 'commits', reason: past });
    // The process ended before the counters began again, so the next start must reset them.
    const crashed = await copied(path);
    await store.close();
    const second = await reopened(crashed);
    if (items.size > 0) expect(second.past).toBeTypeOf('string');
    await second.store.commit({
      account: 'shop',
      items: { check: itemsAfter(9) },
      beginsAgain: true,
    });
    const third = await copied(crashed);
    await second.store.close();
    const { past: none, items: last, database } = await reopened(third);
    expect([none, database.notices]).toEqual([undefined, []]);
    expect(last).toEqual(itemsAfter(9));
  });
});

test.each([
  ['an empty database', (path: string) => empty(join(path, file))],
  ['a database of one byte', (path: string) => writeFile(join(path, file), 'S')],
  ['no database', (path: string) => rm(join(path, file))],
])(
  'of %s beside a whole log is set aside with its log, and every account reports its loss',
  async (_what, change) => {
    const path = await killed(4, 2);
    await change(path);

    const { database, store, past, items } = await reopened(path);
    const { lost } = await store.load('blog');

    expect(database.notices).toMatchObject([
      { kind: 'set-aside', reason: 'it is empty, but its log is not' },
    ]);
    expect(await readdir(path)).toContain(`${file}.damaged-x-wal`);
    expect(past).toBe('the database was set aside');
    expect(items.size).toBe(0);
    expect(lost).toMatchObject([{ kind: 'missing', name: 'commits' }]);
  },
);

test.each(casesOf([0, 1, 99, 100, 4096, 4097, 8192, 30_000, 60_000, 100_000, -1000], 1, 3, 7, 10))(
  'a database that was cut to %d bytes (at the end where it is negative) opens, and reports that it lost something',
  async (length) => {
    const path = await killed(3, 3);
    const whole = await readFile(join(path, file));
    await writeFile(
      join(path, file),
      whole.subarray(0, length < 0 ? length : Math.min(length, whole.length - 1)),
    );

    const { past, stored, database, items } = await reopened(path);

    const said = [...database.notices, ...(stored.lost ?? [])];
    expect(said).not.toEqual([]);
    if (past === undefined) {
      for (const [id, item] of items) expect(item).toEqual(itemsAfter(3).get(id));
    }
  },
);

test('a database that ends within a page of a large row is set aside', async () => {
  const path = join(await temporaryFolder(), 'life');
  await mkdir(path);
  const { store } = openHere(path);
  const documents = new DocumentSet<null>().set('feature test', 's'.repeat(20_000));
  await store.commit({ account: 'shop', documents });
  await store.close();
  const cut = await copied(path);
  const whole = await readFile(join(cut, file));
  await writeFile(join(cut, file), whole.subarray(0, whole.length - 2000));

  const { database, store: opened } = openHere(cut);

  expect(database.notices).toMatchObject([{ kind: 'set-aside' }]);
  expect((await opened.load('shop')).lost).toMatchObject([{ kind: 'missing', name: 'commits' }]);
});

test('a log that cannot be read is set aside, and a whole database goes on without it', async () => {
  const path = await killed(2, 2);
  await rm(join(path, log), { force: true });
  await symlink(log, join(path, log));

  const { past, items, database } = await reopened(path);

  expect(past).toBeUndefined();
  expect(items).toEqual(itemsAfter(2));
  expect(database.notices).toMatchObject([{ kind: 'log-unreadable', reason: 'ELOOP' }]);
  expect(await readdir(path)).toContain(`${file}.damaged-x-wal`);
});

describe('a copy', () => {
  test('that /-/backup wrote is older than what was shown, wherever it is put', async () => {
    const path = await killed(2, 2);
    const { store, database } = openHere(path);
    await store.load('shop');
    const backup = database.backup('now');
    await store.close();
    const [elsewhere, place] = [await temporaryFolder(), await copied(path)];
    await cp(backup, join(elsewhere, file));
    await cp(backup, join(place, file));

    for (const folder of [elsewhere, place]) {
      const { past, items } = await reopened(folder);
      expect(past).toBe('it is a backup');
      expect(items).toEqual(itemsAfter(2));
    }
  });

  test('of the whole folder of a running exporter is older than what was shown', async () => {
    const path = await killed(3, 2);
    const snapshot = join(await temporaryFolder(), 'snapshot');
    await cp(path, snapshot, { recursive: true });

    expect((await reopened(snapshot)).past).toBe('it was copied while it was in use');
  });

  test('of a store that was closed goes on within an hour, as after a move to another disk, and not later', async () => {
    const path = await killed(2, 2);
    const moved = join(await temporaryFolder(), 'moved');
    await cp(path, moved, { recursive: true });
    const late = join(await temporaryFolder(), 'late');
    await cp(path, late, { recursive: true });
    const note = new StoreNote(late).read();
    if (note === undefined) throw new Error('there is no note');
    new StoreNote(late).write({ ...note, at: note.at - 3_700_000 });

    expect((await reopened(moved)).past).toBeUndefined();
    expect((await reopened(late)).past).toBe('it was copied, and used more than an hour later');
  });
});

test('a store that was killed and off for a day goes on, and reports that it was not closed', async () => {
  const path = await killed(3, 2);
  const note = new StoreNote(path).read();
  if (note === undefined) throw new Error('there is no note');
  new StoreNote(path).write({ ...note, at: note.at - 86_400_000 });

  const { past, items, database } = await reopened(path);

  expect(past).toBeUndefined();
  expect(items).toEqual(itemsAfter(3));
  expect(database.notices).toEqual([{ kind: 'not-closed', lastCommit: note.at - 86_400_000 }]);
});

test('a store that was closed and off for a day goes on without a word', async () => {
  const path = await killed(2, 2);
  const note = new StoreNote(path).read();
  if (note === undefined) throw new Error('there is no note');
  new StoreNote(path).write({ ...note, at: note.at - 86_400_000 });

  const { past, database } = await reopened(path);

  expect([past, database.notices]).toEqual([undefined, []]);
});
