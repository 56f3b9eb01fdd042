import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { EncodedStore } from '../../../src/store/encoded-store.ts';
import { type DocumentChanges, DocumentSet } from '../../../src/store/format/document-set.ts';
import { parts } from '../../../src/store/format/items.ts';
import type { RecordBackend } from '../../../src/store/record-backend.ts';
import { pageBytes } from '../../../src/store/sqlite/connection.ts';
import { StoreDatabase } from '../../../src/store/sqlite/database.ts';
import { sizeOfGroups, unpack } from '../../../src/store/sqlite/protocol.ts';
import { type Note, StoreNote } from '../../../src/store/sqlite/store-note.ts';
import type { LostRecord, Store, StoredAccount, StoredItem } from '../../../src/store/store.ts';
import { fullItem, plainItem } from './stored-items.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const file = 'uptime.db';
const accounts = ['shop', 'blog'];
/** So that a part has two or three of them. */
const checkCount = 2 * parts + 98;
/** The items of a part; or a row whose key is corrupt, under both names. */
const mostLostToOneBit = 4;
const now = 1_767_225_600_000;

/** Runs in this thread: a thread for each of hundreds of stores would take minutes. */
export function openHere(path: string): {
  readonly store: Store;
  readonly database: StoreDatabase;
} {
  const database = new StoreDatabase({ path, suffix: 'x', now, hasInodes: true });
  return { store: new EncodedStore(backendOf(database)), database };
}

/** A database of this thread as a backend. */
function backendOf(database: StoreDatabase): RecordBackend {
  return {
    id: database.id,
    accounts: async () => database.accounts(),
    open: async (account) => {
      const opened = database.open(account);
      const { groups, past } = opened;
      const [rows, bytes] = [unpack(groups), sizeOfGroups(groups)];
      return { kind: 'owned', rows, bytes, ...(past !== undefined && { past }) };
    },
    readMonth: async (batch) => [...unpack(database.month(batch).groups)],
    commit: async (commit) => {
      database.commit(commit, now);
      return { kind: 'stored' };
    },
    release: async () => {},
    close: async () => database.close(now),
  };
}

/** Writes the note of the database, as if this were the same file. */
export async function writeNote(path: string, note: Note): Promise<void> {
  const { ino } = await stat(join(path, file), { bigint: true });
  new StoreNote(path).write({ ...note, inode: ino.toString() });
}

/**
 * A copy of the closed database: within one process, SQLite may hold its lock until garbage is
 * collected.
 */
export async function moved(path: string): Promise<string> {
  await mkdir(`${path}-moved`);
  await copyFile(join(path, file), join(`${path}-moved`, file));
  const note = new StoreNote(path).read();
  if (note !== undefined) await writeNote(`${path}-moved`, note);
  await rm(path, { recursive: true, force: true });
  return `${path}-moved`;
}

export function itemsOf(account: string): Map<number, StoredItem> {
  const offset = accounts.indexOf(account) * 1000;
  return new Map(
    Array.from({ length: checkCount }, (_, n): [number, StoredItem] => [
      n + 1,
      n % 3 === 0
        ? { ...fullItem, maintenance: { up: n + offset, down: 0, unknown: 0, unmonitored: 0 } }
        : plainItem(n + offset),
    ]),
  );
}

function documentsOf(account: string): DocumentChanges {
  const documents = new DocumentSet<null>()
    .set('datasets', [{ name: 'checks', atSeconds: 1_767_225_600, items: account.length }])
    .set('accountData', { teams: [{ id: 1, name: account }], contacts: [] });
  for (let n = 0; n < 60; n++) {
    documents.set('details of check', { activeProbes: { value: n, at: 1_767_225_600 } }, n);
  }
  return documents;
}

/**
 * The files of a store: as a crash leaves it, with its last commits in the log; and as one file.
 */
interface WrittenStore {
  /** Contains the items. */
  readonly base: Buffer;
  /** Contains the documents, with one commit for each account. */
  readonly log: Buffer;
  readonly whole: Buffer;
  /** The note next to each. */
  readonly note: Note;
}

