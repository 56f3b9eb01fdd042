import type { Lab } from './lab.ts';

/** A change of the fence of an account, in the order in which the database made them. */
interface FenceChange {
  readonly replica: string;
  /** True if the change has a new epoch: the replica has taken the account. */
  readonly isTake: boolean;
  /** Monotonic milliseconds of the tests. */
  readonly at: number;
}

/** The database notes every change of a fence from now on, and which session made it. */
export async function witnessCommits(lab: Lab): Promise<void> {
  await lab.pair.query(`
    CREATE SCHEMA witness;
    GRANT USAGE ON SCHEMA witness TO uptime;
    CREATE TABLE witness.changes (place bigserial, account text, is_take boolean, port integer, at timestamptz);
    CREATE FUNCTION witness.note() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO witness.changes (account, is_take, port, at)
        VALUES (NEW.account, TG_OP = 'INSERT' OR NEW.epoch <> OLD.epoch, inet_client_port(), clock_timestamp());
        RETURN NEW;
      END $$;
    CREATE TRIGGER witness AFTER INSERT OR UPDATE ON uptime_exporter.accounts FOR EACH ROW EXECUTE FUNCTION witness.note();
  `);
}

/** The changes that the trigger has recorded, in their order. */
export async function witnessedChanges(lab: Lab, account: string): Promise<FenceChange[]> {
  const rows = await lab.pair.query(
    `SELECT is_take, port, extract(epoch FROM at)::float8 * 1000 AS at
     FROM witness.changes WHERE account = '${account}' ORDER BY place`,
  );
  return rows.map(({ is_take, port, at }) => ({
    replica: replicaAt(lab, Number(port)),
    isTake: is_take === true,
    at: Number(at) - performance.timeOrigin,
  }));
}

/** Only the replica that took an account last may change its fence. */
export function fenceProblems(changes: readonly FenceChange[]): string[] {
  const problems: string[] = [];
  let holder: string | undefined;
  for (const { replica, isTake } of changes) {
    if (isTake) holder = replica;
    holder ??= replica;
    if (replica === holder) continue;
    problems.push(`${replica} has committed although ${holder} had taken the account`);
  }
  return problems;
}

function replicaAt(lab: Lab, port: number): string {
  const found = lab.replicas.findLast(({ database }) => database.ports.has(port));
  return found?.process.name ?? `port ${port}`;
}
