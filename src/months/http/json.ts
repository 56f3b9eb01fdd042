import { type Field, rowsPerPiece } from '../../http/common/csv.ts';
import type { UnreadAccount } from '../../http/common/unread-accounts.ts';
import { zonedTimes } from '../../lib/zoned-times.ts';
import type { AccountTotal, MonthReport } from '../report.ts';
import { type Column, jsonFields } from './columns.ts';
import { outageColumns } from './outage-columns.tsx';
import { rowColumns } from './row-columns.tsx';

/** Fields of the whole report. */
const headColumns: readonly Column<MonthReport>[] = [
  {
    name: 'month',
    value: ({ month }) => month.name,
    help: 'such as `2026-10`; of several months `2026-01_2026-03`',
  },
  {
    name: 'time_zone',
    value: ({ month }) => month.zone,
    help: 'in which its months begin and its times are',
  },
  {
    name: 'state',
    value: ({ state }) => state,
    help: '`present` while the month goes on, `partial` until it has all of its records, then `whole`',
  },
  { name: 'from', value: ({ month }, { iso }) => iso(month.fromSeconds), help: 'when it begins' },
  { name: 'to', value: ({ month }, { iso }) => iso(month.toSeconds), help: 'when it ends' },
  {
    name: 'counted_until',
    value: ({ countedUntilSeconds }, { iso }) => iso(countedUntilSeconds),
    help: 'the latest time up to which any item is counted',
  },
  {
    name: 'groups_left_out',
    value: ({ groupsLeftOut }) => groupsLeftOut,
    help: 'groups beyond [`max_groups`](#groups)',
  },
  {
    name: 'response_days_not_read',
    value: ({ daysNotRead }) => [...daysNotRead],
    help: 'why some checks have no [response times](#response-times), or those of some days only: `other time zone`, `too few requests`, `not read yet`',
  },
  {
    name: 'month_before',
    value: ({ monthBefore }) => monthBefore?.name,
    help: 'the month with which it is compared; absent if nothing of it is known, while the month goes on, and of several months',
  },
];

const unreadColumns: readonly Column<UnreadAccount>[] = [
  { name: 'account', value: ({ account }) => account, help: 'its name' },
  {
    name: 'unreadable',
    value: ({ missing }) => missing === 'account',
    help: '`true` if it cannot be read now, or was not read since the start; `false` if only a part of it cannot be read, or another replica has it',
  },
  {
    name: 'only',
    value: ({ missing }) => (missing === 'transactions' ? missing : undefined),
    help: '`transactions` if only these cannot be read; otherwise absent',
  },
  { name: 'text', value: ({ text }) => text, help: 'why, as a sentence' },
  {
    name: 'last_read',
    value: ({ lastReadAtSeconds: at }, { iso }) => at && iso(at),
    help: 'when its checks, or these transactions, were last read; absent if they never were, or another replica has it',
  },
];

const totalColumns: readonly Column<AccountTotal>[] = [
  { name: 'account', value: ({ account }) => account, help: 'its name' },
  { name: 'items', value: ({ items }) => items, help: 'how many checks and transactions it has' },
  {
    name: 'availability',
    value: ({ availability }) => availability,
    help: 'a ratio; absent while it is not shown',
  },
  { name: 'down_seconds', value: ({ down }) => down, help: 'seconds down, without maintenance' },
  { name: 'outages', value: ({ outages }) => outages, help: 'how many outages count in the month' },
  {
    name: 'known_seconds',
    value: ({ known }) => known,
    help: 'seconds that are known, in any state',
  },
  {
    name: 'awaited_seconds',
    value: ({ awaited }) => awaited,
    help: 'seconds that become known by themselves',
  },
  {
    name: 'unwatched_seconds',
    value: ({ unwatched }) => unwatched,
    help: 'seconds that stay unknown unless you have them read',
  },
  {
    name: 'availability_before',
    value: ({ before }) => before?.availability,
    help: 'its availability in the month before, if at least half of it is known',
  },
  {
    name: 'down_seconds_before',
    value: ({ before }) => before?.down,
    help: 'its seconds down in the month before, if all of it is known',
  },
  {
    name: 'outages_before',
    value: ({ before }) => before?.outages,
    help: 'its outages in the month before, if all of it is known',
  },
];

/** What JSON has besides the lines and the outages, for the documentation. */
export const jsonHelp: readonly (readonly [name: string, help: string])[] = [
  ...helpOf(headColumns),
  ...helpOf(unreadColumns, 'accounts_not_read[].'),
  ...helpOf(totalColumns, 'totals[].'),
];

function helpOf<T>(columns: readonly Column<T>[], of = '') {
  return columns.map(({ name, help }) => [`${of}${name}`, help] as const);
}

/** The report as JSON text, in pieces. */
export function* reportJson(
  report: MonthReport,
  unread: readonly UnreadAccount[],
): Iterable<string> {
  const times = zonedTimes(report.month.zone);
  yield JSON.stringify(object(jsonFields(headColumns, times), report)).slice(0, -1);
  yield* list('accounts_not_read', unread, jsonFields(unreadColumns, times));
  yield* list('totals', report.totals, jsonFields(totalColumns, times));
  yield* list('groups', report.groups, jsonFields(rowColumns, times));
  yield* list('items', report.items, jsonFields(rowColumns, times));
  yield* list('outages', report.outages, jsonFields(outageColumns, times));
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