export async function writeStore(): Promise<WrittenStore> {
  const path = join(tmpdir(), `uptime-damage-${randomBytes(6).toString('hex')}`);
  await mkdir(path);
  const begun = openHere(path);
  for (const account of accounts) {
    await begun.store.commit({ account, items: { check: itemsOf(account) } });
  }
  await begun.store.close();
  const crashed = await moved(path);
  const base = await readFile(join(crashed, file));
  const { store } = openHere(crashed);
  for (const account of accounts) {
    await store.commit({ account, documents: documentsOf(account) });
  }
  const log = await readFile(join(crashed, `${file}-wal`));
  expect(endsOfCommits(log)).toHaveLength(accounts.length);
  const note = new StoreNote(crashed).read();
  if (note === undefined) throw new Error('there is no note');
  await store.close();
  const closed = await moved(crashed);
  const whole = await readFile(join(closed, file));
  await rm(closed, { recursive: true, force: true });
  return { base, log, whole, note };
}

/** The frame that ends a transaction has the size of the database at its fifth byte. */
function endsOfCommits(log: Buffer): number[] {
  const ends: number[] = [];
  for (let at = 32; at < log.length; at += 24 + pageBytes) {
    if (log.readUInt32BE(at + 4) !== 0) ends.push(at + 24 + pageBytes);
  }
  return ends;
}

