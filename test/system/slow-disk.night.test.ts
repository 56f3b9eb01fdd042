import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { unixSeconds } from '../../src/lib/clock.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import type { Samples } from '../support/counter-watch.ts';
import {
  addressOf,
  expectTheTruthOf,
  type Lane,
  laneAt,
  runThrough,
  startScaled,
  startUnrulyAccount,
} from '../support/scaled-life.ts';
import { missing, toolPath } from '../support/tools.ts';

/**
 * The speed of the exporters' time and of their disks. At this one a process that stands still for
 * two seconds still shows a list before the next one.
 */
const speed = 10;
const minute = 60;
/** So many scrapes between two lists tell that the machine let the exporter run. */
const leastScrapes = 10;
/** How long each exporter serves before it is killed, in seconds of its time. */
const livesSeconds = [7 * minute, 2 * minute];
/**
 * An exporter may miss this many more lists than on the fast disk, because other programs sometimes
 * use the processor.
 */
const toleratedMisses = 1;

/** The effect of strace on calls of fsync; delays are in the exporter's time. */
const disks = {
  /** Shows how many lists this machine can read. */
  fast: undefined,
  'half a second': slowBy(0.5),
  'two seconds': slowBy(2),
  'failing now and then': 'error=EIO:when=12+5',
  'failing for a while': 'error=EIO:when=40..68',
} as const;

/** Microseconds. */
function slowBy(seconds: number): string {
  return `delay_exit=${(seconds * 1e6) / speed}`;
}

interface Scrape {
  /** UNIX seconds before it was requested. */
  readonly at: number;
  readonly samples: Samples;
}

interface Life {
  readonly scrapes: readonly Scrape[];
  /** The times of check lists; UNIX seconds. */
  readonly lists: readonly number[];
  /** The time of the kill; UNIX seconds. */
  readonly end: number;
  readonly output: string;
}

/** A lane with its own simulated service, so that its lists can be counted. */
async function startLane(number: number, fault: string | undefined, since: number) {
  const { clock, sandbox } = await startUnrulyAccount(since, speed);
  const trace = join(await temporaryFolder(), 'trace');
  // With -D the exporter is the child of the test, so that a signal reaches it.
  const strace = () => [
    ...[toolPath('strace'), '-D', '-f', '--seccomp-bpf', '-qq', '-A', '-o', trace],
    ...['-e', 'trace=fsync,fdatasync', '-e', `inject=fsync,fdatasync:${fault}`],
  ];
  const lane: Lane = {
    ...(await laneAt(number, await temporaryFolder(), sandbox.url)),
    under: fault === undefined ? [] : strace(),
    speed,
    sleepsFaster: true,
  };
  return { lane, sandbox, trace, now: () => unixSeconds(clock) };
}

type RunningLane = Awaited<ReturnType<typeof startLane>>;

/**
 * Starts the exporter, scrapes it repeatedly, and kills it. While its writes fail it lives on: how
 * many it makes in a minute depends on the machine.
 */
async function liveAndBeKilled(
  { lane, sandbox, now }: RunningLane,
  seconds: number,
  since: number,
): Promise<Life> {
  const child = startScaled(lane, since);
  const address = await addressOf(child);
  const from = now();
  const scrapes: Scrape[] = [];
  const isFailing = () => failingOf(scrapes.at(-1)) === 1;
  while (now() < from + seconds || isFailing()) {
    const at = now();
    const { body } = await request(`${address}/metrics`);
    scrapes.push({ at, samples: lane.watch.scraped(await body.text()) });
    await delay(100);
  }
  child.process.kill('SIGKILL');
  expect(await child.ended).toBe('SIGKILL');
  const lists = sandbox.journal.recent
    .filter(({ operation, time }) => operation === 'list_checks' && time >= from * 1000)
    .map(({ time }) => time / 1000);
  return { scrapes, lists, end: now(), output: child.output() };
}

/** 1 while an outage of the check is open; undefined before its first. */
function openOutageOf(id: number, samples: Samples): number | undefined {
  return [...samples].find(
    ([name]) => name.startsWith('uptime_check_outage_open{') && name.includes(`check_id="${id}"`),
  )?.[1];
}

/**
 * The starts and ends of outages that a list shows. Each must be on the page before the next list
 * is read. Those of lists after which a busy machine left no time to look are left out.
 */
