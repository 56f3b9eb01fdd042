import type { Lab } from './lab.ts';

/** A change of the fence of an account, in the order in which the database made them. */
export interface FenceChange {
  readonly replica: string;
  /** It has another epoch than before: the replica has taken the account. */
  readonly isTake: boolean;
}

/** The database notes every change of a fence, and which session made it. */
export async function witnessCommits(lab: Lab): Promise<void> {
  await lab.pair.query(`
    CREATE SCHEMA witness;
    GRANT USAGE ON SCHEMA witness TO uptime;
    CREATE TABLE witness.changes (place bigserial, account text, is_take boolean, port integer);
    CREATE FUNCTION witness.note() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO witness.changes (account, is_take, port)
        VALUES (NEW.account, TG_OP = 'INSERT' OR NEW.epoch <> OLD.epoch, inet_client_port());
        RETURN NEW;
      END $$;
    CREATE TRIGGER witness AFTER INSERT OR UPDATE ON uptime_exporter.accounts FOR EACH ROW EXECUTE FUNCTION witness.note();
  `);
}

/** Only the replica that took an account last may change its fence. */
export async function commitProblems(lab: Lab): Promise<string[]> {
  const problems: string[] = [];
  for (const { name } of lab.accounts) {
    const rows = await lab.pair.query(
      `SELECT is_take, port FROM witness.changes WHERE account = '${name}' ORDER BY place`,
    );
    const changes = rows.map(({ is_take, port }) => ({
      replica: replicaAt(lab, Number(port)),
      isTake: is_take === true,
    }));
    problems.push(...fenceProblems(changes).map((problem) => `${name}: ${problem}`));
  }
  return problems;
}

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
