import { setTimeout as delay } from 'node:timers/promises';
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

/** SEED=n draws other moments. */
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

/** One in five may be killed before it serves. */
function isKilledUnseen(lane: Lane, kill: number): boolean {
  return hashUnit(seed, lane.number, kill, 0) < 0.2;
}

async function killAgainAndAgain(
  { lane, kills }: { readonly lane: Lane; readonly kills: number },
  url: string,
  since: number,
): Promise<number> {
  let reloads = 0;
  for (let kill = 0; kill < kills; kill++) {
    const child = startScaled(lane, since);
    const scraping = scrapeUntilEnd(child, lane.watch);
    if (!isKilledUnseen(lane, kill)) {
      await scraping.first;
      await delay(350 * hashUnit(seed, lane.number, kill, 1));
      await configure(lane, url, 1 + (kill % 8));
      child.process.kill('SIGHUP');
      // A busy machine ends few reloads before their kills.
      if (kill % 8 === 0) await child.until(/configuration reloaded/);
    }
    // A reload takes some tens of milliseconds, so half of the kills are during one.
    await delay((kill % 2 === 0 ? 700 : 40) * hashUnit(seed, lane.number, kill, 2));
    child.process.kill('SIGKILL');
    expect(await child.ended, child.output().slice(-2_000)).toBe('SIGKILL');
    if (lane.database !== undefined) await releaseAll(lane.database);
    await scraping.end;
    expect(child.output()).not.toContain('quarantined');
    if (child.output().includes('configuration reloaded')) reloads += 1;
  }
  return reloads;
}

/**
 * Runs exporters with separate stores at the same time. Each is killed this often, at random
 * moments and during reloads. No counter steps back, and in the end all agree with the service.
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
