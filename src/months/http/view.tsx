import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { displayText, Moment, Name } from '../../http/common/format.tsx';
import { hrefTo, type Site, viewPieces, within } from '../../http/common/layout.tsx';
import { type Month, monthsKept } from '../../lib/month-calendar.ts';
import { present } from '../../lib/present.ts';
import { type ZonedTimes, zonedTimes } from '../../lib/zoned-times.ts';
import type { AccountMonths } from '../account-months.ts';
import { isRange, monthQuery } from '../month-range.ts';
import type { MonthReport } from '../report.ts';
import { type Lines, linesOf } from './columns.ts';
import { groupHistories } from './group-history.ts';
import { GroupMonths } from './group-months.tsx';
import { accountTexts, leadText } from './lead-text.ts';
import type { LineMonths } from './line-months.ts';
import { monthTitle, shortMonthTitle } from './month-titles.ts';
import { outageTable, rowTable } from './report-table.tsx';
import { totalTexts } from './total-words.ts';
import { type ReportScope, verdictText } from './verdict-words.ts';

interface ReportViewProps extends ReportScope {
  readonly site: Site;
  readonly report: MonthReport;
  readonly accounts: readonly AccountMonths[];
  /** The months of which something is known, and the present one, oldest first. */
  readonly known: readonly Month[];
  /** The page of the outages. */
  readonly page: string | null;
  readonly months: LineMonths;
}

/** The month of all groups, checks and transactions, to read and to print, in pieces. */
export function reportView(props: ReportViewProps): Iterable<string> {
  const { site, report } = props;
  const title = `${monthTitle(report.month.name)} – report`;
  const times = zonedTimes(report.month.zone);
  // A month of many checks takes long to read, and what is printed must not change.
  return viewPieces({ site, title, isLive: false, times }, contentPieces(props));
}

function* contentPieces(props: ReportViewProps): Iterable<string> {
  const { site, report, accounts } = props;
  const { month, groups, items } = report;
  yield renderToString(
    <nav aria-label="Months">
      <MonthLinks {...props} />
    </nav>,
  );
  const lines = { site, months: props.months, ...linesOf(report) };
  yield renderToString(<Head {...props} times={lines.times} />);
  if (groups.length > 0) {
    yield* part('groups', 'Groups', rowTable({ lines, rows: groups, label: 'Groups' }));
  }
  if (items.length > 0) {
    const label = 'Checks and transactions';
    yield* part('checks', label, rowTable({ lines, rows: items, label }));
  }
  yield* part('outages', 'Outages', outagePieces(props, lines));
  const history = groupHistories({ accounts, groups, ...(!isRange(month) && { report }) });
  if (history.groups.length === 0) return;
  const table = renderToString(
    <GroupMonths
      href={(path) => hrefTo(site, path)}
      history={history}
      severalAccounts={accounts.length > 1}
    />,
  );
  yield* part('months', 'Months', [table]);
}

function* outagePieces(props: ReportViewProps, lines: Lines): Iterable<string> {
  const { page, report, query } = props;
  const isByTime = query.by === undefined;
  yield renderToString(<OutagesSearch {...props} />);
  const href = (other: number) => outagesHref(props, { page: `${other}` });
  yield* outageTable({ lines, outages: report.outages, page, isByTime, href });
}

function part(id: string, title: string, pieces: Iterable<string>): Iterable<string> {
  const section = (inner: ComponentChildren) => (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {inner}
    </section>
  );
  return within(section, pieces);
}

/** What is said of the whole month. */
function Head({ times, ...props }: ReportViewProps & { readonly times: ZonedTimes }) {
  const { report, unread } = props;
  const { month, items } = report;
  return (
    <section aria-labelledby="report">
      <h1 id="report">{monthTitle(month.name)}</h1>
      {accountTexts(unread, times).map((text) => (
        <p class="note bad">{text}</p>
      ))}
      <Lead report={report} times={times} />
      <Selection {...props} />
      <p class="lead">{verdictText(report, props)}</p>
      {totalTexts(report).map((text) => (
        <p>{text}</p>
      ))}
      {items.length > 0 && (
        <p class="rest">
          A bar is a day: the higher it is, the more of the downtime that the objective permits for
          a day was used. In the middle: not known.
        </p>
      )}
      <p class="rest print-hidden">
        As <a href={reportHref(props, 'report.csv', month)}>CSV</a>,{' '}
        <a href={reportHref(props, 'report-outages.csv', month)}>CSV of the outages</a>,{' '}
        <a href={reportHref(props, 'report.json', month)}>JSON</a> or{' '}
        <a href={reportHref(props, 'report.txt', month)}>text</a>
      </p>
    </section>
  );
}

