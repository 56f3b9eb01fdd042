import type { Child } from './child.ts';
import { type Encoding, scrape } from './scrape.ts';

export interface ScrapeRow {
  readonly server: string;
  readonly encoding: Encoding;
  readonly what: string;
  /** Of the server's process, for each scrape. */
  readonly cpuMilliseconds: number;
  /** Of the slowest of the scrapers. */
  readonly latencyMilliseconds: number;
  readonly longestBlockMilliseconds: number;
  readonly bytes: number;
}

export interface ScrapePlan {
  readonly server: string;
  readonly child: Child;
  readonly port: number;
  /** Scrapes one after the other. */
  readonly repeats: number;
  /** Scrapes at the same time; 0 for none. */
  readonly concurrent: number;
}

export async function measureScrapes(plan: ScrapePlan): Promise<ScrapeRow[]> {
  const rows: ScrapeRow[] = [];
  for (const encoding of ['gzip', 'identity'] as const) {
    rows.push(await measure(plan, encoding, 'first', 1, () => inTurn(plan.port, encoding, 1)));
    const { repeats, concurrent, port } = plan;
    const repeated = () => inTurn(port, encoding, repeats);
    rows.push(await measure(plan, encoding, 'repeated', repeats, repeated));
    if (concurrent === 0) continue;
    const together = () =>
      Promise.all(Array.from({ length: concurrent }, () => scrape(port, encoding)));
    rows.push(await measure(plan, encoding, `${concurrent} at a time`, concurrent, together));
  }
  return rows;
}

async function measure(
  { server, child }: ScrapePlan,
  encoding: Encoding,
  what: string,
  scrapes: number,
  work: () => Promise<{ bytes: number; milliseconds: number }[]>,
): Promise<ScrapeRow> {
  await child.tell({ order: 'start measuring' });
  const results = await work();
  const report = await child.tell({ order: 'stop measuring' });
  return {
    server,
    encoding,
    what,
    cpuMilliseconds: (report.cpuMilliseconds ?? 0) / scrapes,
    latencyMilliseconds: Math.max(...results.map(({ milliseconds }) => milliseconds)),
    longestBlockMilliseconds: report.longestBlockMilliseconds ?? 0,
    bytes: results[0]?.bytes ?? 0,
  };
}

async function inTurn(port: number, encoding: Encoding, scrapes: number) {
  const results: { bytes: number; milliseconds: number }[] = [];
  for (let run = 0; run < scrapes; run++) results.push(await scrape(port, encoding));
  return results;
}
