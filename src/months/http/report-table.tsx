import { formatDecimal, Table } from '../../http/common/format.tsx';
import { Pager, pageOf } from '../../http/common/pager.tsx';
import type { ReportOutage } from '../month-outages.ts';
import type { ReportRow } from '../report.ts';
import { type Column, columnsFor, type Lines, type PageColumn } from './columns.ts';
import { outageColumns } from './outage-columns.tsx';
import { monthsColumn, rowColumns } from './row-columns.tsx';
import { isFlawless } from './words.ts';

/** A table of the view has at most this many lines; CSV has all, and outages have pages. */
export const maxLines = 250;

interface TableProps {
  readonly lines: Lines;
}

/** Groups, or checks and transactions. */
export function Rows({
  rows,
  label,
  lines,
}: TableProps & { readonly rows: readonly ReportRow[]; readonly label: string }) {
  const more = rows.slice(maxLines);
  return (
    <>
      <ColumnTable {...{ label, rows, lines }} columns={rowColumns} further={[monthsColumn]} />
      {more.length > 0 && (
        <p class="rest">
          and {formatDecimal(more.length)} more, {formatDecimal(more.filter(isFlawless).length)} of
          them without downtime and known for the whole month; the CSV file has all.
        </p>
      )}
    </>
  );
}

interface OutagesProps extends TableProps {
  readonly outages: readonly ReportOutage[];
  /** The page of the query. */
  readonly page: string | null;
  readonly href: (page: number) => string;
}

export function Outages({ outages, lines, page: wanted, href }: OutagesProps) {
  if (outages.length === 0) return <p class="rest">None is known.</p>;
  const { shown, ...place } = pageOf(outages, wanted, maxLines);
  return (
    <>
      <ColumnTable label="Outages" columns={outageColumns} rows={shown} lines={lines} />
      <Pager {...place} href={href} before="Earlier outages" after="Later outages" />
    </>
  );
}

interface ColumnTableProps<T> extends TableProps {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  /** What the page alone has. */
  readonly further?: readonly PageColumn<T>[];
  readonly rows: readonly T[];
}

function ColumnTable<T>({ label, columns, further = [], rows, lines }: ColumnTableProps<T>) {
  const shown = columnsFor(columns, rows.slice(0, maxLines), lines, further);
  return (
    <Table label={label} class="report stack" columns={shown.map(({ heading }) => heading)}>
      {rows.slice(0, maxLines).map((row) => (
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
        </tr>
      ))}
    </Table>
  );
}
