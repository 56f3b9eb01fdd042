import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { EncodedStore } from '../../../src/store/encoded-store.ts';
import { StoreDatabase } from '../../../src/store/sqlite/database.ts';
import { unpack } from '../../../src/store/sqlite/protocol.ts';
import type {
  Json,
  LostRecord,
  Store,
  StoredAccount,
  StoredItem,
} from '../../../src/store/store.ts';
import { fullItem, plainItem } from './stored-items.ts';
import { temporaryFolder } from './temporary-folder.ts';

const pageBytes = 4096;

export const file = 'uptime.db';
const accounts = ['shop', 'blog'];
const checkCount = 300;

/** Runs in this thread: a thread for each of hundreds of stores would take minutes. */
export function openHere(path: string): {
  readonly store: Store;
  readonly database: StoreDatabase;
} {
  const database = new StoreDatabase({ path, suffix: 'x' });
  const store = new EncodedStore({
    read: async (account) => unpack(database.read(account)),
    write: async (account, writes) => database.write(account, writes),
    close: async () => database.close(),
  });
  return { store, database };
}

/** The closed database elsewhere: within one process SQLite may hold its lock until garbage is collected. */
export async function moved(path: string): Promise<string> {
  await mkdir(`${path}-moved`);
  await copyFile(join(path, file), join(`${path}-moved`, file));
  await rm(path, { recursive: true, force: true });
  return `${path}-moved`;
}

export function itemsOf(account: string): Map<number, StoredItem> {
  const offset = accounts.indexOf(account) * 1000;
  return new Map(
    Array.from({ length: checkCount }, (_, n): [number, StoredItem] => [
      n + 1,
      n % 3 === 0 ? { ...fullItem, alerts: { sent: n + offset } } : plainItem(n + offset),
    ]),
  );
}

function documentsOf(account: string): Map<string, Json> {
  const datasets = [{ name: 'checks', atSeconds: 1_767_225_600, items: account.length }];
  const found = (n: number) => ({ activeProbes: { value: n, at: 1_767_225_600 } });
  return new Map<string, Json>([
    ['datasets', datasets],
    ['facts', { teams: [{ id: 1, name: account }], contacts: [] }],
    ...Array.from({ length: 60 }, (_, n): [string, Json] => [`findings of check ${n}`, found(n)]),
  ]);
}

/** The files of a store: as a crash leaves it, most in the database, the last commits in the log; and all in one file. */
export interface WrittenStore {
  readonly base: Buffer;
  readonly log: Buffer;
  readonly whole: Buffer;
}

export async function writeStore(): Promise<WrittenStore> {
  const path = join(tmpdir(), `uptime-damage-${randomBytes(6).toString('hex')}`);
  await mkdir(path);
  const { store, database } = openHere(path);
  for (const account of accounts) {
    await store.commit({ account, items: { check: itemsOf(account) } });
  }
  await copyFile(database.backup('whole'), `${path}/backup.db`);
  for (const account of accounts) {
    await store.commit({ account, documents: documentsOf(account) });
  }
  const written = {
    log: await readFile(join(path, `${file}-wal`)),
    base: await readFile(join(path, file)),
    whole: await readFile(database.backup('all')),
  };
  await store.close();
  await rm(path, { recursive: true, force: true });
  return written;
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

/** What differs from what was written, without a line that says so. */
function unsaid(account: string, stored: StoredAccount, said: readonly LostRecord[]): string[] {
  const expected = itemsOf(account);
  const documents = documentsOf(account);
  // Damage to a name or an id is told under what it has become.
  const isForeign = ({ kind, name }: LostRecord) =>
    kind === 'check' ? !expected.has(Number(name)) : kind === 'document' && !documents.has(name);
  const of = (kind: LostRecord['kind'], name: string) =>
    said.some(
      (lost) =>
        lost.kind === 'missing' ||
        (lost.kind === kind && (lost.name === name || isForeign(lost))) ||
        lost.kind === 'chunk',
    );
  const wrong: string[] = [];
  for (const [id, item] of stored.items.check) {
    // A wrong number is never excused.
    if (!equal(item, expected.get(id))) wrong.push(`check ${id} is wrong`);
  }
  for (const id of expected.keys()) {
    if (!stored.items.check.has(id) && !of('check', String(id))) wrong.push(`check ${id} is gone`);
  }
  for (const [name, value] of stored.documents) {
    if (!equal(value, documents.get(name))) wrong.push(`document ${name} is wrong`);
  }
  for (const name of documents.keys()) {
    if (!stored.documents.has(name) && !of('document', name))
      wrong.push(`document ${name} is gone`);
  }
  return wrong;
}

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Damages so many stores, opens each, and expects that nothing of it is wrong or lost without a word. */
export async function surviveDamage(stores: number, seed: number): Promise<void> {
  const written = await writeStore();
  const parent = await temporaryFolder();
  const tally = { intact: 0, some: 0, quarantined: 0, untouched: 0, kept: 0 };
  const names = Object.keys(damages);
  for (let at = 0; at < stores; at++) {
    const name = names[at % names.length] ?? '';
    const inLog = at % 4 === 3;
    const below = random(seed, at);
    const path = join(parent, String(at));
    await mkdir(path);
    const damage = damages[name] ?? flip;
    const bytes = damage(Buffer.from(inLog ? written.log : written.whole), below);
    if (inLog) {
      await writeFile(join(path, file), written.base);
      await writeFile(join(path, `${file}-wal`), bytes);
    } else {
      await writeFile(join(path, file), bytes);
    }
    const what = `${name}${inLog ? ' in the log' : ''}, number ${at}`;
    await live(path, what, tally);
    // The second start finds nothing more: no loop, no new losses.
    const { store, database } = openHere(await moved(path));
    const again = await Promise.all(accounts.map((account) => store.load(account)));
    expect(database.notices, what).toEqual([]);
    expect(
      again.flatMap(({ lost }) => lost),
      what,
    ).toEqual([]);
    await store.close();
  }
  console.log(`damaged stores with seed ${seed}: ${JSON.stringify(tally)}`);
  expect(tally.kept / (stores * accounts.length * checkCount)).toBeGreaterThan(0.4);
}

async function live(path: string, what: string, tally: { [what: string]: number }): Promise<void> {
  const { store, database } = openHere(path);
  const notices = database.notices.map(({ kind }) => kind);
  let losses = 0;
  for (const account of accounts) {
    const stored = await store.load(account);
    const lost = stored.lost ?? [];
    losses += lost.length;
    tally.kept = (tally.kept ?? 0) + stored.items.check.size;
    // A notice about the file says that something of it may be missing; no notice excuses a wrong number.
    const excused: LostRecord[] =
      notices.length > 0 ? [{ kind: 'missing', name: '', reason: '' }] : [];
    expect(unsaid(account, stored, [...lost, ...excused]), what).toEqual([]);
    await store.commit({
      account,
      items: { check: itemsOf(account) },
      documents: documentsOf(account),
    });
  }
  const key = notices.includes('quarantined') ? 'quarantined' : losses > 0 ? 'some' : 'intact';
  tally[key] = (tally[key] ?? 0) + 1;
  await store.close();
}
