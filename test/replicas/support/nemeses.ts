import { setTimeout as delay } from 'node:timers/promises';
import type { Lab, LabReplica } from './lab.ts';
import type { Direction, Link } from './link.ts';

/** Draws from the seed. */
export interface Draw {
  /** In [from, to). */
  between(from: number, to: number): number;
  isHeads(): boolean;
  of<T>(values: readonly T[]): T;
}

/** One failure of the database, from its beginning until it is over. */
export type Nemesis = (lab: Lab, draw: Draw) => Promise<void>;

/** One failure of a replica, or of its network. */
type ReplicaNemesis = (lab: Lab, draw: Draw, replica: LabReplica) => Promise<void>;

export const replicaNemeses: Record<string, ReplicaNemesis> = {
  'killed and started again': async (lab, draw, { process }) => {
    lab.note(`kill ${process.name}`);
    await process.kill();
    await delay(draw.between(0, 1.5 * lab.ttlMilliseconds));
    process.start();
  },
  stopped: (lab, draw, replica) => stopped(lab, replica, long(lab, draw)),
  'stopped in a commit': async (lab, draw, replica) => {
    const milliseconds = long(lab, draw);
    if (await atCommit(replica, () => replica.process.suspend())) {
      await stopped(lab, replica, milliseconds);
    }
  },
  'killed before a commit arrives': (lab, draw, replica) =>
    killedInCommit(lab, draw, replica, 'to server'),
  'killed before a commit is acknowledged': (lab, draw, replica) =>
    killedInCommit(lab, draw, replica, 'to client'),
  'a commit arrives late': (lab, draw, replica) => heldInCommit(lab, draw, replica, ['to server']),
  'the answer to a commit is lost': (lab, draw, replica) =>
    heldInCommit(lab, draw, replica, ['to client']),
  'the machine sleeps': async (lab, draw, { process }) => {
    const milliseconds = long(lab, draw);
    lab.note(`the machine of ${process.name} sleeps for ${Math.round(milliseconds)} ms`);
    await process.sleep(milliseconds);
    lab.note(`the machine of ${process.name} is awake`);
  },
  'the wall clock jumps': async (lab, draw, { process }) => {
    const seconds = draw.between(-7_200, 7_200);
    lab.note(`the clock of ${process.name} jumps by ${Math.round(seconds)} s`);
    await process.jump(seconds * 1_000);
    await delay(draw.between(0, 2 * lab.ttlMilliseconds));
    await process.setRight();
    lab.note(`the clock of ${process.name} is right`);
  },
  'no way to the database': async (lab, draw, replica) => {
    const directions = draw.of<readonly Direction[]>([
      ['to server', 'to client'],
      ['to server'],
      ['to client'],
    ]);
    await held(lab, draw, {
      what: `${replica.process.name} and the database, ${directions.join(' and ')}`,
      links: [replica.database],
      directions,
      isLost: draw.isHeads(),
    });
  },
  'connections to the database are refused': async (lab, draw, { process, database }) => {
    lab.note(`the database refuses ${process.name}`);
    database.refuse();
    await delay(long(lab, draw));
    database.heal();
    lab.note(`the database accepts ${process.name}`);
  },
  'the database is slow': async (lab, draw, { process, database }) => {
    const milliseconds = draw.between(20, 300);
    lab.note(`the database is slow for ${process.name}: ${Math.round(milliseconds)} ms`);
    database.delayMilliseconds = milliseconds;
    await delay(long(lab, draw));
    database.heal();
  },
  'no way to the service': async (lab, draw, { process }) => {
    await held(lab, draw, {
      what: `${process.name} and the service`,
      links: linksToService(lab, process.name),
      directions: ['to server', 'to client'],
      isLost: true,
    });
  },
  'the service is slow': async (lab, draw, { process }) => {
    const links = linksToService(lab, process.name);
    lab.note(`the service is slow for ${process.name}`);
    for (const link of links) link.delayMilliseconds = draw.between(20, 400);
    await delay(long(lab, draw));
    for (const link of links) link.heal();
  },
  'ended and started again': async (lab, _, replica) => {
    lab.note(`restart ${replica.process.name}`);
    await lab.terminate(replica);
    replica.process.start();
    await lab.until(
      `a page of ${replica.process.name}`,
      () => replica.latest,
      (latest) => latest !== undefined,
    );
  },
  'reloaded without an account for a while': async (lab, draw, { process, latest }) => {
    // The signal ends a process that has only begun.
    if (latest === undefined) return;
    const account = draw.of(lab.accounts);
    lab.note(`${process.name} is configured without ${account.name}`);
    await lab.configure(process.name, [account]);
    process.reload();
    await delay(long(lab, draw));
    await lab.configure(process.name);
    process.reload();
    lab.note(`${process.name} is configured with ${account.name}`);
  },
};

