import type { Request, RequestHandler } from 'express';
import { type CsvForm, csvFormOf } from '../../http/common/csv.ts';
import { atOneMoment } from '../../http/common/one-moment.ts';
import { nameFilter } from '../../http/common/outage-list.ts';
import {
  accountsIn,
  elsewhereOf,
  leftOutText,
  NotReadyError,
  QueryError,
  queryOf,
  requireOneOf,
  requireOwned,
  respondOrExplain,
} from '../../http/common/query.ts';
import { joinedInTurns, sendPieces } from '../../http/common/send-pieces.ts';
import type { SiteAt } from '../../http/common/site.ts';
import { type UnreadAccount, unreadAccounts } from '../../http/common/unread-accounts.ts';
import type { Route, StatusSource } from '../../http/ports.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { type Month, MonthCalendar } from '../../lib/month-calendar.ts';
import { present } from '../../lib/present.ts';
import { sortInTurns } from '../../lib/sort-in-turns.ts';
import { zonedTimes } from '../../lib/zoned-times.ts';
import type { AccountMonths } from '../account-months.ts';
import { awaitedHeader, unreadableHeader } from '../headers.ts';
import { withMonthBefore } from '../month-before.ts';
import type { ReportOutage } from '../month-outages.ts';
import { rangeMonths, rangeOf } from '../month-range.ts';
import {
  type MonthReport,
  monthReport,
  type ReportMonths,
  type ReportQuery,
  type ReportSelection,
} from '../report.ts';
import { RangeTurns } from './range-turns.ts';
import { accountTexts } from './words.ts';

interface ReportOptions {
  /** The months of all accounts that are served here. */
  readonly months: () => readonly AccountMonths[];
  readonly status: StatusSource;
  readonly site: SiteAt;
}

const nameOf = ({ account }: AccountMonths) => account;
const noItemsText = 'no check or transaction was counted';

/** Loaded with the first report: most installations have scrapers only. */
const loadForms = () => import('./forms.ts');
type Forms = Awaited<ReturnType<typeof loadForms>>;

const csvType = 'text/csv; charset=utf-8';
const files: readonly (readonly [path: string, file: ReportFile])[] = [
  [
    '/report.csv',
    {
      type: csvType,
      pieces: ({ reportCsv }, report, { csv }) => reportCsv(report, csv),
      nameOf: ({ month }) => `report-${month.name}.csv`,
    },
  ],
  [
    '/report-outages.csv',
    {
      type: csvType,
      pieces: ({ outagesCsv }, report, { csv }) => outagesCsv(report, csv),
      nameOf: ({ month }) => `outages-${month.name}.csv`,
    },
  ],
  [
    '/report.json',
    {
      type: 'application/json; charset=utf-8',
      pieces: ({ reportJson }, report, { unread }) => reportJson(report, unread),
    },
  ],
  [
    '/report.txt',
    {
      type: 'text/plain; charset=utf-8',
      pieces: ({ reportText }, report, { unread }) => reportText(report, unread),
    },
  ],
  [
    '/report.html',
    {
      type: 'text/html; charset=utf-8',
      pieces: ({ reportMail }, report, { unread, isWhole }) =>
        reportMail(report, unread, { isWhole }),
    },
  ],
];

export function reportRoutes(options: ReportOptions): readonly Route[] {
  const ranges = new RangeTurns();
  return [
    { path: '/report', title: 'Report', get: showPage(options, ranges) },
    ...files.map(([path, file]) => ({ path, get: download(options, ranges, file) })),
  ];
}

/** A form of the report for programs, or for a mail. */
interface ReportFile {
  readonly type: string;
  readonly pieces: (forms: Forms, report: MonthReport, asked: Asked) => Iterable<string>;
  /** The name of the file in which a browser stores it; absent if it shows it. */
  readonly nameOf?: (report: MonthReport) => string;
}

