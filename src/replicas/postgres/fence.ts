import type { CommitOutcome } from '../../store/record-backend.ts';
import { here } from './schema.ts';
import type { Row, Session } from './session.ts';

/**
 * The fencing tokens of an account that this process owns. They are random, so a restored dump
 * cannot contain the current ones.
 */
export interface Fence {
  /** That of the lease. */
  readonly epoch: string;
  /** The id of the last commit. */
  readonly commit: string;
  /** The ids of later commits whose outcome is unknown. */
  readonly sent: string[];
}

/** The outcome of a commit whose fence has another epoch or another last commit in the database. */
export async function fencedOff(
  session: Session,
  account: string,
  fence: Fence,
): Promise<CommitOutcome> {
  const [row] = await session.query(
    'SELECT owner, epoch FROM uptime_exporter.accounts WHERE account = $1',
    [account],
  );
  await session.query('ROLLBACK');
  return row?.epoch === fence.epoch
    ? { kind: 'unknown', why: 'the last commit in the database is not the one that is known' }
    : { kind: 'fenced', owner: String(row?.owner ?? 'nobody') };
}

/**
 * SQL that tells whether all later acknowledged writes of the row are in this database, as far as
 * failovers are concerned.
 */
export function isHere(
  row: string,
  { synchronousStandby }: { readonly synchronousStandby: boolean },
): string {
  return synchronousStandby
    ? `${row}.system = (SELECT system_identifier FROM pg_control_system())`
    : `(${row}.system, ${row}.timeline) = (${here})`;
}

/** Why the totals may be older than the ones already shown; undefined if they are current. */
export function pastOf(
  { past, commit, is_original, is_here }: Row,
  known: Fence | undefined,
): string | undefined {
  if (typeof past === 'string') return past;
  if (is_original !== true) return 'the database was restored from a dump';
  if (is_here !== true) return 'the database was restored, or a standby has taken over';
  const isMissing = known !== undefined && ![known.commit, ...known.sent].includes(String(commit));
  return isMissing ? 'the database has lost commits that it had acknowledged' : undefined;
}
