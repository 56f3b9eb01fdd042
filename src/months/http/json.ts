import { type Field, rowsPerPiece } from '../../http/common/csv.ts';
import type { UnreadAccount } from '../../http/common/unread-accounts.ts';
import { zonedTimes } from '../../lib/zoned-times.ts';
import type { AccountTotal, MonthReport } from '../report.ts';
import { jsonFields } from './columns.ts';
import { outageColumns } from './outage-columns.tsx';
import { rowColumns } from './row-columns.tsx';

/** The report as JSON text, in pieces. */
export function* reportJson(
  {
    month,
    state,
    countedUntilSeconds,
    groupsLeftOut,
    daysNotRead,
    monthBefore,
    totals,
    ...lists
  }: MonthReport,
  unread: readonly UnreadAccount[],
): Iterable<string> {
  const times = zonedTimes(month.zone);
  const { iso } = times;
  const head = {
    month: month.name,
    time_zone: month.zone,
    state,
    from: iso(month.fromSeconds),
    to: iso(month.toSeconds),
    counted_until: iso(countedUntilSeconds),
    accounts_not_read: unread.map(({ account, missing, text, lastReadAtSeconds }) => ({
      account,
      unreadable: missing === 'account',
      only: missing === 'transactions' ? missing : undefined,
      text,
      last_read: lastReadAtSeconds && iso(lastReadAtSeconds),
    })),
    groups_left_out: groupsLeftOut,
    response_days_not_read: [...daysNotRead],
    month_before: monthBefore?.name,
    totals: totals.map(totalJson),
  };
  yield JSON.stringify(head).slice(0, -1);
  yield* list('groups', lists.groups, jsonFields(rowColumns, times));
  yield* list('items', lists.items, jsonFields(rowColumns, times));
  yield* list('outages', lists.outages, jsonFields(outageColumns, times));
  yield '}\n';
}

function* list<T>(name: string, all: readonly T[], fields: readonly Field<T>[]): Iterable<string> {
  yield `,"${name}":[`;
  for (let from = 0; from < all.length; from += rowsPerPiece) {
    const some = all
      .slice(from, from + rowsPerPiece)
      .map((one) => JSON.stringify(object(fields, one)));
    yield `${from === 0 ? '' : ','}${some.join()}`;
  }
  yield ']';
}

function object<T>(fields: readonly Field<T>[], row: T): object {
  return Object.fromEntries(fields.map(([name, value]) => [name, value(row)]));
}

function totalJson(total: AccountTotal): object {
  const { account, items, availability, down, outages, known, awaited, unwatched, before } = total;
  return {
    account,
    items,
    availability,
    down_seconds: down,
    outages,
    known_seconds: known,
    awaited_seconds: awaited,
    unwatched_seconds: unwatched,
    availability_before: before?.availability,
    down_seconds_before: before?.down,
    outages_before: before?.outages,
  };
}
