import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { beforeAll, expect, test } from 'vitest';
import { EncodedStore } from '../../../src/store/encoded-store.ts';
import { manifestKind } from '../../../src/store/format/account-records.ts';
import { seal } from '../../../src/store/format/record.ts';
import { Connection } from '../../../src/store/sqlite/connection.ts';
import { StoreDatabase } from '../../../src/store/sqlite/database.ts';
import { unpack } from '../../../src/store/sqlite/protocol.ts';
import type {
  Json,
  LostRecord,
  Store,
  StoredAccount,
  StoredItem,
} from '../../../src/store/store.ts';
import { fullItem, plainItem } from '../support/stored-items.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Another seed finds other damage: SEED=7 DAMAGED=5000 npx vitest run test/store/sqlite/damage.test.ts */
const seed = Number(process.env.SEED ?? 1);
const stores = Number(process.env.DAMAGED ?? 600);
const pageBytes = 4096;

const file = 'uptime.db';
const accounts = ['shop', 'blog'];
const checkCount = 300;

/** Runs in this thread: 600 threads would take minutes. */
function openHere(path: string): { readonly store: Store; readonly database: StoreDatabase } {
  const database = new StoreDatabase({ path, suffix: 'x' });
  const store = new EncodedStore({
    read: async (account) => unpack(database.read(account)),
    write: async (account, writes) => database.write(account, writes),
    close: async () => database.close(),
  });
  return { store, database };
}

/** The closed database elsewhere: within one process SQLite may hold its lock until garbage is collected. */
async function moved(path: string): Promise<string> {
  await mkdir(`${path}-moved`);
  await copyFile(join(path, file), join(`${path}-moved`, file));
  await rm(path, { recursive: true, force: true });
  return `${path}-moved`;
}

function itemsOf(account: string): Map<number, StoredItem> {
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

const written: { [name: string]: Buffer } = {};

/** As a crash leaves it: most in the database, the last commits in the log. */
beforeAll(async () => {
  const path = join('/tmp', `uptime-damage-${randomBytes(6).toString('hex')}`);
  await mkdir(path);
  const { store, database } = openHere(path);
  for (const account of accounts) {
    await store.commit({ account, items: { check: itemsOf(account) } });
  }
  await copyFile(database.backup('whole'), `${path}/backup.db`);
  for (const account of accounts) {
    await store.commit({ account, documents: documentsOf(account) });
  }
  for (const [name, from] of [
    ['log', `${file}-wal`],
    ['base', file],
  ] as const) {
    written[name] = await readFile(join(path, from));
  }
  written.whole = await readFile(database.backup('all'));
  await store.close();
});

function random(at: number) {
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

test(`${stores} damaged stores open, say what they lost, and keep the rest`, async () => {
  const parent = await temporaryFolder();
  const tally = { intact: 0, some: 0, quarantined: 0, untouched: 0, kept: 0 };
  const names = Object.keys(damages);
  for (let at = 0; at < stores; at++) {
    const name = names[at % names.length] ?? '';
    const inLog = at % 4 === 3;
    const below = random(at);
    const path = join(parent, String(at));
    await mkdir(path);
    const damage = damages[name] ?? flip;
    const source = inLog ? written.log : written.whole;
    const bytes = damage(Buffer.from(source ?? ''), below);
    if (inLog) {
      await writeFile(join(path, file), written.base ?? '');
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
}, 600_000);

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

test.each([
  { version: 99, says: /was written by a newer version \(format 99.*install that version/ },
  { version: 0, says: /has format 0, which no released version wrote: move it away/ },
])('a store of version $version is refused untouched', async ({ version, says }) => {
  const path = join(await temporaryFolder(), 'written');
  await mkdir(path);
  const connection = new Connection(join(path, file));
  const key = { kind: manifestKind, name: '' };
  const bytes = seal('shop', key, new Uint8Array(20), version);
  connection.create(version, [{ account: 'shop', ...key, bytes }]);
  connection.close();
  const refused = await moved(path);
  const before = await readFile(join(refused, file));

  expect(() => openHere(refused)).toThrow(says);

  expect((await readFile(join(refused, file))).equals(before)).toBe(true);
});

test('a damaged version in the header of the file is not believed against the records', async () => {
  const path = await temporaryFolder();
  const whole = Buffer.from(written.whole ?? '');
  whole.writeUInt32BE(99, 60);
  await writeFile(join(path, file), whole);

  const { store } = openHere(path);

  expect((await store.load('shop')).items.check).toEqual(itemsOf('shop'));
  await store.close();
});

test.each([
  ['a folder of the former store', 'data/data.mdb', 'development version'],
  ['a database of another program', file, 'database of another program'],
])('%s is refused with a message', async (_what, name, says) => {
  const path = await temporaryFolder();
  await mkdir(join(path, 'data'));
  if (name === file) {
    const other = new Database(join(path, file));
    other.exec('CREATE TABLE other (a)');
    other.close();
  } else {
    await writeFile(join(path, name), 'x');
  }

  expect(() => openHere(path)).toThrow(says);
});
