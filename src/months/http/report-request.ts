import type { Request } from 'express';
import { type CsvForm, csvFormOf } from '../../http/common/csv.ts';
import { atOneMoment } from '../../http/common/one-moment.ts';
import {
  accountsIn,
  elsewhereOf,
  queryOf,
  requireOneOf,
  requireOwned,
  tagsIn,
} from '../../http/common/query.ts';
import { QueryError } from '../../http/common/query-errors.ts';
import { type UnreadAccount, unreadAccounts } from '../../http/common/unread-accounts.ts';
import type { StatusSource } from '../../http/ports.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { type Month, MonthCalendar } from '../../lib/month-calendar.ts';
import { present } from '../../lib/present.ts';
import type { AccountMonths } from '../account-months.ts';
import type { ReportQuery, ReportSelection } from '../report.ts';

/** From which a request is answered. */
export interface ReportSources {
  /** The months of all accounts that are served here. */
  readonly months: () => readonly AccountMonths[];
  readonly status: StatusSource;
}

const nameOf = ({ account }: AccountMonths) => account;

/** The parameters of a request for a report, with the accounts and months that they select. */
export interface ReportRequest {
  /** The accounts at the time of the request. */
  readonly status: StatusSource;
  readonly accounts: readonly AccountMonths[];
  /** The months of which something is known, and the present one, oldest first. */
  readonly known: readonly Month[];
  /** One, or several in a row. */
  readonly months: readonly Month[];
  readonly query: ReportQuery;
  /** Of the accounts that were asked for. */
  readonly unread: readonly UnreadAccount[];
  readonly isLeftOut: ReportSelection['isLeftOut'];
  /** Of the CSV files. */
  readonly csv: CsvForm;
  /** The page of the outages. */
  readonly page: string | null;
  /** Of the HTML for mails: it has all lines. */
  readonly isWhole: boolean;
}

const parameters = {
  once: ['month', 'from', 'to', 'day', 'by', 'page', 'csv', 'whole'],
  repeatable: ['account', 'group', 'tag', 'check'],
} as const;

/**
 * Throws a `QueryError`, an `ElsewhereError` for an account of another replica, or a `NotReadyError`
 * if this one owns none.
 */
export async function reportRequestOf(
  { url }: Request,
  { months, ...options }: ReportSources,
): Promise<ReportRequest> {
  const status = atOneMoment(options.status);
  const parsed = queryOf(url, parameters);
  const owned = months();
  const elsewhere = elsewhereOf(owned.map(nameOf), status);
  const names = parsed.getAll('account');
  requireOwned(names, owned, elsewhere);
  const accounts = accountsIn(parsed, owned, nameOf);
  const query = {
    accounts: names,
    groups: parsed.getAll('group'),
    tags: tagsIn(parsed),
    // A form sends its fields also if they are empty.
    checks: parsed.getAll('check').filter((text) => text !== ''),
    ...present({ day: parsed.get('day') ?? undefined, by: orderOf(parsed) }),
  };
  await yieldToEventLoop();
  const known = knownMonths(accounts);
  const unread = unreadAccounts(status).filter(
    ({ account }) => names.length === 0 || names.includes(account),
  );
  const leftOut = new Map(
    status.accounts().map(({ snapshot: { account, groupsLeftOut } }) => {
      return [account, new Set(groupsLeftOut)] as const;
    }),
  );
  return {
    ...{ status, accounts, known, months: await monthsOf(parsed, accounts, known) },
    ...{ query, unread, page: parsed.get('page') },
    ...{ csv: csvFormOf(parsed), isWhole: isWholeIn(parsed) },
    isLeftOut: (account, group) => leftOut.get(account)?.has(group) === true,
  };
}

function orderOf(query: URLSearchParams): 'check' | undefined {
  const by = query.get('by') ?? 'time';
  requireOneOf('by', by, ['time', 'check']);
  return by === 'check' ? by : undefined;
}

function isWholeIn(query: URLSearchParams): boolean {
  const whole = query.get('whole') ?? 'false';
  requireOneOf('whole', whole, ['true', 'false']);
  return whole === 'true';
}

/** The months of which an account knows something, and the present one, oldest first. */
function knownMonths(accounts: readonly AccountMonths[]): readonly Month[] {
  const { present } = presentOf(accounts);
  const months = [...accounts.flatMap((account) => account.known), present];
  const unique = new Map(months.map((month) => [month.name, month]));
  return [...unique.values()].sort((a, b) => a.fromSeconds - b.fromSeconds);
}

function presentOf([first]: readonly AccountMonths[]) {
  const calendar = first?.calendar ?? new MonthCalendar('UTC');
  return { calendar, present: calendar.containing(first?.nowSeconds ?? 0) };
}

/**
 * The month of `month`, by default the newest ended one of which half is known, else the present one;
 * or those from `from` to `to`. Throws a `QueryError`.
 */
async function monthsOf(
  query: URLSearchParams,
  accounts: readonly AccountMonths[],
  months: readonly Month[],
): Promise<readonly Month[]> {
  const [name, from, to] = ['month', 'from', 'to'].map((parameter) => query.get(parameter));
  const { calendar, present } = presentOf(accounts);
  const named = (parameter: string, value: string) => {
    const asked = months.find((month) => month.name === value);
    if (asked !== undefined) return asked;
    const names = months.map((month) => month.name).join(', ');
    throw new QueryError(`${parameter} must be one of ${names}`);
  };
  if (from == null && to == null) {
    if (name != null) return [named('month', name)];
    for (const month of [...months].reverse()) {
      if (month.fromSeconds >= present.fromSeconds) continue;
      // Each looks at all items.
      await yieldToEventLoop();
      if (isMonthHalfKnown(month, accounts)) return [month];
    }
    return [present];
  }
  if (name != null)
    throw new QueryError('month is one month; from and to are several: give either');
  if (from == null || to == null) throw new QueryError('from and to must be given together');
  const [first, last] = [named('from', from), named('to', to)];
  if (first.fromSeconds > last.fromSeconds) throw new QueryError('from must not be after to');
  const range = [first];
  for (let month = first; month.name !== last.name; range.push(month)) {
    month = calendar.later(month, 1);
  }
  return range;
}

function isMonthHalfKnown(month: Month, accounts: readonly AccountMonths[]): boolean {
  const shares = accounts.map((account) => account.knownShare(month)).filter((share) => share > 0);
  return shares.length > 0 && shares.reduce((sum, share) => sum + share, 0) >= shares.length / 2;
}
