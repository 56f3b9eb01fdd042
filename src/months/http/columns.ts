import type { ComponentChildren } from 'preact';
import type { Field, FieldValue } from '../../http/common/csv.ts';
import type { Site } from '../../http/common/layout.tsx';
import { type ZonedTimes, zonedTimes } from '../../lib/zoned-times.ts';
import type { MonthReport } from '../report.ts';
import type { LineMonths } from './line-months.ts';

/** What all lines of a report need besides their rows. */
export interface Lines {
  readonly report: MonthReport;
  readonly hasAccount: boolean;
  /** Whether lines say that they were read afterwards. */
  readonly hasReading: boolean;
  /** Whether a line has a response time, so that others say why they have none. */
  readonly hasResponses: boolean;
  readonly times: ZonedTimes;
  /** Of the page; a mail has no links. */
  readonly site?: Site;
  /** Of the page. */
  readonly months?: LineMonths;
}

export function linesOf(report: MonthReport): Lines {
  const { accounts, readDay, hasResponses } = report.facts;
  const times = zonedTimes(report.month.zone);
  const [hasAccount, hasReading] = [accounts.size > 1, readDay === undefined];
  return { report, hasAccount, times, hasReading, hasResponses };
}

/** A cell of the page. */
export interface PageColumn<T> {
  readonly heading: string;
  readonly class?: 'number' | 'verdict' | 'days' | 'line-months';
  readonly cell: (row: T, lines: Lines) => ComponentChildren;
  /** The table has no such column if no line has anything in it. */
  readonly mayLack?: true;
  /** Markdown. */
  readonly help: string;
}

/** A column of the report in all of its forms. */
export interface Column<T> {
  /** In CSV. Scripts rely on the names and their order: a new column is the last. */
  readonly name: string;
  /** In JSON, if it is not the same. */
  readonly json?: string;
  readonly value: (row: T, times: ZonedTimes) => FieldValue;
  /** Markdown. */
  readonly help: string;
  /** Absent if only programs need it. */
  readonly page?: PageColumn<T>;
  /** Its parts of the line of a row. */
  readonly text?: (row: T, lines: Lines) => readonly string[];
}

/** The columns of a CSV file. */
export function csvFields<T>(
  columns: readonly Column<T>[],
  times: ZonedTimes,
): readonly Field<T>[] {
  return columns.map(({ name, value }) => [name, (row) => value(row, times)]);
}

/** The fields of an object in JSON. */
export function jsonFields<T>(
  columns: readonly Column<T>[],
  times: ZonedTimes,
): readonly Field<T>[] {
  return columns.map(({ name, json = name, value }) => [json, (row) => value(row, times)]);
}

/** The columns that a table has. */
export function columnsFor<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  lines: Lines,
  /** What the page alone has. */
  further: readonly PageColumn<T>[] = [],
): readonly PageColumn<T>[] {
  const isSeen = ({ cell }: PageColumn<T>) => rows.some((row) => isAnything(cell(row, lines)));
  return [...pageColumns(columns), ...further].filter(
    (column) => !column.mayLack || isSeen(column),
  );
}

function isAnything(cell: ComponentChildren): boolean {
  return Boolean(Array.isArray(cell) ? cell.length : cell);
}

/** The columns that the page can have. */
export function pageColumns<T>(columns: readonly Column<T>[]): readonly PageColumn<T>[] {
  return columns.flatMap(({ page }) => page ?? []);
}
