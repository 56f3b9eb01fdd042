import { AccountProcess } from './account-process.ts';
import { scrape } from './scrape.ts';

export interface GrowthRow {
  readonly checks: number;
  readonly series: number;
  readonly gzipBytes: number;
  readonly firstCpuMilliseconds: number;
  readonly refreshCpuMilliseconds: number;
  readonly refreshBlockMilliseconds: number;
  readonly scrapeCpuMilliseconds: number;
  readonly rssMegabytes: number;
}

/** How what a page costs grows with the number of checks: all of them tested again, and one scrape. */
export async function measureGrowth(checks: number): Promise<GrowthRow> {
  const account = new AccountProcess(checks);
  const first = await account.begin();
  await account.refresh({ minute: 1, tested: 'all', down: 'none' });
  const again = await account.refresh({ minute: 2, tested: 'all', down: 'none' });
  const { child } = account;
  const { port = 0 } = await child.tell({ order: 'serve exporter' });
  await scrape(port, 'gzip');
  const scrapes = 10;
  await child.tell({ order: 'start measuring' });
  for (let run = 0; run < scrapes; run++) await scrape(port, 'gzip');
  const spent = await child.tell({ order: 'stop measuring' });
  await account.end();
  return {
    checks,
    series: again.series ?? 0,
    gzipBytes: again.gzipBytes ?? 0,
    firstCpuMilliseconds: first.cpuMilliseconds ?? 0,
    refreshCpuMilliseconds: again.cpuMilliseconds ?? 0,
    refreshBlockMilliseconds: again.longestBlockMilliseconds ?? 0,
    scrapeCpuMilliseconds: (spent.cpuMilliseconds ?? 0) / scrapes,
    rssMegabytes: spent.rssMegabytes ?? 0,
  };
}
