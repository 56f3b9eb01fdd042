import { expect } from 'vitest';
import { unixSeconds } from '../../src/lib/clock.ts';
import { present } from '../../src/lib/present.ts';
import { hashUnit } from '../../src/lib/random.ts';
import { releaseAll } from '../replicas/support/open-postgres.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import {
  configure,
  expectTheTruthOf,
  type Lane,
  laneAt,
  runThrough,
  scale,
  scrapeUntilEnd,
  startScaled,
  startUnrulyAccount,
} from './scaled-life.ts';

/** SEED=n draws other writes. */
const seed = Number(process.env.SEED ?? 1);

interface KillOptions {
  /** The command that runs each lane. */
  readonly under?: (lane: number) => readonly string[];
  /** The database URL of each lane; by default it stores in a folder. */
  readonly databases?: readonly string[];
  /** The speed of the lanes' time relative to real time. */
  readonly speed?: number;
  /** Called when all lanes have ended, before they are compared with the service. */
  readonly ended?: () => Promise<void>;
}

/** Writes until a kill: at most `most`, and most of them few. */
function writesUntilKill(most: number, ...draw: readonly number[]): number {
  return Math.ceil(most ** hashUnit(seed, ...draw));
}

async function killAgainAndAgain(
  { lane, kills }: { readonly lane: Lane; readonly kills: number },
  url: string,
  since: number,
): Promise<number> {
  let reloads = 0;
  for (let kill = 0; kill < kills; kill++) {
    // One in five is killed at any write since its start, perhaps before it serves.
    const isKilledUnseen = hashUnit(seed, lane.number, kill, 0) < 0.2;
    const writes = writesUntilKill(300, lane.number, kill, 1);
    const child = startScaled(lane, since, isKilledUnseen ? `${writes},start` : `${writes}`);
    const scraping = scrapeUntilEnd(child, lane.watch);
    if (!isKilledUnseen) {
      await scraping.first;
      await configure(lane, url, 1 + (kill % 8));
      // The others are killed during the reload if they write enough in it.
      const isKilledAfterReload = kill % 4 === 0;
      if (!isKilledAfterReload) child.process.kill('SIGUSR2');
      child.process.kill('SIGHUP');
      if (isKilledAfterReload) {
        await child.until(/configuration reloaded/);
        child.process.kill('SIGUSR2');
      }
    }
    expect(await child.ended, child.output().slice(-2_000)).toBe('SIGKILL');
    if (lane.database !== undefined) await releaseAll(lane.database);
    await scraping.end;
    expect(child.output()).not.toContain('set aside');
    if (child.output().includes('configuration reloaded')) reloads += 1;
  }
  return reloads;
}

/**
 * Runs exporters with separate stores at the same time. Each is killed this often, at random
 * writes and during reloads. No counter steps back, and in the end all agree with the service.
 * Resolves with the number of reloads that ended before a kill.
 */
export async function expectTheTruthAfterKills(
  lanes: number,
  kills: number,
  { under = () => [], databases, speed = scale, ended = async () => {} }: KillOptions = {},
): Promise<number> {
  const since = Date.now();
  const { clock, sandbox } = await startUnrulyAccount(since, speed);
  const all: readonly Lane[] = await Promise.all(
    Array.from({ length: lanes }, async (_, number) => ({
      ...(await laneAt(number, await temporaryFolder(), sandbox.url)),
      under: under(number),
      ...present({ database: databases?.[number] }),
      speed,
    })),
  );
  const reloads = await Promise.all(
    all.map((lane) => killAgainAndAgain({ lane, kills }, sandbox.url, since)),
  );
  const killed = unixSeconds(clock);
  await Promise.all(all.map((lane) => runThrough(killed, lane, since)));
  const now = unixSeconds(clock);
  await sandbox.close();
  await ended();

  for (const lane of all) {
    await expectTheTruthOf(lane, sandbox, { since, now, sinceSeconds: killed });
    expect(lane.watch.scrapes).toBeGreaterThan(kills);
  }
  return reloads.reduce((sum, count) => sum + count, 0);
}
