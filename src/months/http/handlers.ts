import type { RequestHandler } from 'express';
import { leftOutText } from '../../http/common/group-problem.ts';
import { nameFilter } from '../../http/common/outage-list.ts';
import { requireOneOf } from '../../http/common/query.ts';
import { NotReadyError, QueryError, respondOrExplain } from '../../http/common/query-errors.ts';
import { joinedInTurns, sendPieces } from '../../http/common/send-pieces.ts';
import type { SiteAt } from '../../http/common/site.ts';
import { nameUnreadable } from '../../http/common/unreadable-header.ts';
import type { Route } from '../../http/ports.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { sortInTurns } from '../../lib/sort-in-turns.ts';
import { zonedTimes } from '../../lib/zoned-times.ts';
import { awaitedHeader } from '../headers.ts';
import { withMonthBefore } from '../month-before.ts';
import type { ReportOutage } from '../month-outages.ts';
import { rangeMonths, rangeOf } from '../month-range.ts';
import { OutageLimit, TooManyOutagesError } from '../outage-limit.ts';
import {
  type MonthReport,
  monthReport,
  type ReportMonths,
  type ReportSelection,
  selectsItems,
} from '../report.ts';
import { datesOf } from '../report-days.ts';
import { accountTexts } from './lead-text.ts';
import { monthTitle } from './month-titles.ts';
import { type ReportRequest, type ReportSources, reportRequestOf } from './report-request.ts';
import { ReportTurns } from './report-turns.ts';

interface ReportOptions extends ReportSources {
  readonly site: SiteAt;
}

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
      pieces: ({ reportOutagesCsv }, report, { csv }) => reportOutagesCsv(report, csv),
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
      pieces: ({ reportText }, report, asked) => reportText(report, asked),
    },
  ],
  [
    '/report.html',
    {
      type: 'text/html; charset=utf-8',
      pieces: ({ reportMail }, report, asked) => reportMail(report, asked),
    },
  ],
];

export function reportRoutes(options: ReportOptions): readonly Route[] {
  const turns = new ReportTurns();
  return [
    { path: '/report', title: 'Report', get: showPage(options, turns) },
    ...files.map(([path, file]) => ({ path, get: download(options, turns, file) })),
  ];
}

/** A form of the report for programs, or for a mail. */
interface ReportFile {
  readonly type: string;
  readonly pieces: (forms: Forms, report: MonthReport, asked: ReportRequest) => Iterable<string>;
  /** The name of the file in which a browser stores it; absent if it shows it. */
  readonly nameOf?: (report: MonthReport) => string;
}

/**
 * Throws a `QueryError` for a group that no item of the month has, or that is left out, and for too
 * many outages, and a `NotReadyError` if too many ranges are asked for.
 */
function reportOf(asked: ReportRequest, turns: ReportTurns): Promise<MonthReport> {
  const read = () => readReport(asked);
  return asked.months.length === 1 ? turns.month(read) : turns.range(read);
}

