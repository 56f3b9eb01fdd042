/** Undefined if it is absent; several values of a CSV cell are separated by semicolons. */
export type FieldValue = string | number | boolean | readonly string[] | undefined;

/** A column of a CSV file, or a field of its JSON form. */
export type Field<T> = readonly [name: string, value: (row: T) => FieldValue];

/** Rows are sent in pieces of this size, so that other requests are handled in between. */
export const rowsPerPiece = 256;

/** Without it, spreadsheets read a file in the character set of the machine. */
const byteOrderMark = '\ufeff';

/** A CSV file (RFC 4180) in UTF-8, in pieces. */
export function* csvPieces<T>(fields: readonly Field<T>[], rows: readonly T[]): Iterable<string> {
  let piece = byteOrderMark + line(fields.map(([name]) => name));
  for (const [place, row] of rows.entries()) {
    piece += line(fields.map(([, value]) => value(row)));
    if (place % rowsPerPiece !== rowsPerPiece - 1) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

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