/** What a request asks for. */
interface Asked {
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

const parameters = [
  ...[
    'month',
    'from',
    'to',
    'account',
    'group',
    'tag',
    'check',
    'day',
    'by',
    'page',
    'csv',
    'whole',
  ],
] as const;

/**
 * Throws a `QueryError`, an `ElsewhereError` for an account of another replica, or a `NotReadyError`
 * if this one owns none.
 */
async function askedOf({ url }: Request, { months, ...options }: ReportOptions): Promise<Asked> {
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
    tags: parsed.getAll('tag'),
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
      if (isHalfKnown(month, accounts)) return [month];
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

function isHalfKnown(month: Month, accounts: readonly AccountMonths[]): boolean {
  const shares = accounts.map((account) => account.knownShare(month)).filter((share) => share > 0);
  return shares.length > 0 && shares.reduce((sum, share) => sum + share, 0) >= shares.length / 2;
}

/**
 * Throws a `QueryError` for a group that no item of the month has, or that is left out, and a
 * `NotReadyError` if too many ranges are asked for.
 */
function reportOf(asked: Asked, ranges: RangeTurns): Promise<MonthReport> {
  return asked.months.length === 1 ? readReport(asked) : ranges.take(() => readReport(asked));
}

async function readReport({ months, query, isLeftOut, ...asked }: Asked): Promise<MonthReport> {
  const [first] = months;
  const isOne = first !== undefined && months.length === 1;
  const accounts: readonly ReportMonths[] = isOne
    ? asked.accounts
    : asked.accounts.map((account) => rangeMonths(account, months));
  const month = isOne ? first : rangeOf(months);
  const tags = new Set(query.tags);
  const isNamed = nameFilter(query.checks);
  const selection: ReportSelection = {
    groups: new Set(query.groups),
    matches: (record) =>
      (tags.size === 0 || record.tags.some((name) => tags.has(name))) && isNamed(record),
    hasGroups: query.checks.length === 0,
    isLeftOut,
  };
  const report = await monthReport(accounts, month, selection);
  const [leftOut] = query.groups.filter((name) => report.groupsLeftOut.includes(name));
  if (leftOut !== undefined) throw new QueryError(leftOutText(leftOut));
  for (const name of query.groups) requireOneOf('group', name, [...report.groupNames]);
  const outages = query.day === undefined ? report.outages : outagesOf(query.day, report, accounts);
  const before = isOne ? await withMonthBefore(report, asked, selection) : report;
  const compared = { ...before, outages };
  if (query.by === undefined) return compared;
  const byCheck = (a: ReportOutage, b: ReportOutage) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id || a.fromSeconds - b.fromSeconds;
  return { ...compared, outages: await sortInTurns(outages, byCheck, yieldToEventLoop) };
}

/** The outages of a day. Throws a `QueryError` for one that is not in the month. */
function outagesOf(
  date: string,
  { month, outages }: MonthReport,
  accounts: readonly ReportMonths[],
): readonly ReportOutage[] {
  const { day } = zonedTimes(month.zone);
  const begins = accounts[0]?.calendar.dayBegins(month) ?? [];
  const place = begins.findIndex((begin) => day(begin) === date);
  const begin = begins[place];
  if (begin === undefined) {
    const [first = 0, last = first] = [begins[0], begins.at(-1)];
    throw new QueryError(`day must be one of ${day(first)} to ${day(last)}`);
  }
  const end = begins[place + 1] ?? month.toSeconds;
  const isOfDay = ({ fromSeconds, seconds }: ReportOutage) =>
    fromSeconds < end && fromSeconds + seconds > begin;
  return outages.filter(isOfDay);
}

function showPage(options: ReportOptions, ranges: RangeTurns): RequestHandler {
  return (request, response) =>
    respondOrExplain(response, async () => {
      const asked = await askedOf(request, options);
      const report = await reportOf(asked, ranges);
      const { maxLines, reportView, sendHtml, smallMonths } = await loadForms();
      const months = await smallMonths(report, report.items.slice(0, maxLines), asked);
      const site = options.site(0, asked.status);
      const view = reportView({ ...asked, report, months, site });
      await sendHtml({ request, response }, await joinedInTurns(view));
    });
}

/** Responds with 503 before anything is recorded: a program must not take it for a month without checks. */
function download(
  options: ReportOptions,
  ranges: RangeTurns,
  { type, pieces, nameOf }: ReportFile,
): RequestHandler {
  return (request, response) =>
    respondOrExplain(response, async () => {
      const asked = await askedOf(request, options);
      const report = await reportOf(asked, ranges);
      const isFiltered = Object.values(asked.query).some((values) => values.length > 0);
      const { unread } = asked;
      if (report.items.length === 0 && !isFiltered) {
        const why =
          unread.length > 0
            ? accountTexts(unread, zonedTimes(report.month.zone)).join(' ')
            : noItemsText;
        throw new NotReadyError(`nothing is recorded yet: ${why}`.replace(/\.$/, ''));
      }
      const unreadable = unread.filter(({ isUnreadable }) => isUnreadable);
      if (unreadable.length > 0) {
        const names = unreadable.map(({ account }) => encodeURIComponent(account));
        response.set(unreadableHeader, names.join(','));
      }
      const { incomplete } = report.facts;
      if (incomplete > 0) response.set(awaitedHeader, `${incomplete}`);
      // Only the HTML for mails has styles.
      response.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
      const content = pieces(await loadForms(), report, asked);
      sendPieces(request, response, { type, fileName: nameOf?.(report), pieces: content });
    });
}