function random(seed: number, at: number) {
  let state = (seed * 2654435761 + at * 40503) >>> 0;
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Damage = (bytes: Buffer, below: (n: number) => number) => Buffer;

const damages: Record<string, Damage> = {
  'one bit': (bytes, below) => flip(bytes, below),
  'many bits': (bytes, below) => {
    for (let n = 0; n < 40; n++) flip(bytes, below);
    return bytes;
  },
  truncated: (bytes, below) => bytes.subarray(0, below(bytes.length)),
  'a page of zeros': (bytes, below) => {
    const page = below(Math.floor(bytes.length / pageBytes)) * pageBytes;
    return bytes.fill(0, page, page + pageBytes);
  },
  'two pages swapped': (bytes, below) => {
    const [a, b] = [0, 0].map(() => below(Math.floor(bytes.length / pageBytes)) * pageBytes);
    const page = Buffer.from(bytes.subarray(a, (a ?? 0) + pageBytes));
    bytes.copyWithin(a ?? 0, b ?? 0, (b ?? 0) + pageBytes);
    page.copy(bytes, b);
    return bytes;
  },
  'a header of noise': (bytes, below) => {
    for (let n = 0; n < 100; n++) bytes[n] = below(256);
    return bytes;
  },
};

function flip(bytes: Buffer, below: (n: number) => number): Buffer {
  const at = below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
  return bytes;
}

/** Documents by the names that the log has for them. */
function byName(documents: DocumentSet | DocumentChanges): ReadonlyMap<string, unknown> {
  return new Map(
    [...documents].map(([{ kind, id }, value]) => [id > 0 ? `${kind} ${id}` : kind, value]),
  );
}

/** Rows that differ from the written ones, or are gone although nothing reports their loss. */
function wrongWith(account: string, stored: StoredAccount, said: readonly LostRecord[]): string[] {
  const expected = itemsOf(account);
  const documents = byName(documentsOf(account));
  // A corrupt key is reported as it was read.
  const isForeign = ({ kind, name }: LostRecord) =>
    kind === 'check' ? !expected.has(Number(name)) : kind === 'document' && !documents.has(name);
  const isSaid = (kind: LostRecord['kind'], name: string) =>
    said.some(
      (lost) =>
        lost.kind === 'missing' || isForeign(lost) || (lost.kind === kind && lost.name === name),
    );
  const wrong: string[] = [];
  for (const [id, item] of stored.items.check) {
    // A wrong number is never acceptable.
    if (!isDeepStrictEqual(item, expected.get(id))) wrong.push(`check ${id} is wrong`);
  }
  for (const id of expected.keys()) {
    if (!stored.items.check.has(id) && !isSaid('check', String(id))) {
      wrong.push(`check ${id} is gone`);
    }
  }
  const storedDocuments = byName(stored.documents);
  for (const [name, value] of storedDocuments) {
    if (!isDeepStrictEqual(value, documents.get(name))) wrong.push(`document ${name} is wrong`);
  }
  for (const name of documents.keys()) {
    if (!storedDocuments.has(name) && !isSaid('document', name)) {
      wrong.push(`document ${name} is gone`);
    }
  }
  return wrong;
}

/**
 * Damages this many stores, and opens each. No number may be wrong, and every loss must be reported.
 * A file whose structure is intact loses few rows to one bit.
 */
export async function surviveDamage(stores: number, seed: number): Promise<void> {
  const written = await writeStore();
  const names = Object.keys(damages);
  const tally = newTally();
  for (let at = 0; at < stores; at++) {
    const name = names[at % names.length] ?? '';
    const inLog = at % 4 === 3;
    const damage = damages[name] ?? flip;
    const bytes = damage(Buffer.from(inLog ? written.log : written.whole), random(seed, at));
    const what = `${name}${inLog ? ' in the log' : ''}, number ${at}`;
    await survive(written, bytes, inLog, what, tally);
  }
  tell(`damaged stores with seed ${seed}`, tally);
}

/** Flips bits of the file's header, one in each store. */
export async function surviveHeaders(bits: readonly number[]): Promise<void> {
  const written = await writeStore();
  const tally = newTally();
  for (const bit of bits) {
    const bytes = Buffer.from(written.whole);
    const at = Math.floor(bit / 8);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
    await survive(written, bytes, false, `bit ${bit % 8} of byte ${at} of the header`, tally);
  }
  tell('headers with one bit flipped', tally);
}

interface Tally {
  readonly starts: { setAside: number; some: number; intact: number };
  kept: number;
  expected: number;
}

const newTally = (): Tally => ({
  starts: { setAside: 0, some: 0, intact: 0 },
  kept: 0,
  expected: 0,
});

function tell(what: string, { starts, kept, expected }: Tally): void {
  const percent = ((100 * kept) / expected).toFixed(1);
  console.log(`${what}: ${JSON.stringify(starts)}, ${percent} % of the items kept`);
}

async function survive(
  written: WrittenStore,
  bytes: Buffer,
  inLog: boolean,
  what: string,
  tally: Tally,
): Promise<void> {
  const path = join(await temporaryFolder(), 'damaged');
  await mkdir(path);
  await writeFile(join(path, file), inLog ? written.base : bytes);
  if (inLog) await writeFile(join(path, `${file}-wal`), bytes);
  await writeNote(path, written.note);
  await live(path, what, tally);
  // The second start reports nothing more: no loop, no new losses.
  const again = await moved(path);
  const { store, database } = openHere(again);
  expect(database.notices, what).toEqual([]);
  for (const account of accounts) {
    const stored = await store.load(account);
    expect(stored.lost, what).toEqual([]);
    expect(wrongWith(account, stored, []), what).toEqual([]);
  }
  await store.close();
  await rm(again, { recursive: true, force: true });
}

async function live(path: string, what: string, tally: Tally): Promise<void> {
  const { store, database } = openHere(path);
  const notices = database.notices.map(({ kind }) => kind);
  let losses = 0;
  for (const account of accounts) {
    const stored = await store.load(account);
    const lost = stored.lost ?? [];
    losses += lost.length;
    tally.kept += stored.items.check.size;
    tally.expected += checkCount;
    // A notice about the file reports that data may be missing, but it does not excuse a wrong
    // number.
    const excused: LostRecord[] =
      notices.length > 0 ? [{ kind: 'missing', name: '', reason: '' }] : [];
    const wrong = wrongWith(account, stored, [...lost, ...excused]);
    expect(wrong, `${what}: ${JSON.stringify(database.notices)}`).toEqual([]);
    await store.commit({
      account,
      items: { check: itemsOf(account) },
      documents: documentsOf(account),
      beginsAgain: true,
    });
  }
  if (what.startsWith('one bit') && notices.length === 0) {
    expect(losses, what).toBeLessThanOrEqual(mostLostToOneBit);
  }
  const start = notices.includes('set-aside') ? 'setAside' : losses > 0 ? 'some' : 'intact';
  tally.starts[start] += 1;
  await store.close();
}
