import type { Request, RequestHandler } from 'express';
import {
  accountsIn,
  elsewhereOf,
  NotReadyError,
  QueryError,
  queryOf,
  requireOwned,
  respondOrExplain,
} from '../../http/item-query.ts';
import { nameFilter } from '../../http/outage-list.ts';
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
  const csv = 'text/csv; charset=utf-8';
  const files: readonly (readonly [path: string, file: ReportFile])[] = [
    [
      '/report.csv',
      { type: csv, pieces: reportCsv, nameOf: ({ month }) => `report-${month.name}.csv` },
    ],
    [
      '/report-outages.csv',
      { type: csv, pieces: outagesCsv, nameOf: ({ month }) => `outages-${month.name}.csv` },
    ],
    ['/report.json', { type: 'application/json; charset=utf-8', pieces: reportJson }],
    [
      '/report.txt',
      {
        type: 'text/plain; charset=utf-8',
        pieces: async (report) => (await import('./html.ts')).reportText(report),
      },
    ],
  ];
  return [
    { path: '/report', title: 'Report', get: showPage(options) },
    ...files.map(([path, file]) => ({ path, get: download(options, file) })),
  ];
}

/** A form of the report for programs, or for a mail. */
interface ReportFile {
  readonly type: string;
  readonly pieces: (report: MonthReport) => Iterable<string> | Promise<Iterable<string>>;
  /** The name of the file in which a browser stores it; absent if it shows it. */
  readonly nameOf?: (report: MonthReport) => string;
}

/** What a request asks for. */
interface Asked {
  readonly accounts: readonly AccountMonths[];
  readonly month: Month;
  readonly zone: string;
  readonly query: ReportQuery;
}

const parameters = ['month', 'account', 'group', 'tag', 'check'] as const;

/**
 * Throws a `QueryError`, an `ElsewhereError` for an account of another replica, or a `NotReadyError`
 * if this one owns none.
 */
function askedOf({ url }: Request, { months, status }: ReportOptions): Asked {
  const parsed = queryOf(url, parameters);
  const known = months();
  const elsewhere = elsewhereOf(known.map(nameOf), status);
  const names = parsed.getAll('account');
  requireOwned(names, known, elsewhere);
  const accounts = accountsIn(parsed, known, nameOf);
  const [first] = accounts;
  const calendar = first?.calendar ?? new MonthCalendar('UTC');
  const query = {
    accounts: names,
    groups: parsed.getAll('group'),
    tags: parsed.getAll('tag'),
    checks: parsed.getAll('check'),
  };
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
  const isNamed = nameFilter(query.checks);
  return monthReport(accounts, month, zone, {
    groups: new Set(query.groups),
    matches: (record) =>
      (tags.size === 0 || record.tags.some((name) => tags.has(name))) && isNamed(record),
    hasGroups: query.checks.length === 0,
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

/** Responds with 503 before anything is recorded: a program must not take it for a month without checks. */
function download(options: ReportOptions, { type, pieces, nameOf }: ReportFile): RequestHandler {
  return (request, response) =>
    respondOrExplain(response, async () => {
      const asked = askedOf(request, options);
      const report = await reportOf(asked);
      const isFiltered = Object.values(asked.query).some((values) => values.length > 0);
      if (report.items.length === 0 && !isFiltered) {
        throw new NotReadyError('nothing is recorded yet: no check or transaction was counted');
      }
      const content = { type, fileName: nameOf?.(report), pieces: await pieces(report) };
      sendPieces(request, response, content);
    });
}
