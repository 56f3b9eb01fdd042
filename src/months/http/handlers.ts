import type { Request, RequestHandler } from 'express';
import {
  accountsIn,
  ElsewhereError,
  elsewhereOf,
  QueryError,
  queryOf,
  respondOrExplain,
} from '../../http/item-query.ts';
import type { Route, StatusSource } from '../../http/ports.ts';
import { sendPieces } from '../../http/send-pieces.ts';
import type { SiteAt } from '../../http/views/handlers.ts';
import type { AccountMonths } from '../account-months.ts';
import { type Month, MonthCalendar } from '../calendar.ts';
import { type MonthReport, monthReport, type ReportQuery } from '../report.ts';
import { outagesCsv, reportCsv } from './csv.ts';
import { reportJson } from './json.ts';

interface ReportOptions {
  /** The months of all accounts that are served here. */
  readonly months: () => readonly AccountMonths[];
  readonly status: Pick<StatusSource, 'replicas'>;
  readonly site: SiteAt;
}

const nameOf = ({ account }: AccountMonths) => account;

export function reportRoutes(options: ReportOptions): readonly Route[] {
  return [
    { path: '/report', title: 'Report', get: showPage(options) },
    {
      path: '/report.csv',
      get: download(
        options,
        'text/csv; charset=utf-8',
        ({ month }) => `report-${month.name}.csv`,
        reportCsv,
      ),
    },
    {
      path: '/report-outages.csv',
      get: download(
        options,
        'text/csv; charset=utf-8',
        ({ month }) => `outages-${month.name}.csv`,
        outagesCsv,
      ),
    },
    {
      path: '/report.json',
      get: download(options, 'application/json; charset=utf-8', () => undefined, reportJson),
    },
  ];
}

/** What a request asks for. */
interface Asked {
  readonly accounts: readonly AccountMonths[];
  readonly month: Month;
  readonly zone: string;
  readonly query: ReportQuery;
}

const parameters = ['month', 'account', 'group', 'tag'] as const;

/** Throws a `QueryError`, or an `ElsewhereError` for an account of another replica. */
function askedOf({ url }: Request, { months, status }: ReportOptions): Asked {
  const parsed = queryOf(url, parameters);
  const known = months();
  const elsewhere = elsewhereOf(known.map(nameOf), status);
  const names = parsed.getAll('account');
  const other = elsewhere.find(({ account }) => names.includes(account));
  if (other !== undefined) throw new ElsewhereError(other);
  const accounts = accountsIn(parsed, known, nameOf);
  const [first] = accounts;
  const calendar = first?.calendar ?? new MonthCalendar('UTC');
  const query = { accounts: names, groups: parsed.getAll('group'), tags: parsed.getAll('tag') };
  const month = monthOf(parsed.get('month'), accounts, calendar);
  return { accounts, month, zone: zoneOf(accounts, month) ?? calendar.zone, query };
}

/** The last complete month by default, or the present one if none is known. */
function monthOf(
  name: string | null,
  accounts: readonly AccountMonths[],
  calendar: MonthCalendar,
): Month {
  const [first] = accounts;
  const present = calendar.containing(first?.nowSeconds ?? 0);
  const known = accounts.flatMap(({ months }) => months).sort((a, b) => (a.name < b.name ? -1 : 1));
  const past = known.filter((month) => month.name < present.name);
  if (name === null) return past.at(-1) ?? present;
  if (name === present.name) return present;
  const asked = past.find((month) => month.name === name);
  if (asked !== undefined) return asked;
  const names = [...new Set([...past.map((month) => month.name), present.name])];
  throw new QueryError(`month must be one of ${names.join(', ')}`);
}

/** The zone in which the month was written. */
function zoneOf(accounts: readonly AccountMonths[], { name }: Month): string | undefined {
  const months = accounts.flatMap((account) => account.months);
  return months.find((month) => month.name === name)?.zone;
}

function reportOf({ accounts, month, zone, query }: Asked): Promise<MonthReport> {
  const tags = new Set(query.tags);
  return monthReport(accounts, month, zone, {
    groups: new Set(query.groups),
    hasTag: (of) => tags.size === 0 || of.some(({ name }) => tags.has(name)),
  });
}

function showPage(options: ReportOptions): RequestHandler {
  return (request, response) =>
    respondOrExplain(response, async () => {
      const asked = askedOf(request, options);
      const report = await reportOf(asked);
      const { reportView, sendHtml } = await import('./html.ts');
      const text = reportView({ ...asked, report, site: options.site(0) });
      await sendHtml({ request, response }, text);
    });
}

function download(
  options: ReportOptions,
  type: string,
  fileName: (report: MonthReport) => string | undefined,
  textOf: (report: MonthReport) => Iterable<string>,
): RequestHandler {
  return (request, response) =>
    respondOrExplain(response, async () => {
      const report = await reportOf(askedOf(request, options));
      const content = { type, fileName: fileName(report), pieces: textOf(report) };
      sendPieces(request, response, content);
    });
}