/** Failures of the database. */
export const databaseNemeses: Record<string, Nemesis> = {
  'the primary fails over, and goes on for some': async (lab, draw) => {
    lab.note('the standby is promoted, and the former primary goes on');
    const late = new Set(lab.replicas.filter(() => draw.isHeads()));
    await lab.failOverLate(late, () => delay(long(lab, draw)));
    await lab.pair.settled();
    lab.note('there is a new standby');
  },
  'the primary fails over': async (lab) => {
    lab.note('the primary fails, the standby is promoted');
    await lab.pair.failOver();
    await lab.pair.settled();
    lab.note('there is a new standby');
  },
  'the standby is paused': async (lab, draw) => {
    lab.note('the standby is paused');
    lab.pair.pauseStandby();
    await delay(long(lab, draw));
    lab.pair.resumeStandby();
    lab.note('the standby goes on');
    await lab.pair.settled();
  },
  'the primary crashes and starts again': async (lab, draw) => {
    lab.note('the primary crashes');
    await lab.pair.restartPrimary(() => delay(draw.between(0, lab.ttlMilliseconds)));
    await lab.pair.settled();
    lab.note('the primary runs again');
  },
  'all sessions are ended': async (lab) => {
    lab.note('all sessions are ended');
    await lab.pair.endSessions();
  },
};

/** Up to longer than until another replica takes over, and often shorter than a margin. */
function long(lab: Lab, draw: Draw): number {
  const { ttlMilliseconds: ttl, marginMilliseconds: margin } = lab;
  return draw.isHeads() ? draw.between(0, ttl) : draw.between(ttl, ttl + 6 * margin);
}

/** A replica that serves an account, if one does that has not failed. */
export function aHolder(lab: Lab, draw: Draw, failing: ReadonlySet<LabReplica>): LabReplica {
  const account = draw.of(lab.accounts).name;
  const others = lab.replicas.filter((replica) => !failing.has(replica));
  const other = draw.of(others);
  return lab.serversOf(account).find((server) => others.includes(server)) ?? other;
}

function linksToService(lab: Lab, replica: string): Link[] {
  return lab.accounts.flatMap(({ links }) => links.get(replica) ?? []);
}

async function stopped(lab: Lab, { process }: LabReplica, milliseconds: number): Promise<void> {
  lab.note(`stop ${process.name} for ${Math.round(milliseconds)} ms`);
  process.suspend();
  await delay(milliseconds);
  process.resume();
  lab.note(`${process.name} goes on`);
}

/**
 * Acts when a replica sends its next commit, before the database has it. Resolves with whether
 * there was one in time.
 */
function atCommit(replica: LabReplica, act: () => void): Promise<boolean> {
  return atStatement(replica, 'COMMIT', act);
}

/** The same for any statement that has this text. */
export function atStatement(
  { database }: LabReplica,
  text: string,
  act: () => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isDone: boolean) => {
      clearTimeout(timer);
      database.watch = undefined;
      resolve(isDone);
    };
    const timer = setTimeout(() => end(false), 10_000);
    database.watch = (bytes, direction) => {
      if (direction !== 'to server' || !bytes.includes(text)) return;
      act();
      end(true);
    };
  });
}

async function killedInCommit(
  lab: Lab,
  draw: Draw,
  replica: LabReplica,
  direction: Direction,
): Promise<void> {
  const { process, database } = replica;
  const [waits, restarts] = [draw.between(0, 2_000), draw.between(0, lab.ttlMilliseconds)];
  if (!(await atCommit(replica, () => database.hold([direction])))) return;
  await delay(waits);
  lab.note(`kill ${process.name}, its commit is held ${direction}`);
  await process.kill();
  database.heal({ isLost: draw.isHeads() });
  await delay(restarts);
  process.start();
}

async function heldInCommit(
  lab: Lab,
  draw: Draw,
  replica: LabReplica,
  directions: readonly Direction[],
): Promise<void> {
  const [milliseconds, isLost] = [long(lab, draw), draw.isHeads()];
  if (!(await atCommit(replica, () => replica.database.hold(directions)))) return;
  lab.note(`hold a commit of ${replica.process.name} ${directions.join(' and ')}`);
  await delay(milliseconds);
  replica.database.heal({ isLost });
  lab.note(`the commit of ${replica.process.name} ${isLost ? 'is lost' : 'goes on'}`);
}

async function held(
  lab: Lab,
  draw: Draw,
  {
    what,
    links,
    directions,
    isLost,
  }: {
    readonly what: string;
    readonly links: readonly Link[];
    readonly directions: readonly Direction[];
    readonly isLost: boolean;
  },
): Promise<void> {
  lab.note(`no way between ${what}`);
  for (const link of links) link.hold(directions);
  await delay(long(lab, draw));
  for (const link of links) link.heal({ isLost });
  lab.note(`a way between ${what}`);
}
