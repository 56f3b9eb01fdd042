import { type CsvForm, csvPieces, type Field } from '../../http/csv.ts';
import { formatInstant } from '../../lib/instant.ts';
import type { MonthReport, ReportOutage } from '../report.ts';
import { rowFields } from './row-fields.ts';

const outageFields: readonly Field<ReportOutage>[] = [
  ['account', ({ account }) => account],
  ['kind', ({ kind }) => kind],
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['begin', ({ fromSeconds }) => formatInstant(fromSeconds)],
  ['began_before', ({ beganBefore }) => beganBefore],
  ['end', ({ toSeconds: at }) => at && formatInstant(at)],
  ['seconds_in_month', ({ secondsInMonth }) => secondsInMonth],
  ['counted', ({ isCounted }) => isCounted],
  ['maintenance', ({ maintenance }) => maintenance],
  ['causes', ({ causes }) => causes],
];

/** The groups, checks and transactions of a month. */
export function reportCsv({ month, groups, items }: MonthReport, form?: CsvForm): Iterable<string> {
  return csvPieces(
    [['month', () => month.name], ['time_zone', () => month.zone], ...rowFields],
    [...groups, ...items],
    form,
  );
}

export function outagesCsv({ outages }: MonthReport, form?: CsvForm): Iterable<string> {
  return csvPieces(outageFields, outages, form);
}
