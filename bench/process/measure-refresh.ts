import { setTimeout } from 'node:timers/promises';
import type { Difference } from './check-list.ts';
import { CheckList } from './check-list.ts';
import { type Prepared, serveAtRest } from './prepare.ts';
import { scrape } from './scrape.ts';

export interface RefreshFigures {
  /** CPU of decoding UTF-8 and `JSON.parse` of the body: the least of several runs. */
  readonly parseMilliseconds: readonly number[];
  /**
   * CPU of the whole process for one list of each account, by its difference from the previous one.
   */
  readonly cpuMilliseconds: { readonly [D in Difference]: readonly number[] };
  /** The longest block of the event loop. */
  readonly blockMilliseconds: { readonly [D in Difference]: readonly number[] };
}

/**
 * The code that reads lists is compiled during the first ones. An exporter runs for weeks, so these
 * are not measured.
 */
const warmUps = 4;

/** A running exporter reads lists one after the other, on request. */
export async function measureRefresh(prepared: Prepared, runs: number): Promise<RefreshFigures> {
  const { measured, ...process } = await withHook(prepared);
  const cpu: { [D in Difference]: number[] } = { all: [], none: [], hundredth: [] };
  const blocks: typeof cpu = { all: [], none: [], hundredth: [] };
  for (let run = -warmUps; run < runs; run++) {
    for (const difference of ['all', 'none', 'hundredth'] as const) {
      const { cpuMilliseconds, longestBlockMilliseconds } = await process.list(difference);
      if (run < 0) continue;
      cpu[difference].push(cpuMilliseconds);
      blocks[difference].push(longestBlockMilliseconds);
    }
  }
  await measured.end();
  return {
    parseMilliseconds: parseTimes(prepared.checks * prepared.accounts),
    cpuMilliseconds: cpu,
    blockMilliseconds: blocks,
  };
}

async function withHook(prepared: Prepared) {
  const process = await serveAtRest(prepared, []);
  const { measured } = process;
  const list = async (difference: Difference) => {
    const before = await prepared.order(difference, 1_000_000);
    const started = performance.now();
    const idle = await measured.usage();
    const used = await measured.during(async () => {
      await process.callHooks();
      const lists = before.lists + prepared.accounts;
      while ((await prepared.order(difference, 1_000_000)).lists < lists) {
        await setTimeout(50);
        if (performance.now() - started > 90_000) throw new Error('no list was asked for');
      }
    });
    await scrape(process.port, 'gzip');
    return { ...used, idle };
  };
  return { measured, list };
}

/** CPU milliseconds of this process, which has no other work. */
function parseTimes(checks: number): number[] {
  const now = Math.floor(Date.now() / 1000);
  const body = Buffer.from(new CheckList(checks, now).body(0, checks));
  return Array.from({ length: 8 }, () => {
    const before = process.cpuUsage();
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }).slice(2);
}