function changesShownBy({ sandbox }: RunningLane, { lists, scrapes }: Life) {
  const [first = 0, last = first] = [lists[0], lists.at(-1)];
  const wasSeen = (list: number, nextList: number) =>
    scrapes.filter(({ at }) => at > list && at < nextList).length >= leastScrapes;
  return sandbox.world.checks.flatMap(({ id, ...check }) => {
    const edges = sandbox.history
      .segments({ id, ...check }, first, last, last)
      .filter(({ status }) => status === 'down')
      .flatMap(({ from, to }) => [
        { at: from, open: 1 },
        { at: to, open: 0 },
      ]);
    return edges.flatMap(({ at, open }, place) => {
      // The test after the first one confirms it.
      const shownBy = lists.findIndex((list) => list >= at + minute);
      const [list, nextList] = [lists[shownBy], lists[shownBy + 1]];
      const until = edges[place + 1]?.at ?? last;
      if (list === undefined || nextList === undefined || nextList > until) return [];
      return wasSeen(list, nextList) ? [{ id, open, at, nextList }] : [];
    });
  });
}

function expectOutagesOnTime(running: RunningLane, life: Life): void {
  const changes = changesShownBy(running, life);
  const shown = changes.map((change) => {
    const page = life.scrapes.findLast(({ at }) => at < change.nextList)?.samples;
    return { ...change, open: page && openOutageOf(change.id, page) };
  });
  expect(shown).toEqual(changes);
}

/** The minutes of a life without a list. */
function missedLists({ lists, end }: Life): number {
  const minutes = Math.floor((end - (lists[0] ?? end)) / minute);
  return Math.max(0, minutes - lists.length);
}

function errorsOf(life: Life | undefined): number | undefined {
  return life?.scrapes.at(-1)?.samples.get('uptime_exporter_store_errors_total');
}

function failingOf(scrape: Scrape | undefined): number | undefined {
  return scrape?.samples.get('uptime_exporter_store_failing');
}

/** Nothing is lost silently: while writes fail, /metrics and the log report it. */
function expectFailuresReported(life: Life): void {
  const { scrapes, output } = life;
  expect(errorsOf(life)).toBeGreaterThan(0);
  const failing = scrapes.map(failingOf);
  expect(failing).toContain(1);
  expect(failing.at(-1)).toBe(0);
  expect(output).toMatch(/level=error .*store write failed/);
  expect(output).toContain('store recovered');
}

async function faultsOf({ trace }: RunningLane): Promise<number> {
  const text = await readFile(trace, 'utf8');
  return text.match(/\((?:DELAYED|INJECTED)\)/g)?.length ?? 0;
}

test.skipIf(missing('strace'))(
  'on disks whose fsync takes 0.5 or 2 s, or fails, lists are read and outages shown as on a fast one, and after a kill all agree with the service',
  async () => {
    const since = Date.now();
    const lanes = await Promise.all(
      Object.values(disks).map((fault, number) => startLane(number, fault, since)),
    );
    const lives = await Promise.all(
      lanes.map(async (running) => {
        const lived: Life[] = [];
        for (const seconds of livesSeconds) {
          lived.push(await liveAndBeKilled(running, seconds, since));
        }
        return lived;
      }),
    );
    const killed = Math.max(...lanes.map(({ now }) => now()));
    await Promise.all(lanes.map(({ lane }) => runThrough(killed, lane, since)));
    const now = Math.max(...lanes.map((running) => running.now()));
    await Promise.all(lanes.map(({ sandbox }) => sandbox.close()));

    for (const [place, [disk, fault]] of Object.entries(disks).entries()) {
      const [running, lived] = [lanes[place], lives[place]];
      if (running === undefined || lived === undefined) throw new Error(`${disk}: no lane`);
      if (fault !== undefined) expect(await faultsOf(running)).toBeGreaterThan(10);
      for (const [number, life] of lived.entries()) {
        const fast = lives[0]?.[number] ?? life;
        expect(missedLists(life)).toBeLessThanOrEqual(missedLists(fast) + toleratedMisses);
        expectOutagesOnTime(running, life);
      }
      const [first] = lived;
      if (first === undefined) throw new Error(`${disk}: no life`);
      expect(changesShownBy(running, first).length).toBeGreaterThan(3);
      if (disk === 'failing for a while') expectFailuresReported(first);
      // A write that fails is tried again at once.
      if (disk === 'failing now and then') expect(errorsOf(first)).toBeLessThan(3);
      await expectTheTruthOf(running.lane, running.sandbox, { since, now, sinceSeconds: killed });
    }
  },
);
