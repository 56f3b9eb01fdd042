import { migratedRecords, migrationsFrom, type StoreFormat } from '../format/migrations.ts';
import type { RecordWrite, StoredRecord } from '../format/record.ts';
import { StoreError } from '../store-error.ts';
import type { Row, Session } from './session.ts';

/** `UpEx` in ASCII. It separates these locks from those of other programs in the same database. */
const lockClass = 0x55704578;
/** The numbers of the locks. */
export const locks = { schema: `${lockClass}, 1`, owner: `${lockClass}, 2` } as const;

const rowsPerStatement = 1_000;

/*
 * `accounts` has the fence of each account. A commit updates this row first: it requires the
 * `epoch` and `commit` that the process knows, and sets a new `commit`. `transaction`, `system` and
 * `timeline` record where the row was written. In a row from a dump, `transaction` is not the
 * transaction that wrote the row; after a restored backup or a failover, the timeline differs.
 * `past` is the reason why totals may be older than the ones already shown.
 */
const tables = `
  CREATE TABLE uptime_exporter.format (version integer NOT NULL);
  CREATE TABLE uptime_exporter.accounts (
    account text COLLATE "C" PRIMARY KEY,
    owner text NOT NULL,
    epoch uuid NOT NULL,
    commit uuid NOT NULL,
    transaction xid8 NOT NULL,
    system bigint NOT NULL,
    timeline text NOT NULL,
    past text
  );
  CREATE TABLE uptime_exporter.records (
    account text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (account, kind, name)
  );
`;

/**
 * Creates the tables, or migrates their records to the current format. Rejects with a `StoreError`
 * if the format is newer.
 */
export async function prepareSchema(session: Session, format: StoreFormat): Promise<void> {
  await session.query('BEGIN');
  try {
    await session.query(`SELECT pg_advisory_xact_lock(${locks.schema})`);
    const [known] = await session.query(
      "SELECT 1 FROM pg_tables WHERE schemaname = 'uptime_exporter' AND tablename = 'format'",
    );
    if (known === undefined) await createTables(session, format.version);
    else await migrate(session, format);
    await session.commit();
  } catch (error) {
    if (!session.isLost) await session.query('ROLLBACK');
    throw error;
  }
}

async function createTables(session: Session, version: number): Promise<void> {
  // IF NOT EXISTS would need the right to create a schema, even if an administrator has created it.
  const [schema] = await session.query(
    "SELECT 1 FROM pg_namespace WHERE nspname = 'uptime_exporter'",
  );
  if (schema === undefined) await session.query('CREATE SCHEMA uptime_exporter');
  await session.query(tables);
  await session.query('INSERT INTO uptime_exporter.format VALUES ($1)', [version]);
}

async function migrate(session: Session, format: StoreFormat): Promise<void> {
  const [row] = await session.query('SELECT version FROM uptime_exporter.format');
  if (row === undefined) {
    throw new StoreError(
      'refused',
      'the database has no version in the table uptime_exporter.format',
    );
  }
  const version = Number(row.version);
  if (version === format.version) return;
  requireMigrations(version, format);
  for (const { account } of await session.query('SELECT account FROM uptime_exporter.accounts')) {
    const name = String(account);
    const records = await readRecords(session, name);
    await writeRecords(session, name, migratedRecords(name, records, version, format));
  }
  await session.query('UPDATE uptime_exporter.format SET version = $1', [format.version]);
}

function requireMigrations(version: number, format: StoreFormat): void {
  try {
    migrationsFrom(version, format);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StoreError('refused', `the database ${error.message}`, { cause: error });
  }
}

/** All records of an account. */
export async function readRecords(session: Session, account: string): Promise<StoredRecord[]> {
  const rows = await session.query(
    'SELECT kind, name, bytes FROM uptime_exporter.records WHERE account = $1',
    [account],
  );
  return rows.map(({ kind, name, bytes }) => ({
    kind: String(kind),
    name: String(name),
    bytes: bytesOf(bytes),
  }));
}

/** Writes records within the open transaction. */
export async function writeRecords(
  session: Session,
  account: string,
  writes: readonly RecordWrite[],
): Promise<void> {
  const [removed, put]: [RecordWrite[], RecordWrite[]] = [[], []];
  for (const write of writes) (write.bytes === null ? removed : put).push(write);
  if (removed.length > 0) {
    await session.query(
      `DELETE FROM uptime_exporter.records USING unnest($2::text[], $3::text[]) AS removed (kind, name)
       WHERE records.account = $1 AND records.kind = removed.kind AND records.name = removed.name`,
      [account, removed.map(({ kind }) => kind), removed.map(({ name }) => name)],
    );
  }
  for (let from = 0; from < put.length; from += rowsPerStatement) {
    await putRows(session, account, put.slice(from, from + rowsPerStatement));
  }
}

async function putRows(
  session: Session,
  account: string,
  rows: readonly RecordWrite[],
): Promise<void> {
  const places = rows.map((_, row) => `($1, $${3 * row + 2}, $${3 * row + 3}, $${3 * row + 4})`);
  await session.query(
    `INSERT INTO uptime_exporter.records (account, kind, name, bytes) VALUES ${places.join(', ')}
     ON CONFLICT (account, kind, name) DO UPDATE SET bytes = excluded.bytes`,
    // The client sends a buffer without converting it.
    [account, ...rows.flatMap(({ kind, name, bytes }) => [kind, name, asBuffer(bytes)])],
  );
}

function asBuffer(bytes: RecordWrite['bytes']): Buffer {
  return bytes === null
    ? Buffer.alloc(0)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function bytesOf(value: Row[string]): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}
