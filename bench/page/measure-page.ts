import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AccountProcess } from './account-process.ts';
import type { ListKind } from './check-list.ts';
import { Child } from './child.ts';
import { measureScrapes, type ScrapeRow } from './measure-scrapes.ts';
import type { Report } from './protocol.ts';
import { type Encoding, scrape } from './scrape.ts';

export interface RefreshRow extends Report {
  readonly what: string;
}

/** The refreshes that are measured, one after the other; each was tested again unless it says otherwise. */
const refreshes: readonly (Omit<ListKind, 'checks'> & { readonly what: string })[] = [
  { what: 'all checks changed', minute: 1, tested: 'all', down: 'none' },
  { what: 'all checks changed, again', minute: 2, tested: 'all', down: 'none' },
  { what: 'none changed', minute: 2, tested: 'all', down: 'none' },
  { what: '1 % went down, spread evenly', minute: 2, tested: 'all', down: 'spread' },
  { what: '1 % came up, spread evenly', minute: 2, tested: 'all', down: 'none' },
  { what: '1 % went down, neighbours', minute: 2, tested: 'all', down: 'neighbours' },
];

export interface PageMeasurements {
  readonly checks: number;
  readonly series: number;
  readonly plainBytes: number;
  readonly gzipBytes: number;
  readonly scrapes: readonly ScrapeRow[];
  readonly refreshes: readonly RefreshRow[];
  readonly memory: readonly { readonly what: string; readonly rssMegabytes: number }[];
  /** From starting the process to the end of the first full scrape. */
  readonly restartMilliseconds: number;
}

/** Everything about a page of so many checks, beside prom-client and a server of bare bytes. */
export async function measurePage(checks: number): Promise<PageMeasurements> {
  const account = new AccountProcess(checks);
  const first = await account.begin();
  const rows: RefreshRow[] = [{ what: 'first', ...first }];
  for (const { what, ...kind } of refreshes) {
    rows.push({ what, ...(await account.refresh(kind)) });
  }
  const { series = 0, pageBytes = 0, gzipBytes = 0 } = rows.at(-1) ?? {};

  const { memory, restartMilliseconds } = await measureRestarted(account);
  const scrapes = await measureServers(account);
  await account.end();
  return {
    checks,
    series,
    plainBytes: pageBytes,
    gzipBytes,
    scrapes,
    refreshes: rows,
    memory,
    restartMilliseconds,
  };
}

/** Restarts from the store, and goes on as a running exporter does. */
async function measureRestarted(account: AccountProcess) {
  await account.replace();
  const start = performance.now();
  const port = await account.restore();
  await scrape(port, 'gzip');
  const restartMilliseconds = performance.now() - start;
  const { child } = account;
  const measured = async (work: () => Promise<unknown>): Promise<Report> => {
    await child.tell({ order: 'start measuring' });
    await work();
    return child.tell({ order: 'stop measuring' });
  };
  const changed = (minute: number) => account.refresh({ minute, tested: 'all', down: 'none' });
  const atRest = await measured(() => setTimeout(1000));
  const duringRefresh = await changed(3);
  const scrapers = await measured(() => Promise.all(['gzip', 'gzip'].map(() => thrice(port))));
  const both = await Promise.all([changed(4), thrice(port), thrice(port)]);
  const memory = [
    { what: 'at rest', rssMegabytes: atRest.rssMegabytes ?? 0 },
    { what: 'peak during a refresh', rssMegabytes: duringRefresh.peakRssMegabytes ?? 0 },
    { what: 'peak with two scrapers', rssMegabytes: scrapers.peakRssMegabytes ?? 0 },
    { what: 'peak with both', rssMegabytes: both[0].peakRssMegabytes ?? 0 },
  ];
  return { memory, restartMilliseconds };
}

async function thrice(port: number): Promise<void> {
  for (let run = 0; run < 3; run++) await scrape(port, 'gzip');
}

async function measureServers(account: AccountProcess): Promise<ScrapeRow[]> {
  const { child } = account;
  const { port = 0 } = await child.tell({ order: 'serve exporter' });
  const rows = await measureScrapes({
    server: 'uptime-exporter',
    child,
    port,
    repeats: 100,
    concurrent: 50,
  });
  const plain = await saved(port, 'identity', join(account.folder, 'page.txt'));
  const gzip = await saved(port, 'gzip', join(account.folder, 'page.gz'));
  const bare = new Child();
  const bytes = await bare.tell({ order: 'serve bytes', plain, gzip });
  rows.push(
    ...(await measureScrapes({
      server: 'bare node:http',
      child: bare,
      port: bytes.port ?? 0,
      repeats: 100,
      concurrent: 50,
    })),
  );
  await bare.end();
  const client = await child.tell({ order: 'serve prom-client' });
  rows.push(
    ...(await measureScrapes({
      server: 'prom-client',
      child,
      port: client.port ?? 0,
      repeats: 2,
      concurrent: 0,
    })),
  );
  return rows;
}

async function saved(port: number, encoding: Encoding, file: string): Promise<string> {
  const stream = createWriteStream(file);
  await scrape(port, encoding, (chunk) => stream.write(chunk));
  await new Promise<void>((resolve) => stream.end(resolve));
  return file;
}
