import type { GrowthRow } from './measure-growth.ts';
import type { PageMeasurements } from './measure-page.ts';
import { isMet, type Target } from './targets.ts';
import { stages } from './watched-checks.ts';

export interface Results {
  readonly node: string;
  readonly page: PageMeasurements;
  readonly growth: readonly GrowthRow[];
  readonly targets: readonly Target[];
}

type Cell = string | number | undefined;

/** The measurements as text for a terminal. */
export function tables({ node, page, growth, targets }: Results): string {
  const { checks, series, plainBytes, gzipBytes } = page;
  return [
    `node ${node}, ${checks} checks, ${series} series, ${megabytes(plainBytes)} MB plain, ${megabytes(gzipBytes)} MB gzip`,
    table(
      ['scrape', 'encoding', '', 'CPU ms', 'latency ms', 'block ms', 'MB'],
      page.scrapes.map((row) => [
        row.server,
        row.encoding,
        row.what,
        row.cpuMilliseconds,
        row.latencyMilliseconds,
        row.longestBlockMilliseconds,
        megabytes(row.bytes),
      ]),
    ),
    table(
      [
        'refresh',
        'JSON.parse ms',
        ...stages.map((stage) => `${stage} ms`),
        'CPU ms',
        'block ms',
        'MB rendered',
      ],
      page.refreshes.map((row) => [
        row.what,
        row.parseMilliseconds,
        ...stages.map((stage) => row.stages?.[stage]),
        row.cpuMilliseconds,
        row.longestBlockMilliseconds,
        megabytes(row.renderedBytes ?? 0),
      ]),
    ),
    table(
      ['memory', 'MB RSS'],
      page.memory.map(({ what, rssMegabytes }) => [what, rssMegabytes]),
    ),
    table(
      [
        'checks',
        'series',
        'MB gzip',
        'first CPU ms',
        'refresh CPU ms',
        'block ms',
        'scrape CPU ms',
        'MB RSS',
      ],
      growth.map((row) => [
        String(row.checks),
        String(row.series),
        megabytes(row.gzipBytes),
        row.firstCpuMilliseconds,
        row.refreshCpuMilliseconds,
        row.refreshBlockMilliseconds,
        row.scrapeCpuMilliseconds,
        row.rssMegabytes,
      ]),
    ),
    table(
      ['target', 'measured', 'wanted', ''],
      targets.map((target) => [
        target.what,
        `${target.measured.toFixed(2)} ${target.unit}`,
        `${target.wanted} ${target.limit} ${target.unit}`,
        isMet(target) ? 'met' : 'MISSED',
      ]),
    ),
  ].join('\n\n');
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows.map((row) => row.map(text))];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          (column === 0 ? cell.padEnd : cell.padStart).call(cell, widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function text(cell: Cell): string {
  return typeof cell === 'number' ? cell.toFixed(1) : (cell ?? '');
}
