import { requireOneOf } from './query.ts';

/** Undefined if it is absent; several values of a CSV cell are separated by semicolons. */
export type FieldValue = string | number | boolean | readonly string[] | undefined;

/** A column of a CSV file, or a field of its JSON form. */
export type Field<T> = readonly [name: string, value: (row: T) => FieldValue];

/**
 * Rows are sent in pieces of this size, so that other requests are handled in between. A row of a
 * report may have a value for each day of a year.
 */
export const rowsPerPiece = 32;

/** Without it, spreadsheets read a file in the character set of the machine. */
const byteOrderMark = '\ufeff';

/** `semicolon` is what spreadsheets expect where numbers have a decimal comma. */
export const csvForms = ['comma', 'semicolon'] as const;
export type CsvForm = (typeof csvForms)[number];

const signs = { comma: [',', '.'], semicolon: [';', ','] } as const;

/** Reads the parameter `csv=`. Throws a `QueryError`. */
export function csvFormOf(query: URLSearchParams): CsvForm {
  const form = query.get('csv') ?? 'comma';
  requireOneOf('csv', form, csvForms);
  return form as CsvForm;
}

/** A CSV file (RFC 4180) in UTF-8, in pieces. */
export function* csvPieces<T>(
  fields: readonly Field<T>[],
  rows: readonly T[],
  form: CsvForm = 'comma',
): Iterable<string> {
  let piece =
    byteOrderMark +
    line(
      fields.map(([name]) => name),
      form,
    );
  for (const [place, row] of rows.entries()) {
    piece += line(
      fields.map(([, value]) => value(row)),
      form,
    );
    if (place % rowsPerPiece !== rowsPerPiece - 1) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function line(cells: readonly FieldValue[], form: CsvForm): string {
  const [separator] = signs[form];
  return `${cells.map((cell) => cellText(cell, form)).join(separator)}\r\n`;
}

/**
 * The beginning of a formula, in ASCII or full width, at the beginning of a text or after what some
 * spreadsheet may take for a separator, also within quotation marks.
 */
const formula = /(^|[,;\t\r\n])([\s"'\p{Cf}]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;

/**
 * Spreadsheets compute a cell that begins like a formula, even in quotation marks. An apostrophe
 * makes it a text (OWASP, "CSV Injection").
 */
function cellText(cell: FieldValue, form: CsvForm): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(cell).replace('.', signs[form][1]);
  if (typeof cell === 'boolean') return String(cell);
  const plain = typeof cell === 'object' ? cell.join('; ') : cell;
  const text = plain.replace(formula, "$1$2'").replace(/^(?=[\t\r])/, "'");
  return /[",\t\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
