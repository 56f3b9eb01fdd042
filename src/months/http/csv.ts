import { formatInstant } from '../../lib/instant.ts';
import type { MonthReport, ReportOutage } from '../report.ts';
import { type FieldValue, rowFields } from './row-fields.ts';

/** Rows are sent in pieces of this size, so that other requests are handled in between. */
const rowsPerPiece = 256;

const outageColumns: readonly (readonly [
  name: string,
  cell: (outage: ReportOutage) => FieldValue,
])[] = [
  ['account', ({ account }) => account],
  ['kind', ({ kind }) => kind],
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['begin', ({ fromSeconds }) => formatInstant(fromSeconds)],
  ['began_before', ({ beganBefore }) => beganBefore === true],
  ['end', ({ toSeconds: at }) => at && formatInstant(at)],
  ['seconds_in_month', ({ secondsInMonth }) => secondsInMonth],
  ['counted', ({ isCounted }) => isCounted],
  ['maintenance', ({ maintenance }) => maintenance],
  ['causes', ({ causes }) => causes],
];

/** The groups, checks and transactions of a month. */
export function reportCsv({ month, zone, groups, items }: MonthReport): Iterable<string> {
  return pieces(
    [['month', () => month.name], ['time_zone', () => zone], ...rowFields],
    [...groups, ...items],
  );
}

export function outagesCsv({ outages }: MonthReport): Iterable<string> {
  return pieces(outageColumns, outages);
}

function* pieces<T>(
  of: readonly (readonly [name: string, cell: (row: T) => FieldValue])[],
  rows: readonly T[],
): Iterable<string> {
  let piece = line(of.map(([name]) => name));
  for (const [place, row] of rows.entries()) {
    piece += line(of.map(([, cell]) => cell(row)));
    if (place % rowsPerPiece !== rowsPerPiece - 1) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** A line as in RFC 4180. */
function line(cells: readonly FieldValue[]): string {
  return `${cells.map(cellText).join()}\r\n`;
}

/**
 * Spreadsheets compute a cell that begins like a formula, even in quotation marks. An apostrophe
 * makes it a text (OWASP, "CSV Injection").
 */
function cellText(cell: FieldValue): string {
  if (cell === undefined) return '';
  const plain = typeof cell === 'object' ? cell.join('; ') : cell;
  if (typeof plain !== 'string') return String(plain);
  const text = /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
