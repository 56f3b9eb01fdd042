import { type Figures, growthTable, rowsOf, summaryOf, type Table, targetTable } from './report.ts';

/** What was measured on one day with one version of Node.js, by size. */
export interface Measurement {
  readonly machine: string;
  readonly date: string;
  readonly sizes: readonly Figures[];
}

/** The measurements of a day: a part that was measured again replaces the former one, and other days are left out. */
export function merged(before: readonly Measurement[], fresh: Measurement): Measurement[] {
  const ofToday = before.filter(({ date }) => date === fresh.date);
  const isSame = ({ machine }: Measurement) => machine === fresh.machine;
  const sizes = new Map<string, Figures>();
  for (const figures of [...(ofToday.find(isSame)?.sizes ?? []), ...fresh.sizes]) {
    const size = `${figures.accounts}x${figures.checks}`;
    sizes.set(size, { ...sizes.get(size), ...figures });
  }
  const together = {
    ...fresh,
    sizes: [...sizes.values()].sort((a, b) => a.checks * a.accounts - b.checks * b.accounts),
  };
  const others = ofToday.filter((measurement) => !isSame(measurement));
  return [...others, together].sort((a, b) => a.machine.localeCompare(b.machine));
}

/** The size of the targets. */
const targetChecks = 25_000;

export interface Tables {
  readonly machine: string;
  readonly date: string;
  readonly summary: string;
  readonly targets: Table;
  readonly parts: Table;
}

export function tablesOf({ machine, date, sizes }: Measurement): Tables {
  const figures = sizes.find(({ checks, accounts }) => checks === targetChecks && accounts === 1);
  return {
    machine,
    date,
    summary: figures === undefined ? '' : summaryOf(figures),
    targets: targetTable(figures === undefined ? [] : rowsOf(figures)),
    parts: growthTable(sizes),
  };
}
