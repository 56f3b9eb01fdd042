import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { missing } from '../support/tools.ts';
import { witnessCommits } from './support/commit-witness.ts';
import { builtExporter, Lab, type LabReplica } from './support/lab.ts';
import { atStatement } from './support/nemeses.ts';
import { planted } from './support/planted-faults.ts';
import { buildVariant } from './support/variants.ts';
import { lawsBroken } from './support/verdict.ts';

const fallenCounter = /fell from/;
const staleCommit = /has committed although/;

describe.skipIf(missing('initdb'))('exporters that share accounts', () => {
  test('refuse the commit of a replica that was stopped before it', async () => {
    expect(await commitOfAStoppedReplica(builtExporter)).toEqual([]);
    const unfenced = buildVariant(planted['no fence']);
    await expectBroken(staleCommit, () => commitOfAStoppedReplica(unfenced));
  });

  test('refuse it after a dump was restored, too', async () => {
    const withNumbers = buildVariant(planted['numbers in place of tokens']);
    expect(await commitAfterRestore(builtExporter)).toEqual([]);
    await expectBroken(staleCommit, () => commitAfterRestore(withNumbers));
  });

  test('serve nothing of an account whose lease is over', async () => {
    expect(await withoutDatabase(builtExporter)).toEqual([]);
    const serving = buildVariant(planted['serving after expiry']);
    await expectBroken(fallenCounter, () => withoutDatabase(serving));
  });

  test('lose no counter in a failover to a synchronous standby, and do to an asynchronous one', async () => {
    expect(await failoverWhilePaused({ isSynchronous: true, isPromised: true })).toEqual([]);
    await expectBroken(fallenCounter, () =>
      failoverWhilePaused({ isSynchronous: false, isPromised: true }),
    );
  });

  test('begin again at 0 after a failover, unless a synchronous standby was promised', async () => {
    expect(await failoverWhilePaused({ isSynchronous: false, isPromised: false })).toEqual([]);
  });
});

/**
 * The law must be broken in one of three lives. A busy machine can miss the moment of a fault, but
 * an exporter without the fault never breaks a law.
 */
async function expectBroken(law: RegExp, live: () => Promise<string[]>): Promise<void> {
  const problems: string[] = [];
  for (let lives = 0; lives < 3 && !problems.some((problem) => law.test(problem)); lives++) {
    problems.push(...(await live()));
  }
  expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(law)]));
}

/** A lab with one account, which one of the replicas holds and counts. */
async function oneAccount(
  main: string,
  replicas: number,
  isStandbyPromised = true,
): Promise<readonly [Lab, LabReplica]> {
  const lab = await Lab.start({ main, replicas, accounts: 1, isStandbyPromised });
  onTestFinished(() => lab.stop());
  const holder = await lab.holderOf('account1');
  await lab.until(
    'a first value',
    () => secondsOf(lab),
    (seconds) => seconds > 0,
  );
  await witnessCommits(lab);
  return [lab, holder];
}

/**
 * The sum of what is counted of the states of the account. With a fault, several replicas may serve
 * it; one that cannot commit stands still.
 */
function secondsOf(lab: Lab): number {
  const sums = lab
    .serversOf('account1')
    .map(({ latest }) =>
      [...(latest?.samples ?? [])]
        .filter(([sample]) => sample.startsWith('uptime_check_state_seconds_total'))
        .reduce((sum, [, value]) => sum + value, 0),
    );
  return Math.max(0, ...sums);
}

async function problemsAtTheEnd(lab: Lab): Promise<string[]> {
  const problems = await lawsBroken(lab);
  await lab.stop();
  return problems;
}

/**
 * The connections of the holder are cut while it has something to commit, and it is stopped when it
 * connects again: it resumes after another replica has taken the account, and sends its commit. Its
 * trust is not asked any more, and its session is not known: only the fence can refuse it.
 */
async function commitOfAStoppedReplica(main: string): Promise<string[]> {
  const [lab, holder] = await oneAccount(main, 2);
  await stopBeforeCommit(lab, holder);
  const other = await otherHolder(lab, holder);
  await lab.until('further values', () => secondsOf(lab), rising(secondsOf(lab)));
  lab.note(`${other.process.name} has committed`);
  holder.process.resume();
  await delay(4_000);
  return problemsAtTheEnd(lab);
}

/**
 * The same after a dump was restored from before the take of the stopped replica. If takes and
 * commits had numbers, those of the next holder would be the same: it is held at the very commit
 * that the stopped replica knows as the last one.
 */
