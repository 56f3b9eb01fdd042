import { formatDecimal, Table } from '../../http/views/format.tsx';
import type { ReportOutage, ReportRow } from '../report.ts';
import { type Column, type Lines, pageColumns } from './columns.ts';
import { outageColumns } from './outage-columns.tsx';
import { rowColumns } from './row-columns.tsx';
import { isFlawless } from './words.ts';

/** A table of the view has at most this many lines; the CSV file has all. */
const maxLines = 250;

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
      <ColumnTable label={label} columns={rowColumns} rows={rows} lines={lines} />
      {more.length > 0 && (
        <p class="rest">
          and {formatDecimal(more.length)} more, {formatDecimal(more.filter(isFlawless).length)} of
          them without downtime and known for the whole month; the CSV file has all.
        </p>
      )}
    </>
  );
}

export function Outages({
  outages,
  lines,
}: TableProps & { readonly outages: readonly ReportOutage[] }) {
  if (outages.length === 0) return <p class="rest">None is known.</p>;
  return (
    <>
      <ColumnTable label="Outages" columns={outageColumns} rows={outages} lines={lines} />
      {outages.length > maxLines && (
        <p class="rest">
          and {formatDecimal(outages.length - maxLines)} more; the CSV file has all.
        </p>
      )}
    </>
  );
}

interface ColumnTableProps<T> extends TableProps {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
}

function ColumnTable<T>({ label, columns, rows, lines }: ColumnTableProps<T>) {
  const shown = pageColumns(columns);
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
