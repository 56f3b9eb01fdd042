import {
  crcOfText,
  crcText,
  idColumn,
  monthKindPrefix,
  type RowKey,
  type RowWrite,
  type StoredRow,
  tables,
} from '../../store/format/row.ts';
import type { MonthBatch } from '../../store/store.ts';
import { StoreError } from '../../store/store-error.ts';
import type { Session } from './session.ts';

/** `UpEx` in ASCII. It separates this lock from those of other programs in the same database. */
const schemaLock = `${0x55704578}, 1`;

const unknownTables =
  'has tables of another version: install the version that created them, or choose another database';

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
 * its rows. `transaction`, `system` and `timeline` record where a row was written. In a row from
 * a dump, `transaction` is not the transaction that wrote the row; after a restored backup or a
 * failover, the timeline differs. `past` is the reason why totals may be older than the ones
 * already shown.
 *
 * `leases` has the lease of each account, and `replicas` the processes that share them. The fence
 * and the lease have a row each, so that a renewal never waits for a commit.
 */
const leaseTables = `
  CREATE TABLE uptime_exporter.store (id uuid NOT NULL DEFAULT gen_random_uuid());
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
`;

/** The views are those of `src/store/sqlite/tables.ts`. */
const rowTables = `
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
  CREATE TABLE uptime_exporter.row (
    account text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    body text NOT NULL,
    crc text NOT NULL,
    PRIMARY KEY (account, kind, id)
  );
  CREATE TABLE uptime_exporter.horizon (
    account text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    part bigint NOT NULL,
    body text NOT NULL,
    crc text NOT NULL,
    PRIMARY KEY (account, kind, part)
  );
  CREATE VIEW uptime_exporter.item (account, kind, id, horizon, log) AS
  SELECT horizon.account, horizon.kind, (entry ->> 0)::bigint, (entry ->> 1)::float8, row.body::jsonb
  FROM uptime_exporter.horizon CROSS JOIN jsonb_array_elements(horizon.body::jsonb) AS entry
    LEFT JOIN uptime_exporter.row
    ON row.account = horizon.account AND row.kind = horizon.kind || ' log' AND row.id = (entry ->> 0)::bigint;
  CREATE VIEW uptime_exporter.span (account, kind, id, state, since, until) AS
  SELECT account, kind, id, state, since::float8, until::float8 FROM (
    SELECT account, kind, id, key, value AS state, lead(value, 1) OVER change AS since,
      lead(value, 3, horizon::text) OVER change AS until
    FROM uptime_exporter.item
      CROSS JOIN jsonb_array_elements_text(log -> 'changes') WITH ORDINALITY AS element (value, key)
    WINDOW change AS (PARTITION BY account, kind, id ORDER BY key)
  ) AS changes WHERE key % 2 = 1;
  CREATE VIEW uptime_exporter.down (account, kind, id, seconds) AS
  SELECT account, kind, id, sum(seconds) FROM (
    SELECT account, kind, id, greatest(0, until - greatest(since, horizon - 30 * 86400)) AS seconds
    FROM uptime_exporter.span JOIN uptime_exporter.item USING (account, kind, id) WHERE state = 'down'
    UNION ALL
    SELECT account, kind, id, (hour ->> 3)::float8
    FROM uptime_exporter.item CROSS JOIN jsonb_array_elements(log -> 'hours') AS hour
    WHERE (hour ->> 0)::float8 >= horizon - 30 * 86400
  ) AS parts GROUP BY account, kind, id;
`;

/**
 * Creates the tables if there are none, and resolves with the id of the store, which is random.
 * Rejects with a `StoreError` if the tables are those of another version.
 */
export async function prepareSchema(session: Session): Promise<string> {
  return inTransaction(session, async () => {
    await session.query(`SELECT pg_advisory_xact_lock(${schemaLock})`);
    const rows = await session.query(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'uptime_exporter'",
    );
    const existing = new Set(rows.map(({ tablename }) => tablename));
    if (existing.size === 0) await createTables(session);
    else if (!tables.every((table) => existing.has(table))) {
      throw new StoreError('refused', `the schema uptime_exporter ${unknownTables}`);
    }
    const [store] = await session.query('SELECT id FROM uptime_exporter.store');
    return String(store?.id);
  });
}