async function readReport({
  months,
  query,
  isLeftOut,
  unread,
  ...asked
}: ReportRequest): Promise<MonthReport> {
  const [first] = months;
  const isOne = first !== undefined && months.length === 1;
  // The months of a range are joined before anything is selected.
  const limit = new OutageLimit(
    isOne ? 'choose an account, a group, tags or checks' : 'choose fewer months, or one account',
  );
  const accounts: readonly ReportMonths[] = isOne
    ? asked.accounts
    : asked.accounts.map((account) => rangeMonths(account, months, limit));
  const month = isOne ? first : rangeOf(months);
  const tags = new Set(query.tags);
  const isNamed = nameFilter(query.checks);
  const selection: ReportSelection = {
    groups: new Set(query.groups),
    matches: (record) =>
      (tags.size === 0 || record.tags.some((name) => tags.has(name))) && isNamed(record),
    isLeftOut,
  };
  const limitOfMonth = isOne ? limit : undefined;
  const report = await monthReport(accounts, month, selection, limitOfMonth).catch(
    (error: unknown) => {
      throw error instanceof TooManyOutagesError ? new QueryError(error.message) : error;
    },
  );
  const [leftOut] = query.groups.filter((name) => report.groupsLeftOut.includes(name));
  if (leftOut !== undefined) throw new QueryError(leftOutText(leftOut));
  // An account that is not read may have it.
  const isKnown = unread.every(({ missing }) => missing !== 'account');
  for (const name of isKnown ? query.groups : []) {
    requireOneOf(`group of ${monthTitle(month.name)}`, name, [...report.groupNames]);
  }
  const outages = query.day === undefined ? report.outages : outagesOf(query.day, report, accounts);
  const before = isOne ? await withMonthBefore(report, asked, selection) : report;
  const compared = { ...before, outages };
  if (query.by === undefined) return compared;
  const byCheck = (
    { item: a, fromSeconds: from }: ReportOutage,
    { item: b, fromSeconds }: ReportOutage,
  ) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id || from - fromSeconds);
  return { ...compared, outages: await sortInTurns(outages, byCheck, yieldToEventLoop) };
}

/** The outages of a day. Throws a `QueryError` for one that is not in the month. */
function outagesOf(
  date: string,
  { month, outages }: MonthReport,
  accounts: readonly ReportMonths[],
): readonly ReportOutage[] {
  const begins = accounts[0]?.calendar.dayBegins(month) ?? [];
  const dates = datesOf(month, begins);
  const place = dates.indexOf(date);
  const begin = begins[place];
  if (begin === undefined) {
    throw new QueryError(`day must be one of ${dates[0]} to ${dates.at(-1)}`);
  }
  const end = begins[place + 1] ?? month.toSeconds;
  const isOfDay = ({ fromSeconds, seconds }: ReportOutage) =>
    fromSeconds < end && fromSeconds + seconds > begin;
  return outages.filter(isOfDay);
}

function showPage(options: ReportOptions, turns: ReportTurns): RequestHandler {
  return (request, response) =>
    respondOrExplain(response, async () => {
      const asked = await reportRequestOf(request, options);
      const report = await reportOf(asked, turns);
      const { maxLines, reportView, sendHtml, lineMonths } = await loadForms();
      const months = await lineMonths(report, report.items.slice(0, maxLines), asked);
      const site = options.site(0, asked.status);
      const view = reportView({ ...asked, report, months, site });
      await sendHtml({ request, response }, await joinedInTurns(view));
    });
}

/**
 * Responds with 503 before anything is recorded: a program must not take it for a month without
 * checks. A CSV file cannot say that an account that was asked for cannot be read.
 */
function download(
  options: ReportOptions,
  turns: ReportTurns,
  { type, pieces, nameOf }: ReportFile,
): RequestHandler {
  return (request, response) =>
    respondOrExplain(response, async () => {
      const asked = await reportRequestOf(request, options);
      const report = await reportOf(asked, turns);
      const { unread } = asked;
      const isSilent = type === csvType && unread.some(({ missing }) => missing === 'account');
      if (report.items.length === 0 && (!selectsItems(asked.query) || isSilent)) {
        const why =
          unread.length > 0
            ? accountTexts(unread, zonedTimes(report.month.zone)).join(' ')
            : noItemsText;
        const what = selectsItems(asked.query)
          ? 'the file would be empty'
          : 'nothing is recorded yet';
        throw new NotReadyError(`${what}: ${why}`.replace(/\.$/, ''));
      }
      nameUnreadable(response, unread);
      const { incomplete } = report.facts;
      if (incomplete > 0) response.set(awaitedHeader, `${incomplete}`);
      // Only the HTML for mails has styles.
      response.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
      const content = pieces(await loadForms(), report, asked);
      sendPieces(request, response, { type, fileName: nameOf?.(report), pieces: content });
    });
}
