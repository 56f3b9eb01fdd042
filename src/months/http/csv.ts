import { formatInstant } from '../../lib/instant.ts';
import type { MonthReport, ReportOutage, ReportRow } from '../report.ts';

/** Rows are sent in pieces of this size, so that other requests are handled in between. */
const rowsPerPiece = 256;

type Cell = string | number | boolean | undefined;

const columns: readonly (readonly [name: string, cell: (row: ReportRow) => Cell])[] = [
  ['kind', ({ kind }) => kind],
  ['account', ({ account }) => account],
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['groups', ({ groups }) => groups.join('; ')],
  ['tags', ({ tags }) => tags.join('; ')],
  ['items', ({ items }) => items],
  ['availability', ({ availability }) => availability],
  ['objective', ({ objective }) => objective],
  ['met', ({ margin }) => margin !== undefined && margin >= 0],
  ['margin_seconds', ({ margin }) => margin && Math.round(margin)],
  ['down_seconds', ({ down }) => down],
  ['outages', ({ outages }) => outages],
  ['longest_outage_seconds', ({ longestOutage }) => longestOutage],
  ['maintenance_seconds', ({ maintenance }) => maintenance],
  ['unknown_seconds', ({ unknown }) => unknown],
  ['paused_seconds', ({ paused }) => paused],
  ['unwatched_seconds', ({ unwatched }) => unwatched],
  ['folded_seconds', ({ folded }) => folded],
  ['known_seconds', ({ known }) => known],
  ['known_by', ({ knownBy }) => knownBy],
  ['created', ({ createdAtSeconds: at }) => at && formatInstant(at)],
  ['removed', ({ removedAtSeconds: at }) => at && formatInstant(at)],
];

const outageColumns: readonly (readonly [name: string, cell: (outage: ReportOutage) => Cell])[] = [
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
  ['causes', ({ causes }) => causes.join('; ')],
];

/** The groups, checks and transactions of a month. */
export function reportCsv({ month, zone, groups, items }: MonthReport): Iterable<string> {
  return pieces(
    [['month', () => month.name], ['time_zone', () => zone], ...columns],
    [...groups, ...items],
  );
}

export function outagesCsv({ outages }: MonthReport): Iterable<string> {
  return pieces(outageColumns, outages);
}

function* pieces<T>(
  of: readonly (readonly [name: string, cell: (row: T) => Cell])[],
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
function line(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join()}\r\n`;
}

/**
 * Spreadsheets compute a cell that begins like a formula, even in quotation marks. An apostrophe
 * makes it a text (OWASP, "CSV Injection").
 */
function cellText(cell: Cell): string {
  if (cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