function reportHref({ site, query }: ReportViewProps, path: string, { name }: Month): string {
  const search = new URLSearchParams(monthQuery({ name }));
  for (const account of query.accounts) search.append('account', account);
  for (const group of query.groups) search.append('group', group);
  for (const tag of query.tags) search.append('tag', tag);
  for (const check of query.checks) search.append('check', check);
  if (path !== 'report') {
    if (query.day !== undefined) search.append('day', query.day);
    if (query.by !== undefined) search.append('by', query.by);
  }
  return hrefTo(site, `${path}?${search}`);
}

/** The outages of the same selection, with other parameters of their own. */
function outagesHref(
  props: ReportViewProps,
  { by = props.query.by, page }: { readonly by?: string | undefined; readonly page?: string },
): string {
  const { query, report } = props;
  const own = new URLSearchParams(present({ day: query.day, by, page }));
  const rest = own.size === 0 ? '' : `&${own}`;
  return `${reportHref(props, 'report', report.month)}${rest}#outages`;
}

/** A form that works without scripts. It keeps the selection, but for the checks. */
function OutagesSearch(props: ReportViewProps) {
  const { site, query, report } = props;
  const kept: readonly (readonly [name: string, values: readonly string[]])[] = [
    ...Object.entries(monthQuery(report.month)).map(([name, value]) => [name, [value]] as const),
    ['account', query.accounts],
    ['group', query.groups],
    ['tag', query.tags],
    ['day', query.day === undefined ? [] : [query.day]],
    ['by', query.by === undefined ? [] : [query.by]],
  ];
  return (
    <search class="print-hidden">
      <form class="filters" action={hrefTo(site, 'report#outages')} method="get">
        <label>
          Check
          <input
            type="search"
            name="check"
            value={query.checks.length === 1 ? query.checks[0] : ''}
            placeholder="name or id"
            maxLength={200}
            autoComplete="off"
          />
        </label>
        {kept.flatMap(([name, values]) =>
          values.map((value) => <input type="hidden" name={name} value={value} />),
        )}
        <button type="submit">Show</button>
      </form>
      <p class="rest">
        {query.by === undefined ? (
          <>
            By time; <a href={outagesHref(props, { by: 'check' })}>by check</a>
          </>
        ) : (
          <>
            By check; <a href={outagesHref(props, { by: 'time' })}>by time</a>
          </>
        )}
      </p>
    </search>
  );
}

/** The newest first. */
function MonthLinks(props: ReportViewProps) {
  const { known, report } = props;
  return (
    <ul>
      {known
        .slice(-monthsKept - 1)
        .reverse()
        .map((month) => (
          <li>
            <a
              href={reportHref(props, 'report', month)}
              aria-current={month.name === report.month.name ? 'page' : undefined}
            >
              {shortMonthTitle(month.name)}
            </a>
          </li>
        ))}
    </ul>
  );
}

/** What is selected, and the way back to everything. */
function Selection({ site, report, query }: ReportViewProps) {
  const parts = [
    ...query.accounts.map((name) => `account ${name}`),
    ...query.groups.map((name) => `group ${name}`),
    ...query.tags.map((name) => `tag ${name}`),
    ...query.checks.map((name) => `check ${name}`),
    ...(query.day === undefined ? [] : [`outages of ${query.day}`]),
  ];
  if (parts.length === 0) return null;
  return (
    <p class="rest">
      Only <Name text={parts.map(displayText).join(', ')} />;{' '}
      <a
        class="print-hidden"
        href={hrefTo(site, `report?${new URLSearchParams(monthQuery(report.month))}`)}
      >
        the whole month
      </a>
    </p>
  );
}

function Lead({ report, times }: { readonly report: MonthReport; readonly times: ZonedTimes }) {
  const { month } = report;
  return (
    <p class="rest">
      <Moment at={month.fromSeconds} toTheMinute times={times} /> to{' '}
      <Moment at={month.toSeconds} toTheMinute times={times} />, months of the time zone{' '}
      {month.zone}. {leadText(report)}
    </p>
  );
}
