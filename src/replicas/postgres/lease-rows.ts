import { present } from '../../lib/present.ts';
import type { Claim } from '../leases/held-leases.ts';
import type {
  Lease,
  LeaseTokens,
  Renewal,
  Replica,
  SeenReplica,
  SessionKey,
} from '../leases/lease.ts';
import { here, isOriginal } from './schema.ts';
import type { Row, Session } from './session.ts';

const where = `transaction = pg_current_xact_id(), (system, timeline) = (${here})`;

interface Take {
  readonly account: string;
  readonly tokens: LeaseTokens;
  readonly replica: Replica;
  /** Undefined for a lease that was never taken, or was released. */
  readonly claim: Claim | undefined;
  readonly isPlaceTrusted: string;
}

/**
 * Takes the lease in the open transaction, if it is free or has the claimed tokens. Resolves with
 * its number; undefined if another replica has it.
 */
export async function takeLease(session: Session, take: Take): Promise<number | undefined> {
  const { account, tokens, replica, claim, isPlaceTrusted } = take;
  const [row] = await session.query(
    `INSERT INTO uptime_exporter.leases AS lease
       VALUES ($1, $2, $3, 1, now(), false, $4, $5, $6, $7, $8, pg_current_xact_id(), ${here})
     ON CONFLICT (account) DO UPDATE SET
       epoch = excluded.epoch, renewal = excluded.renewal, number = lease.number + 1, since = now(), is_released = false,
       replica = excluded.replica, name = excluded.name, url = excluded.url,
       session_pid = excluded.session_pid, session_started_at = excluded.session_started_at,
       transaction = excluded.transaction, system = excluded.system, timeline = excluded.timeline
     WHERE (lease.epoch = $9 AND lease.renewal = $10)
       OR lease.epoch = excluded.epoch
       OR (lease.is_released AND ${isPlaceTrusted} AND ${isOriginal('lease')})
     RETURNING number`,
    [
      account,
      tokens.epoch,
      tokens.renewal,
      replica.id,
      replica.name,
      replica.url ?? null,
      session.key.pid,
      session.key.startedAt,
      claim?.epoch ?? null,
      claim?.renewal ?? null,
    ],
  );
  return row === undefined ? undefined : Number(row.number);
}

/** Releases the lease, unless another replica has taken it. */
export async function releaseLease(
  session: Session,
  account: string,
  epoch: string,
): Promise<void> {
  await session.query(
    `UPDATE uptime_exporter.leases SET is_released = true, since = now(), ${where}
     WHERE account = $1 AND epoch = $2`,
    [account, epoch],
  );
}

/** Renews leases. Resolves with the accounts that had one of the known tokens. */
export async function renewLeases(
  session: Session,
  renewals: readonly Renewal[],
  { pid, startedAt }: SessionKey,
): Promise<readonly string[]> {
  if (renewals.length === 0) return [];
  const rows = renewals.flatMap(({ account, epoch, known, next }) =>
    known.map((token) => ({ account, epoch, token, next })),
  );
  const renewed = await session.query(
    `UPDATE uptime_exporter.leases SET renewal = renewed.next, session_pid = $5, session_started_at = $6, ${where}
     FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::uuid[]) AS renewed (account, epoch, token, next)
     WHERE leases.account = renewed.account COLLATE "C" AND leases.epoch = renewed.epoch
       AND leases.renewal = renewed.token AND NOT leases.is_released
     RETURNING leases.account`,
    [
      rows.map(({ account }) => account),
      rows.map(({ epoch }) => epoch),
      rows.map(({ token }) => token),
      rows.map(({ next }) => next),
      pid,
      startedAt,
    ],
  );
  return renewed.map(({ account }) => String(account));
}

/**
 * Leaves a token for the holder of the lease. The row of a dump or of a failed server stays
 * recognizable: nothing says that its holder is still the same.
 */
export async function callHolder(session: Session, account: string, token: string): Promise<void> {
  await session.query(
    `UPDATE uptime_exporter.leases AS lease SET call = $2,
       transaction = CASE WHEN ${isOriginal('lease')} THEN pg_current_xact_id() ELSE lease.transaction END
     WHERE account = $1`,
    [account, token],
  );
}

/** Registers a replica with a new token, and deletes the rows of dead ones. */
export async function registerReplica(
  session: Session,
  { id, name, url }: Replica,
  token: string,
  dead: readonly string[],
): Promise<void> {
  await session.query(
    `INSERT INTO uptime_exporter.replicas VALUES ($1, $2, $3, $4)
     ON CONFLICT (replica) DO UPDATE SET token = excluded.token, name = excluded.name, url = excluded.url`,
    [id, token, name, url ?? null],
  );
  if (dead.length === 0) return;
  await session.query('DELETE FROM uptime_exporter.replicas WHERE replica = ANY ($1::uuid[])', [
    dead,
  ]);
}

export async function removeReplica(session: Session, { id }: Replica): Promise<void> {
  await session.query('DELETE FROM uptime_exporter.replicas WHERE replica = $1', [id]);
}

export async function readLeases(
  session: Session,
  isPlaceTrusted: string,
): Promise<readonly Lease[]> {
  const rows = await session.query(
    `SELECT account, epoch, renewal, number, extract(epoch FROM since)::float8 AS since, is_released, replica, name, url,
       session_pid, session_started_at::text AS session_started_at, call, ${isOriginal('lease')} AS is_original, ${isPlaceTrusted} AS is_here
     FROM uptime_exporter.leases AS lease`,
  );
  return rows.map((row) => ({
    account: String(row.account),
    epoch: String(row.epoch),
    renewal: String(row.renewal),
    number: Number(row.number),
    sinceSeconds: Number(row.since),
    isReleased: row.is_released === true,
    isCurrent: row.is_original === true && row.is_here === true,
    holder: replicaOf(row),
    session: { pid: Number(row.session_pid), startedAt: String(row.session_started_at) },
    ...present({ call: typeof row.call === 'string' ? row.call : undefined }),
  }));
}

export async function readReplicas(session: Session): Promise<readonly SeenReplica[]> {
  const rows = await session.query(
    'SELECT replica, token, name, url FROM uptime_exporter.replicas',
  );
  return rows.map((row) => ({ ...replicaOf(row), token: String(row.token) }));
}

function replicaOf({ replica, name, url }: Row): Replica {
  return {
    id: String(replica),
    name: String(name),
    ...present({ url: typeof url === 'string' ? url : undefined }),
  };
}
