import { type CsvForm, csvPieces } from '../../http/common/csv.ts';
import { zonedTimes } from '../../lib/zoned-times.ts';
import type { MonthReport } from '../report.ts';
import { csvFields } from './columns.ts';
import { outageColumns } from './outage-columns.tsx';
import { rowColumns } from './row-columns.tsx';

/** The groups, checks and transactions of a month. */
export function reportCsv({ month, groups, items }: MonthReport, form?: CsvForm): Iterable<string> {
  return csvPieces(
    [
      ['month', () => month.name],
      ['time_zone', () => month.zone],
      ...csvFields(rowColumns, zonedTimes(month.zone)),
    ],
    [...groups, ...items],
    form,
  );
}

export function reportOutagesCsv(
  { month, outages }: MonthReport,
  form?: CsvForm,
): Iterable<string> {
  return csvPieces(csvFields(outageColumns, zonedTimes(month.zone)), outages, form);
}
