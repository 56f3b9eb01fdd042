import type { RecordWrite, StoredRecord } from '../../store/format/record.ts';
import type { Row, Session } from './session.ts';

/** `UpEx` in ASCII. It separates this lock from those of other programs in the same database. */
const schemaLock = `${0x55704578}, 1`;

const rowsPerStatement = 1_000;

/**
 * The server's identity and its timeline. The timeline changes with each restored backup and each
 * failover.
 */
export const here =
  '(SELECT system_identifier FROM pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()), 8)';

/** Whether the row was written here. In a row from a dump, the transaction is another one. */
export function isOriginal(row: string): string {
  return `${row}.xmin::text = mod(${row}.transaction::text::numeric, 4294967296)::text`;
}

/*
 * `accounts` has the fence of each account. A commit updates this row first: it requires the
 * `epoch` and `commit` that the process knows, and sets a new `commit`. `version` is the format of
 * its records. `transaction`, `system` and `timeline` record where a row was written. In a row from
 * a dump, `transaction` is not the transaction that wrote the row; after a restored backup or a
 * failover, the timeline differs. `past` is the reason why totals may be older than the ones
 * already shown.
 *
 * `leases` has the lease of each account, and `replicas` the processes that share them. The fence
 * and the lease have a row each, so that a renewal never waits for a commit.
 */
const tables = `
  CREATE TABLE uptime_exporter.store (id uuid NOT NULL DEFAULT gen_random_uuid());
  CREATE TABLE uptime_exporter.accounts (
    account text COLLATE "C" PRIMARY KEY,
    owner text NOT NULL,
    epoch uuid NOT NULL,
    commit uuid NOT NULL,
    version integer NOT NULL,
    transaction xid8 NOT NULL,
    system bigint NOT NULL,
    timeline text NOT NULL,
    past text
  );
  CREATE TABLE uptime_exporter.leases (
    account text COLLATE "C" PRIMARY KEY,
    epoch uuid NOT NULL,
    renewal uuid NOT NULL,
    number bigint NOT NULL,
    since timestamptz NOT NULL,
    is_released boolean NOT NULL,
    replica uuid NOT NULL,
    name text NOT NULL,
    url text,
    session_pid integer NOT NULL,
    session_started_at timestamptz NOT NULL,
    transaction xid8 NOT NULL,
    system bigint NOT NULL,
    timeline text NOT NULL,
    call uuid
  );
  CREATE TABLE uptime_exporter.replicas (
    replica uuid PRIMARY KEY,
    token uuid NOT NULL,
    name text NOT NULL,
    url text
  );
  CREATE TABLE uptime_exporter.records (
    account text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (account, kind, name)
  );
`;

/** Creates the tables if they do not exist. Resolves with the id of the store. */
export async function prepareSchema(session: Session): Promise<string> {
  return inTransaction(session, async () => {
    await session.query(`SELECT pg_advisory_xact_lock(${schemaLock})`);
    const [known] = await session.query(
      "SELECT 1 FROM pg_tables WHERE schemaname = 'uptime_exporter' AND tablename = 'store'",
    );
    if (known === undefined) await createTables(session);
    const [store] = await session.query('SELECT id FROM uptime_exporter.store');
    return String(store?.id);
  });
}

async function createTables(session: Session): Promise<void> {
  // IF NOT EXISTS would need the right to create a schema, even if an administrator has created it.
  const [schema] = await session.query(
    "SELECT 1 FROM pg_namespace WHERE nspname = 'uptime_exporter'",
  );
  if (schema === undefined) await session.query('CREATE SCHEMA uptime_exporter');
  await session.query(tables);
  await session.query('INSERT INTO uptime_exporter.store DEFAULT VALUES');
}

/** Commits what `work` does. If it rejects, nothing is stored, unless the session is lost. */
export async function inTransaction<T>(session: Session, work: () => Promise<T>): Promise<T> {
  await session.query('BEGIN');
  try {
    const result = await work();
    await session.commit();
    return result;
  } catch (error) {
    await undo(session);
    throw error;
  }
}

/** Rolls a failed transaction back, unless its connection is lost. */
export async function undo(session: Session): Promise<void> {
  if (session.isLost) return;
  try {
    await session.query('ROLLBACK');
  } catch {
    // The state of the session is unknown.
    await session.end();
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
