import { rowsPerPiece } from '../../http/csv.ts';
import type { UnreadAccount } from '../../http/views/unread-accounts.ts';
import { formatInstant } from '../../lib/instant.ts';
import type { MonthReport, ReportOutage, ReportRow } from '../report.ts';
import { rowFields } from './row-fields.ts';

/** The report as JSON text, in pieces. Times are in UTC. */
export function* reportJson(
  { month, state, countedUntilSeconds, ...lists }: MonthReport,
  unread: readonly UnreadAccount[],
): Iterable<string> {
  const head = {
    month: month.name,
    time_zone: month.zone,
    state,
    from: formatInstant(month.fromSeconds),
    to: formatInstant(month.toSeconds),
    counted_until: formatInstant(countedUntilSeconds),
    accounts_not_read: unread.map(({ account, isUnreadable, text, sinceSeconds }) => ({
      account,
      unreadable: isUnreadable,
      text,
      since: instant(sinceSeconds),
    })),
  };
  yield JSON.stringify(head).slice(0, -1);
  yield* list('groups', lists.groups, rowJson);
  yield* list('items', lists.items, rowJson);
  yield* list('outages', lists.outages, outageJson);
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

function rowJson(row: ReportRow): object {
  return Object.fromEntries(rowFields.map(([name, value]) => [name, value(row)]));
}

function outageJson(outage: ReportOutage) {
  const { account, kind, id, name, fromSeconds, toSeconds, beganBefore, causes } = outage;
  return {
    account,
    kind,
    id,
    name,
    from: instant(fromSeconds),
    began_before: beganBefore || undefined,
    to: instant(toSeconds),
    seconds_in_month: outage.secondsInMonth,
    counted: outage.isCounted,
    maintenance: outage.maintenance,
    causes,
  };
}

function instant(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : formatInstant(seconds);
}