async function createTables(session: Session): Promise<void> {
  // Other servers with this protocol, such as Amazon Aurora, refuse it. Then no lease can be taken.
  await session.query(`SELECT ${here}`);
  await requireUtf8(session);
  // IF NOT EXISTS would need the right to create a schema, even if an administrator has created it.
  const [schema] = await session.query(
    "SELECT 1 FROM pg_namespace WHERE nspname = 'uptime_exporter'",
  );
  if (schema === undefined) await session.query('CREATE SCHEMA uptime_exporter');
  await session.query(leaseTables);
  await session.query(rowTables);
  await session.query('INSERT INTO uptime_exporter.store DEFAULT VALUES');
}

/**
 * In another encoding, an account is not stored as soon as a name has a character that the encoding
 * lacks. `SQL_ASCII` keeps bytes as they are.
 */
async function requireUtf8(session: Session): Promise<void> {
  const [row] = await session.query("SELECT current_setting('server_encoding') AS encoding");
  const encoding = String(row?.encoding);
  if (encoding === 'UTF8' || encoding === 'SQL_ASCII') return;
  throw new StoreError(
    'refused',
    `the database has the encoding ${encoding}, which lacks characters: create one with ENCODING 'UTF8'`,
  );
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

/** All rows of an account but those of months. */
export async function readRows(session: Session, account: string): Promise<StoredRow[]> {
  const all: StoredRow[] = [];
  for (const table of tables) {
    const rows = await session.query(
      `SELECT kind, ${idColumn[table]} AS id, body, crc FROM uptime_exporter.${table} WHERE account = $1 AND NOT starts_with(kind, '${monthKindPrefix}')`,
      [account],
    );
    for (const row of rows) all.push(storedRow(table, row));
  }
  return all;
}

/** Rows of months, in the order of their ids. */
export async function readMonthRows(session: Session, batch: MonthBatch): Promise<StoredRow[]> {
  const select = 'SELECT kind, id, body, crc FROM uptime_exporter.row WHERE account = $1 AND';
  const rows =
    'ids' in batch
      ? await session.query(`${select} kind = ANY($2) AND id = ANY($3) ORDER BY id`, [
          batch.account,
          batch.kinds,
          batch.ids,
        ])
      : await session.query(`${select} kind = $2 AND id > $3 ORDER BY id LIMIT $4`, [
          batch.account,
          batch.kind,
          batch.afterId,
          batch.most,
        ]);
  return rows.map((row) => storedRow('row', row));
}

function storedRow(
  table: RowKey['table'],
  { kind, id, body, crc }: Readonly<Record<string, unknown>>,
): StoredRow {
  const key = { table, kind: String(kind), id: Number(id) };
  return { ...key, body: Buffer.from(String(body)), crc: crcOfText(String(crc)) };
}

/** Deletes all rows of an account within the open transaction. */
export async function deleteAllRows(session: Session, account: string): Promise<void> {
  for (const table of tables) {
    await session.query(`DELETE FROM uptime_exporter.${table} WHERE account = $1`, [account]);
  }
}

/** Writes rows within the open transaction. */
export async function writeRows(
  session: Session,
  account: string,
  writes: readonly RowWrite[],
): Promise<void> {
  for (const table of tables) {
    const own = writes.filter((write) => write.table === table);
    await deleteRows(
      session,
      account,
      table,
      own.filter(({ body }) => body === null),
    );
    const put = own.filter(({ body }) => body !== null);
    for (let from = 0; from < put.length; from += rowsPerStatement) {
      await putRows(session, account, table, put.slice(from, from + rowsPerStatement));
    }
  }
}

async function deleteRows(
  session: Session,
  account: string,
  table: RowKey['table'],
  rows: readonly RowWrite[],
): Promise<void> {
  if (rows.length === 0) return;
  await session.query(
    `DELETE FROM uptime_exporter.${table} AS stored USING unnest($2::text[], $3::bigint[]) AS removed (kind, id)
     WHERE stored.account = $1 AND stored.kind = removed.kind AND stored.${idColumn[table]} = removed.id`,
    [account, rows.map(({ kind }) => kind), rows.map(({ id }) => id)],
  );
}

async function putRows(
  session: Session,
  account: string,
  table: RowKey['table'],
  rows: readonly RowWrite[],
): Promise<void> {
  const places = rows.map((_, row) => {
    const at = 4 * row + 2;
    return `($1, $${at}, $${at + 1}, $${at + 2}, $${at + 3})`;
  });
  const id = idColumn[table];
  await session.query(
    `INSERT INTO uptime_exporter.${table} (account, kind, ${id}, body, crc) VALUES ${places.join(', ')}
     ON CONFLICT (account, kind, ${id}) DO UPDATE SET body = excluded.body, crc = excluded.crc`,
    [account, ...rows.flatMap(({ kind, id, body, crc }) => [kind, id, body, crcText(crc)])],
  );
}
