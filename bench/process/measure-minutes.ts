import { setTimeout } from 'node:timers/promises';
import { type Prepared, serveAtRest } from './prepare.ts';
import { scrape } from './scrape.ts';

export interface MinutesFigures {
  readonly minutes: number;
  readonly lists: number;
  readonly answers: number;
  readonly scrapes: number;
  /** The highest resident size that the kernel reports. */
  readonly peakMegabytes: number;
  readonly cpuMillisecondsPerMinute: number;
  readonly longestBlockMilliseconds: number;
}

const scrapeIntervalMilliseconds = 15_000;

/**
 * Runs an exporter with lists in which everything changed, responses at the rate of a plan, and
 * scrapers.
 */
export async function measureMinutes(
  prepared: Prepared,
  { minutes, scrapers }: { readonly minutes: number; readonly scrapers: number },
): Promise<MinutesFigures> {
  const process = await serveAtRest(prepared, ['results']);
  const before = await prepared.order('all');
  const start = await process.measured.usage('watch');
  let scrapes = 0;
  const until = performance.now() + minutes * 60_000;
  const scraper = async (place: number) => {
    await setTimeout((place * scrapeIntervalMilliseconds) / scrapers);
    while (performance.now() < until) {
      await scrape(process.port, 'gzip');
      scrapes++;
      await setTimeout(scrapeIntervalMilliseconds);
    }
  };
  await Promise.all(Array.from({ length: scrapers }, (_, place) => scraper(place)));
  const end = await process.measured.usage('end');
  const after = await prepared.order('all');
  const elapsedMinutes = minutes + (performance.now() - until) / 60_000;
  await process.measured.end();
  return {
    minutes,
    lists: after.lists - before.lists,
    answers: after.others - before.others,
    scrapes,
    peakMegabytes: end.peakMegabytes,
    cpuMillisecondsPerMinute: (end.cpuMilliseconds - start.cpuMilliseconds) / elapsedMinutes,
    longestBlockMilliseconds: end.longestBlockMilliseconds,
  };
}
