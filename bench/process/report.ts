import type { MemoryFigures } from './measure-memory.ts';
import type { MinutesFigures } from './measure-minutes.ts';
import type { RangeFigures } from './measure-range.ts';
import type { ReferenceFigures } from './measure-reference.ts';
import type { RefreshFigures } from './measure-refresh.ts';
import type { ScrapeFigures } from './measure-scrapes.ts';
import type { StartFigures } from './measure-start.ts';
import { median } from './median.ts';

/** The size of the targets. */
export const targetChecks = 25_000;

/** 9,000 of 25,000 checks. */
export const usualShareWithOutages = 0.36;

/** What was measured: an account or several, how their store was used, and what is served. */
export interface Size {
  readonly checks: number;
  readonly accounts: number;
  readonly metrics: string;
  /** The share of the checks with 79 changes of their state in the store. */
  readonly shareWithOutages: number;
  /** The short limit of the service. */
  readonly requestsPerHour: number;
}

/** The measurements of one size. A section that did not run is absent. */
export interface Figures extends Size {
  readonly refresh?: RefreshFigures;
  readonly scrapes?: ScrapeFigures;
  readonly start?: StartFigures;
  readonly minutes?: MinutesFigures;
  readonly memory?: MemoryFigures;
  readonly reference?: ReferenceFigures;
  readonly range?: RangeFigures;
}

/**
 * A row of the table: the lowest, median and highest value of some runs, and the target if there is
 * one.
 */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly wanted: 'at least' | 'at most';
  readonly limit?: number;
  readonly runs: readonly number[];
}

/** The rows of the targets. */
export function rowsOf(figures: Figures): Row[] {
  const { refresh, scrapes, start, minutes, range } = figures;
  const rows = memoryRowsOf(figures);
  const most = (what: string, limit: number, unit: string, runs: readonly number[]) =>
    rows.push({ what, unit, wanted: 'at most', limit, runs });
  if (scrapes !== undefined) {
    most(
      'one response about one check: counted, stored, shown',
      3,
      'ms',
      scrapes.responseMilliseconds,
    );
  }
  if (refresh !== undefined) {
    const blocks = refresh.blockMilliseconds.all;
    most('longest block of the event loop, everything changed', 80, 'ms', blocks);
  }
  if (scrapes !== undefined) {
    const { cpuMilliseconds, bareMilliseconds, busyMilliseconds, busyBareMilliseconds } = scrapes;
    const ratio = (ours: readonly number[], bare: readonly number[]) =>
      ours.map((run, index) => run / (bare[index] ?? Number.NaN));
    most(
      'gzip scrape over a bare server, at rest',
      1.5,
      '×',
      ratio(cpuMilliseconds, bareMilliseconds),
    );
    most(
      'gzip scrape over a bare server, at work',
      2,
      '×',
      ratio(busyMilliseconds, busyBareMilliseconds),
    );
  }
  if (start !== undefined) {
    most('start to the first full scrape, after a stop', 2500, 'ms', start.gracefulMilliseconds);
    most('start to the first full scrape, after a kill', 2500, 'ms', start.killedMilliseconds);
    most('CPU of `--help`', 300, 'ms', start.helpCpuMilliseconds);
  }
  if (minutes !== undefined) {
    const what = `highest memory in ${minutes.minutes} minutes with lists, responses and two scrapers`;
    most(what, 300, 'MB', [minutes.peakMegabytes]);
  }
  if (range !== undefined) {
    const what = 'report of twelve months';
    most(what, 10_000, 'ms', range.milliseconds);
    most(`${what}: memory above that before`, 50, 'MB', range.addedMegabytes);
    most(`${what}: longest block of the event loop`, 80, 'ms', range.longestBlockMilliseconds);
  }
  return rows;
}

/** The highest memory of the first two minutes and later (MB), and CPU of the former (ms). */
function memoryTargetsOf(checks: number) {
  if (checks < 500) return { start: 95, later: 85 };
  return checks === targetChecks ? { start: 360, startCpu: 12_000 } : {};
}

