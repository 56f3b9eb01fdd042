import { largeRequestsPerHour } from './limits.ts';
import type { Program } from './measure-reference.ts';
import { median } from './median.ts';
import { amount, type Figures, type Row, type Table, table } from './report.ts';

const references = ['client_golang', 'prom-client'] as const;

/** Targets for this size. */
const targets = {
  checks: 25_000,
  megabytes: 380,
  cpuRatio: new Map([
    [1, 4],
    [4, 16],
  ]),
  memoryRatio: 3,
};

/** The exporter's CPU and memory, and the factors of the reference programs. */
export function referenceRowsOf({ checks, accounts, reference, ...size }: Figures): Row[] {
  if (reference === undefined || checks !== targets.checks || accounts !== 1) return [];
  if (size.requestsPerHour !== largeRequestsPerHour) return [];
  const { rates } = reference;
  const rows = rates.flatMap(({ scrapesPerMinute, programs }) =>
    references.flatMap((program): Row[] => {
      const [theirs, ours] = [programs[program], programs.exporter];
      if (theirs === undefined || ours === undefined) return [];
      const limit = targets.cpuRatio.get(scrapesPerMinute);
      return [
        {
          what: `CPU of ${program} over ours, ${times(scrapesPerMinute)} a minute`,
          unit: '×',
          wanted: 'at least',
          ...(limit !== undefined && { limit }),
          runs: theirs.cpuMilliseconds.map(
            (cpu, minute) => cpu / (ours.cpuMilliseconds[minute] ?? Number.NaN),
          ),
        },
      ];
    }),
  );
  const highest = (program: Program) =>
    highestOf(rates.flatMap(({ programs }) => programs[program]?.peakMegabytes ?? []));
  for (const program of references) {
    const ratio = highest(program) / highest('exporter');
    if (!Number.isFinite(ratio)) continue;
    rows.push({
      what: `highest memory of ${program} over ours`,
      unit: '×',
      wanted: 'at least',
      limit: targets.memoryRatio,
      runs: [ratio],
    });
  }
  rows.push({
    what: 'our highest memory beside the reference programs',
    unit: 'MB',
    wanted: 'at most',
    limit: targets.megabytes,
    runs: [highest('exporter')],
  });
  return rows;
}

/**
 * One line for each size and rate: the median CPU of a minute, and the highest memory of all
 * minutes.
 */
export function referenceTable(sizes: readonly Figures[]): Table {
  const all = ['exporter', ...references] as const;
  return table(
    [
      'Checks',
      'Families',
      'Requests an hour',
      'Series',
      'Scrapes a minute',
      ...all.map((name) => `${name}: ms of CPU`),
      ...all.map((name) => `${name}: MB`),
    ],
    sizes.flatMap(({ checks, metrics, requestsPerHour, reference }) =>
      (reference?.rates ?? []).map(({ scrapesPerMinute, programs }) => [
        checks.toLocaleString('en'),
        metrics,
        requestsPerHour.toLocaleString('en'),
        reference?.series.exporter?.toLocaleString('en') ?? '',
        String(scrapesPerMinute),
        ...all.map((program) => cell(programs[program]?.cpuMilliseconds, median)),
        ...all.map((program) => cell(programs[program]?.peakMegabytes, highestOf)),
      ]),
    ),
  );
}

function cell(runs: readonly number[] | undefined, of: (runs: readonly number[]) => number) {
  return runs === undefined ? '' : amount(of(runs));
}

function highestOf(runs: readonly number[]): number {
  return Math.max(...runs);
}

function times(scrapes: number): string {
  return scrapes === 1 ? 'one scrape' : `${scrapes} scrapes`;
}
