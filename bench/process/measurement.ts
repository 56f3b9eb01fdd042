import { largeRequestsPerHour } from './limits.ts';
import {
  type Figures,
  growthTable,
  memoryRowsOf,
  rowsOf,
  type Table,
  targetChecks,
  targetTable,
  usualShareWithOutages,
} from './report.ts';
import { referenceRowsOf, referenceTable } from './report-reference.ts';

/** The measurements of one day with one version of Node.js, by size. */
export interface Measurement {
  readonly machine: string;
  readonly date: string;
  readonly sizes: readonly Figures[];
}

/** Merges the measurements of one day: new parts replace old ones, and other days are removed. */
export function merged(before: readonly Measurement[], fresh: Measurement): Measurement[] {
  const ofToday = before.filter(({ date }) => date === fresh.date);
  const isSame = ({ machine }: Measurement) => machine === fresh.machine;
  const sizes = new Map<string, Figures>();
  for (const figures of [...(ofToday.find(isSame)?.sizes ?? []), ...fresh.sizes]) {
    const { accounts, checks, metrics, shareWithOutages, requestsPerHour } = figures;
    const size = [accounts, checks, metrics, shareWithOutages, requestsPerHour].join(' ');
    sizes.set(size, { ...sizes.get(size), ...figures });
  }
  const together = {
    ...fresh,
    sizes: [...sizes.values()].sort((a, b) => a.checks * a.accounts - b.checks * b.accounts),
  };
  const others = ofToday.filter((measurement) => !isSame(measurement));
  return [...others, together].sort((a, b) => a.machine.localeCompare(b.machine));
}

export interface Tables {
  readonly machine: string;
  readonly date: string;
  readonly targets: Table;
  readonly parts: Table;
}

/** Undefined if the size of the targets was not measured. */
export function tablesOf({ machine, date, sizes }: Measurement): Tables | undefined {
  const figures = sizes.find(isOfTargets);
  if (figures?.scrapes === undefined) return undefined;
  return {
    machine,
    date,
    targets: targetTable(rowsOf(figures)),
    parts: growthTable(sizes),
  };
}

function isOfTargets({ checks, accounts, metrics, ...size }: Figures): boolean {
  const isUsual =
    metrics === 'lean' &&
    size.shareWithOutages === usualShareWithOutages &&
    size.requestsPerHour === largeRequestsPerHour;
  return checks === targetChecks && accounts === 1 && isUsual;
}

/**
 * The table of the memory section of small accounts; undefined if it did not run. The size of the
 * targets has its rows in the table of the targets.
 */
export function memoryTableOf({ machine, date, sizes }: Measurement) {
  const small = sizes.filter((figures) => !isOfTargets(figures));
  const rows = new Map(small.flatMap(memoryRowsOf).map((row) => [row.what, row]));
  return rows.size === 0 ? undefined : { machine, date, table: targetTable([...rows.values()]) };
}

/** The table of the reference section; undefined if it did not run. */
export function referenceTablesOf({ machine, date, sizes }: Measurement) {
  const measured = sizes.filter(({ reference }) => reference !== undefined);
  if (measured.length === 0) return undefined;
  return {
    machine,
    date,
    targets: targetTable(measured.flatMap(referenceRowsOf)),
    programs: referenceTable(measured),
  };
}