async function commitAfterRestore(main: string): Promise<string[]> {
  const [lab, first] = await oneAccount(main, 2);
  const dump = await lab.pair.dump();
  await lab.terminate(first);
  first.process.start();
  const second = await otherHolder(lab, first);
  await lab.until('further values', () => secondsOf(lab), rising(secondsOf(lab)));
  await stopBeforeCommit(lab, second);
  const last = await lastCommit(lab);
  await lab.restore(() => dump({ endsSessions: false }));
  lab.note('restored');
  if (/^0+-/.test(last)) await heldAfter(first, last);
  else {
    await otherHolder(lab, second);
    await lab.until(
      'values',
      () => secondsOf(lab),
      (seconds) => seconds > 0,
    );
  }
  lab.note(`${first.process.name} has committed`);
  second.process.resume();
  await delay(4_000);
  first.database.heal();
  return problemsAtTheEnd(lab);
}

async function lastCommit(lab: Lab): Promise<string> {
  const [row] = await lab.pair.query(
    "SELECT commit FROM uptime_exporter.accounts WHERE account = 'account1'",
  );
  return String(row?.commit);
}

/** Holds the connections of a replica when it is about to replace this commit. */
function heldAfter({ database }: LabReplica, commit: string): Promise<void> {
  const digits = 12;
  const number = Number.parseInt(commit.slice(-digits), 16);
  const next = commit.slice(0, -digits) + (number + 1).toString(16).padStart(digits, '0');
  return new Promise((resolve) => {
    database.watch = (bytes, direction) => {
      if (direction !== 'to server' || !bytes.includes(next) || !bytes.includes(commit)) return;
      database.watch = undefined;
      database.hold(['to server']);
      resolve();
    };
  });
}

/**
 * The holder has no way to the database for longer than its lease, but to Prometheus and to the
 * service.
 */
async function withoutDatabase(main: string): Promise<string[]> {
  const [lab, holder] = await oneAccount(main, 2);
  holder.database.hold();
  await otherHolder(lab, holder);
  await lab.until('further values', () => secondsOf(lab), rising(secondsOf(lab)));
  await delay(1_000);
  holder.database.heal({ isLost: true });
  await delay(2_000);
  return problemsAtTheEnd(lab);
}

/**
 * The standby receives nothing for a while, and then the primary fails. Nobody can ask the service
 * again for what was counted meanwhile, and so the totals that are served are those of the
 * database.
 */
async function failoverWhilePaused({
  isSynchronous,
  isPromised,
}: {
  readonly isSynchronous: boolean;
  readonly isPromised: boolean;
}): Promise<string[]> {
  const [lab] = await oneAccount(builtExporter, 2, isPromised);
  if (!isSynchronous) await lab.pair.forgetTheStandby();
  lab.pair.pauseStandby();
  const before = secondsOf(lab);
  if (isSynchronous) await delay(8_000);
  else await lab.until('further values', () => secondsOf(lab), rising(before));
  for (const link of lab.account('account1').links.values()) link.refuse();
  if (!isPromised) lab.allowReset();
  const takesBefore = lab.takes;
  await lab.pair.failOver();
  lab.note('failed over');
  // The lease was renewed after the standby had received anything, and so is lost.
  await lab.until(
    'another take',
    () => lab.takes,
    (takes) => takes > takesBefore,
  );
  await delay(3_000);
  return problemsAtTheEnd(lab);
}

function rising(before: number): (seconds: number) => boolean {
  return (seconds) => seconds > before + 1;
}

/**
 * Stops the holder with a commit that it has not begun, and a session that its lease does not know.
 */
async function stopBeforeCommit(lab: Lab, holder: LabReplica): Promise<void> {
  for (;;) {
    await lab.account('account1').nextRequest(/\/checks$/);
    holder.database.cut();
    // So begins a new session for commits: it ends the former one.
    const isStopped = await atStatement(holder, 'pg_terminate_backend', () =>
      holder.process.suspend(),
    );
    lab.note(isStopped ? `${holder.process.name} is stopped` : 'there was no commit');
    if (isStopped) return;
  }
}

async function otherHolder(lab: Lab, former: LabReplica): Promise<LabReplica> {
  const [other] = await lab.until(
    'another holder',
    () => lab.serversOf('account1').filter((replica) => replica !== former),
    (servers) => servers.length === 1,
  );
  if (other === undefined) throw new Error('impossible');
  return other;
}
