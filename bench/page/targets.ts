import type { PageMeasurements, RefreshRow } from './measure-page.ts';
import type { ScrapeRow } from './measure-scrapes.ts';

export interface Target {
  readonly what: string;
  readonly measured: number;
  readonly unit: string;
  readonly wanted: 'at least' | 'at most';
  readonly limit: number;
}

/** What was measured against what is wanted, met or missed. */
export function targetsOf({
  scrapes,
  refreshes,
  memory,
  restartMilliseconds,
}: PageMeasurements): Target[] {
  const cpu = (server: string) => find(scrapes, server).cpuMilliseconds;
  const exporter = cpu('uptime-exporter');
  const all = refresh(refreshes, 'all checks changed, again');
  const some = refresh(refreshes, '1 % went down, spread evenly');
  const near = refresh(refreshes, '1 % went down, neighbours');
  const scrapers = memory.find(({ what }) => what === 'peak with two scrapers');
  return [
    atLeast('CPU of prom-client for a gzip scrape over ours', cpu('prom-client') / exporter, 100),
    atMost('CPU of a gzip scrape over the bare server', exporter / cpu('bare node:http'), 1.2, '×'),
    atMost(
      'CPU of a refresh over JSON.parse',
      ratio(all.cpuMilliseconds, all.parseMilliseconds),
      4,
      '×',
    ),
    atMost('longest event-loop block of any refresh', longestBlock(refreshes), 100, 'ms'),
    atMost(
      'longest event-loop block of any scrape',
      longestBlock(scrapes.filter(({ server }) => server === 'uptime-exporter')),
      100,
      'ms',
    ),
    atMost(
      'share of the page rendered, 1 % changed, spread',
      100 * ratio(some.renderedBytes, some.pageBytes),
      1,
      '%',
    ),
    atMost(
      'share of the page rendered, 1 % changed, together',
      100 * ratio(near.renderedBytes, near.pageBytes),
      1,
      '%',
    ),
    atMost('memory with two scrapers', scrapers?.rssMegabytes ?? Number.NaN, 400, 'MB'),
    atMost('start to the first full scrape', restartMilliseconds, 2000, 'ms'),
  ];
}

export function isMet({ measured, wanted, limit }: Target): boolean {
  return wanted === 'at least' ? measured >= limit : measured <= limit;
}

function atLeast(what: string, measured: number, limit: number): Target {
  return { what, measured, unit: '×', wanted: 'at least', limit };
}

function atMost(what: string, measured: number, limit: number, unit: string): Target {
  return { what, measured, unit, wanted: 'at most', limit };
}

function longestBlock(rows: readonly { readonly longestBlockMilliseconds?: number }[]): number {
  return Math.max(...rows.map(({ longestBlockMilliseconds = 0 }) => longestBlockMilliseconds));
}

function find(scrapes: readonly ScrapeRow[], server: string): ScrapeRow {
  const row = scrapes.find(
    (candidate) =>
      candidate.server === server && candidate.encoding === 'gzip' && candidate.what === 'repeated',
  );
  if (row === undefined) throw new Error(`${server} was not measured`);
  return row;
}

function refresh(rows: readonly RefreshRow[], what: string): RefreshRow {
  const row = rows.find((candidate) => candidate.what === what);
  if (row === undefined) throw new Error(`no refresh was measured with ${what}`);
  return row;
}

function ratio(above: number | undefined, below: number | undefined): number {
  return (above ?? Number.NaN) / (below ?? Number.NaN);
}
