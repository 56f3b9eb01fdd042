import { type CsvForm, csvPieces, type Field } from '../../http/csv.ts';
import { type ZonedTimes, zonedTimes } from '../../lib/zoned-times.ts';
import type { MonthReport, ReportOutage } from '../report.ts';
import { rowFields } from './row-fields.ts';

const outageFields = ({ iso }: ZonedTimes): readonly Field<ReportOutage>[] => [
  ['account', ({ account }) => account],
  ['kind', ({ kind }) => kind],
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['begin', ({ fromSeconds }) => iso(fromSeconds)],
  ['began_before', ({ beganBefore }) => beganBefore],
  ['end', ({ toSeconds: at }) => at && iso(at)],
  ['seconds_in_month', ({ secondsInMonth }) => secondsInMonth],
  ['counted', ({ isCounted }) => isCounted],
  ['maintenance', ({ maintenance }) => maintenance],
  ['causes', ({ causes }) => causes],
];

/** The groups, checks and transactions of a month. */
export function reportCsv({ month, groups, items }: MonthReport, form?: CsvForm): Iterable<string> {
  return csvPieces(
    [
      ['month', () => month.name],
      ['time_zone', () => month.zone],
      ...rowFields(zonedTimes(month.zone)),
    ],
    [...groups, ...items],
    form,
  );
}

export function outagesCsv({ month, outages }: MonthReport, form?: CsvForm): Iterable<string> {
  return csvPieces(outageFields(zonedTimes(month.zone)), outages, form);
}