/** The rows about the memory of `serve`, started as in the image. */
export function memoryRowsOf({ checks, memory }: Figures): Row[] {
  if (memory === undefined) return [];
  const { startMegabytes, laterMegabytes, cpuMillisecondsPerMinute, bareMegabytes } = memory;
  const { start, startCpu, later } = memoryTargetsOf(checks);
  const row = (what: string, runs: readonly number[], unit: string, limit?: number): Row => ({
    what: `${checks.toLocaleString('en')} checks: ${what}`,
    wanted: 'at most',
    runs,
    unit,
    ...(limit !== undefined && { limit }),
  });
  return [
    row('highest memory in the first two minutes', startMegabytes, 'MB', start),
    row('CPU of the first two minutes', memory.startCpuMilliseconds, 'ms', startCpu),
    row('requests in the first two minutes', memory.startRequests, ''),
    row('highest memory in the three minutes after', laterMegabytes, 'MB', later),
    row('CPU of one of these minutes', cpuMillisecondsPerMinute, 'ms'),
    { what: 'Node.js without a program', wanted: 'at most', unit: 'MB', runs: [bareMegabytes] },
  ];
}

export function isMet({ runs, wanted, limit }: Row): boolean | undefined {
  if (limit === undefined) return undefined;
  return wanted === 'at least' ? median(runs) >= limit : median(runs) <= limit;
}

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function targetTable(rows: readonly Row[]): Table {
  return table(
    ['What', 'Least', 'Median', 'Highest', 'Wanted', 'Met'],
    rows.map((row) => [
      row.what,
      ...[Math.min(...row.runs), median(row.runs), Math.max(...row.runs)].map(amount),
      row.limit === undefined ? row.unit : `${row.wanted} ${row.limit} ${row.unit}`,
      { true: 'yes', false: '**no**', undefined: '' }[`${isMet(row)}`],
    ]),
  );
}

/** The cost of each part, by size. */
export function growthTable(sizes: readonly Figures[]): Table {
  const all = sizes.filter(
    ({ refresh, scrapes, start, minutes }) => refresh ?? scrapes ?? start ?? minutes,
  );
  // The plan of a large account may leave no room for responses, so there are none to divide by.
  const cell = (runs: readonly number[] = []) =>
    runs.length > 0 && runs.every(Number.isFinite) ? amount(median(runs)) : '';
  return table(
    [
      'Checks',
      'With outages',
      'Series',
      'MB gzip',
      'List, all changed',
      'none changed',
      '1 % changed',
      '`JSON.parse`',
      'Response',
      'Scrape',
      'bare server',
      'own metrics',
      'Start (wall)',
      'Highest MB',
    ],
    all.map(({ refresh, scrapes, start, minutes, ...size }) => [
      nameOf(size),
      `${Math.round(size.shareWithOutages * 100)} %`,
      scrapes?.series.toLocaleString('en') ?? '',
      scrapes ? amount(scrapes.gzipBytes / 1e6) : '',
      cell(refresh?.cpuMilliseconds.all),
      cell(refresh?.cpuMilliseconds.none),
      cell(refresh?.cpuMilliseconds.hundredth),
      cell(refresh?.parseMilliseconds),
      cell(scrapes?.responseMilliseconds),
      cell(scrapes?.cpuMilliseconds),
      cell(scrapes?.bareMilliseconds),
      cell(scrapes?.ownMilliseconds),
      cell(start?.gracefulMilliseconds),
      minutes === undefined ? '' : amount(minutes.peakMegabytes),
    ]),
  );
}

function nameOf({ checks, accounts, metrics }: Size): string {
  const name = accounts === 1 ? checks.toLocaleString('en') : `${accounts} × ${checks}`;
  return metrics === 'lean' ? name : `${name}, ${metrics}`;
}

export function amount(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 10 ? 1 : 2);
}

export function table(head: Table['head'], rows: Table['rows']): Table {
  return { head, rows };
}

export function markdown({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
