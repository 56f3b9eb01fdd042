import { renderToString } from 'preact-render-to-string';
import { Table } from '../../http/common/format.tsx';
import { within } from '../../http/common/layout.tsx';
import { Pager, pageOf } from '../../http/common/pager.tsx';
import { formatDecimal } from '../../lib/format-number.ts';
import type { ReportOutage } from '../month-outages.ts';
import type { ReportRow } from '../report-row.ts';
import { type Column, columnsFor, type Lines, type PageColumn } from './columns.ts';
import { outageColumns } from './outage-columns.tsx';
import { monthsColumn, rowColumns } from './row-columns.tsx';
import { isFlawless } from './words.ts';

/** A piece of a table takes some milliseconds. */
const rowsPerPiece = 10;

/** A table of the view has at most this many lines; CSV has all, and outages have pages. */
export const maxLines = 250;

interface TableProps {
  readonly lines: Lines;
}

/** Groups, or checks and transactions, in pieces. */
export function* rowTable({
  rows,
  label,
  lines,
}: TableProps & {
  readonly rows: readonly ReportRow[];
  readonly label: string;
}): Iterable<string> {
  yield* columnTable({ label, rows, lines, columns: rowColumns, further: [monthsColumn] });
  const more = rows.slice(maxLines);
  if (more.length === 0) return;
  yield renderToString(
    <p class="rest">
      and {formatDecimal(more.length)} more, {formatDecimal(more.filter(isFlawless).length)} of them
      without downtime and known for the whole month; the CSV file has all.
    </p>,
  );
}

interface OutagesProps extends TableProps {
  readonly outages: readonly ReportOutage[];
  /** The page of the query. */
  readonly page: string | null;
  /** Whether they are in the order of their begins. */
  readonly isByTime: boolean;
  readonly href: (page: number) => string;
}

/** In pieces. */
export function* outageTable({
  outages,
  lines,
  page: wanted,
  isByTime,
  href,
}: OutagesProps): Iterable<string> {
  if (outages.length === 0) {
    yield renderToString(<p class="rest">None is known.</p>);
    return;
  }
  const { shown, ...place } = pageOf(outages, wanted, maxLines);
  yield* columnTable({ label: 'Outages', columns: outageColumns, rows: shown, lines });
  const [before, after] = isByTime ? ['Earlier', 'Later'] : ['Previous', 'Next'];
  yield renderToString(
    <Pager {...place} href={href} before={`${before} outages`} after={`${after} outages`} />,
  );
}

interface ColumnTableProps<T> extends TableProps {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  /** What the page alone has. */
  readonly further?: readonly PageColumn<T>[];
  readonly rows: readonly T[];
}

function* columnTable<T>({
  label,
  columns,
  further = [],
  rows: all,
  lines,
}: ColumnTableProps<T>): Iterable<string> {
  const rows = all.slice(0, maxLines);
  const shown = columnsFor(columns, rows, lines, further);
  const rowHtml = (row: T) =>
    renderToString(
      <tr>
        {shown.map(({ heading, class: name, cell }, place) =>
          place === 0 ? (
            <th scope="row">{cell(row, lines)}</th>
          ) : (
            <td class={name} data-label={heading}>
              {cell(row, lines)}
            </td>
          ),
        )}
      </tr>,
    );
  const headings = shown.map(({ heading }) => heading);
  yield* within(
    (inner) => (
      <Table label={label} class="report stack" columns={headings}>
        {inner}
      </Table>
    ),
    piecesOf(rows, rowHtml),
  );
}

function* piecesOf<T>(rows: readonly T[], rowHtml: (row: T) => string): Iterable<string> {
  for (let from = 0; from < rows.length; from += rowsPerPiece) {
    yield rows
      .slice(from, from + rowsPerPiece)
      .map(rowHtml)
      .join('');
  }
}
