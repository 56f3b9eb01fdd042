import { type Field, rowsPerPiece } from '../../http/csv.ts';
import type { UnreadAccount } from '../../http/views/unread-accounts.ts';
import { type ZonedTimes, zonedTimes } from '../../lib/zoned-times.ts';
import type { MonthReport, ReportOutage, ReportRow } from '../report.ts';
import { rowFields } from './row-fields.ts';

/** The report as JSON text, in pieces. */
export function* reportJson(
  { month, state, countedUntilSeconds, ...lists }: MonthReport,
  unread: readonly UnreadAccount[],
): Iterable<string> {
  const { iso } = zonedTimes(month.zone);
  const fields = rowFields({ iso });
  const head = {
    month: month.name,
    time_zone: month.zone,
    state,
    from: iso(month.fromSeconds),
    to: iso(month.toSeconds),
    counted_until: iso(countedUntilSeconds),
    accounts_not_read: unread.map(({ account, isUnreadable, text, sinceSeconds }) => ({
      account,
      unreadable: isUnreadable,
      text,
      since: sinceSeconds && iso(sinceSeconds),
    })),
  };
  yield JSON.stringify(head).slice(0, -1);
  yield* list('groups', lists.groups, (row) => rowJson(row, fields));
  yield* list('items', lists.items, (row) => rowJson(row, fields));
  yield* list('outages', lists.outages, (outage) => outageJson(outage, iso));
  yield '}\n';
}

function* list<T>(name: string, all: readonly T[], json: (one: T) => object): Iterable<string> {
  yield `,"${name}":[`;
  for (let from = 0; from < all.length; from += rowsPerPiece) {
    const some = all.slice(from, from + rowsPerPiece).map((one) => JSON.stringify(json(one)));
    yield `${from === 0 ? '' : ','}${some.join()}`;
  }
  yield ']';
}

function rowJson(row: ReportRow, fields: readonly Field<ReportRow>[]): object {
  return Object.fromEntries(fields.map(([name, value]) => [name, value(row)]));
}

function outageJson(outage: ReportOutage, iso: ZonedTimes['iso']) {
  const { account, kind, id, name, fromSeconds, toSeconds, beganBefore, causes } = outage;
  return {
    account,
    kind,
    id,
    name,
    from: iso(fromSeconds),
    began_before: beganBefore || undefined,
    to: toSeconds && iso(toSeconds),
    seconds_in_month: outage.secondsInMonth,
    counted: outage.isCounted,
    maintenance: outage.maintenance,
    causes,
  };
}
