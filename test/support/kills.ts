import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { unixSeconds } from '../../src/lib/clock.ts';
import { hashUnit } from '../../src/lib/random.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { CounterWatch } from './counter-watch.ts';
import {
  expectTheTruthOf,
  type Lane,
  runThrough,
  scrapeUntilEnd,
  startScaled,
  startUnrulyAccount,
} from './scaled-life.ts';

/** SEED=n draws other moments. */
const seed = Number(process.env.SEED ?? 1);

/** One in five need not even come to serve. */
function isKilledUnseen(lane: Lane, kill: number): boolean {
  return hashUnit(seed, lane.number, kill, 0) < 0.2;
}

async function killAgainAndAgain(
  { lane, kills }: { readonly lane: Lane; readonly kills: number },
  url: string,
  since: number,
): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    const child = startScaled(lane, url, since);
    const scraping = scrapeUntilEnd(child, lane.watch);
    if (!isKilledUnseen(lane, kill)) await scraping.first;
    await delay(700 * hashUnit(seed, lane.number, kill, 1));
    child.process.kill('SIGKILL');
    expect(await child.ended).toBe('SIGKILL');
    await scraping.end;
    expect(child.output()).not.toContain('moved aside');
  }
}

/**
 * Exporters with stores of their own, side by side, each killed so many times at random moments: no counter
 * steps back, and in the end all agree with the service.
 */
export async function expectTheTruthAfterKills(lanes: number, kills: number): Promise<void> {
  const since = Date.now();
  const { clock, sandbox } = await startUnrulyAccount(since);
  const all: readonly Lane[] = await Promise.all(
    Array.from({ length: lanes }, async (_, number) => ({
      number,
      path: await temporaryFolder(),
      watch: new CounterWatch(),
    })),
  );
  await Promise.all(all.map((lane) => killAgainAndAgain({ lane, kills }, sandbox.url, since)));
  const killed = unixSeconds(clock);
  await Promise.all(all.map((lane) => runThrough(killed, lane, sandbox.url, since)));
  const now = unixSeconds(clock);
  await sandbox.close();

  for (const lane of all) {
    await expectTheTruthOf(lane, sandbox, { since, now, sinceSeconds: killed });
    expect(lane.watch.scrapes).toBeGreaterThan(kills);
  }
}
