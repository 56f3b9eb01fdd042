import type { ComponentChildren } from 'preact';
import { groupPath, itemPath } from '../../http/items.ts';
import {
  displayText,
  formatDecimal,
  formatObjective,
  Moment,
  Name,
  plural,
  Table,
} from '../../http/views/format.tsx';
import { hrefTo, renderView, type Site } from '../../http/views/layout.tsx';
import { humanizeDuration } from '../../lib/format-duration.ts';
import type { AccountMonths } from '../account-months.ts';
import { type Month, monthsKept } from '../calendar.ts';
import type { MonthReport, ReportOutage, ReportQuery, ReportRow } from '../report.ts';
import { groupHistories } from './group-history.ts';
import { GroupMonths } from './group-months.tsx';
import {
  formatAvailability,
  isFlawless,
  leadText,
  monthTitle,
  notKnownTexts,
  readText,
  shortMonthTitle,
  verdictText,
} from './words.ts';

/** A table in the view has at most this many lines; the CSV file has all. */
const maxLines = 300;

interface ReportViewProps {
  readonly site: Site;
  readonly report: MonthReport;
  readonly accounts: readonly AccountMonths[];
  readonly query: ReportQuery;
}

/** The month of all groups, checks and transactions, to read and to print. */
export function reportView(props: ReportViewProps): string {
  const { site, report, accounts } = props;
  const { month, groups, items, outages } = report;
  const title = monthTitle(month.name);
  const hasAccount = new Set(items.map(({ account }) => account)).size > 1;
  const lines = { site, hasAccount, month };
  const history = groupHistories({ accounts, groups, report });
  return renderView({
    site,
    title: `${title} – report`,
    // A month of many checks takes long to read, and what is printed must not change.
    isLive: false,
    children: (
      <>
        <nav aria-label="Months">
          <MonthLinks {...props} />
        </nav>
        <section aria-labelledby="report">
          <h1 id="report">{title}</h1>
          <Lead report={report} />
          <p class="lead">{verdictText(report)}</p>
          <p class="rest print-hidden">
            As <a href={reportHref(props, 'report.csv', month)}>CSV</a>,{' '}
            <a href={reportHref(props, 'report-outages.csv', month)}>CSV of the outages</a>,{' '}
            <a href={reportHref(props, 'report.json', month)}>JSON</a> or{' '}
            <a href={reportHref(props, 'report.txt', month)}>text</a>
          </p>
        </section>
        {groups.length > 0 && (
          <Part id="groups" title="Groups">
            <Rows {...lines} rows={groups} label="Groups" />
          </Part>
        )}
        <Part id="checks" title="Checks and transactions">
          {items.length === 0 ? (
            <p class="rest">Nothing was recorded in this month.</p>
          ) : (
            <Rows {...lines} rows={items} label="Checks and transactions" />
          )}
        </Part>
        <Part id="outages" title="Outages">
          <Outages site={site} hasAccount={hasAccount} outages={outages} />
        </Part>
        {history.groups.length > 0 && (
          <Part id="months" title="Months">
            <GroupMonths
              href={(path) => hrefTo(site, path)}
              history={history}
              severalAccounts={accounts.length > 1}
            />
          </Part>
        )}
      </>
    ),
  });
}

interface PartProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Part({ id, title, children }: PartProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function reportHref({ site, query }: ReportViewProps, path: string, { name }: Month): string {
  const search = new URLSearchParams({ month: name });
  for (const account of query.accounts) search.append('account', account);
  for (const group of query.groups) search.append('group', group);
  for (const tag of query.tags) search.append('tag', tag);
  return hrefTo(site, `${path}?${search}`);
}

/** The months with records, and the present one. */
function MonthLinks(props: ReportViewProps) {
  const { accounts, report } = props;
  const [first] = accounts;
  const months: Month[] = accounts.flatMap((account) => account.months);
  if (first !== undefined) months.push(first.calendar.containing(first.nowSeconds));
  const unique = new Map(months.map((month) => [month.name, month]));
  const sorted = [...unique.values()].sort((a, b) => b.fromSeconds - a.fromSeconds);
  return (
    <ul>
      {sorted.slice(0, monthsKept + 1).map((month) => (
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

function Lead({ report }: { readonly report: MonthReport }) {
  const { month, zone } = report;
  return (
    <p class="rest">
      <Moment at={month.fromSeconds} toTheMinute /> to <Moment at={month.toSeconds} toTheMinute />,
      months of the time zone {zone}. {leadText(report)}
    </p>
  );
}

interface LinesProps {
  readonly site: Site;
  readonly month: Month;
  readonly hasAccount: boolean;
}

function Rows({
  rows,
  label,
  ...lines
}: LinesProps & { readonly rows: readonly ReportRow[]; readonly label: string }) {
  const more = rows.slice(maxLines);
  return (
    <>
      <Table
        label={label}
        class="report stack"
        columns={['Name', 'Available', 'Objective', 'Down', 'Outages', 'Maintenance', 'Not known']}
      >
        {rows.slice(0, maxLines).map((row) => (
          <Row {...lines} row={row} />
        ))}
      </Table>
      {more.length > 0 && (
        <p class="rest">
          and {formatDecimal(more.length)} more, {formatDecimal(more.filter(isFlawless).length)} of
          them without downtime and known for the whole month; the CSV file has all.
        </p>
      )}
    </>
  );
}

function Row({ site, hasAccount, month, row }: LinesProps & { readonly row: ReportRow }) {
  const { account, availability, margin, objective, outages, longestOutage, maintenance } = row;
  return (
    <tr>
      <th scope="row">
        <RowName site={site} row={row} />
        {(row.kind === 'group' || hasAccount) && (
          <small>
            {row.kind === 'group' && plural(row.items, 'check')}
            {hasAccount && (
              <>
                {' '}
                in <Name text={account} />
              </>
            )}
          </small>
        )}
        <Life row={row} />
      </th>
      <td class="number" data-label="Available">
        {availability === undefined ? '–' : formatAvailability(availability)}
      </td>
      <td class="verdict" data-label="Objective">
        {formatObjective(objective)} <Outcome margin={margin} />
      </td>
      <td class="number" data-label="Down">
        {row.down === 0 ? '–' : humanizeDuration(row.down)}
      </td>
      <td data-label="Outages">
        {outages === 0 ? '–' : formatDecimal(outages)}
        {outages > 1 && <small>longest {humanizeDuration(longestOutage)}</small>}
        {row.folded > 0 && <small>and more in {humanizeDuration(row.folded)} of flapping</small>}
      </td>
      <td class="number" data-label="Maintenance">
        {maintenance === 0 ? '–' : humanizeDuration(maintenance)}
      </td>
      <td data-label="Not known">
        <NotKnown row={row} month={month} />
      </td>
    </tr>
  );
}

function RowName({ site, row }: { readonly site: Site; readonly row: ReportRow }) {
  const { kind, account, id, name, isListed } = row;
  if (!isListed) return <Name text={name} />;
  const path =
    kind === 'group' || id === undefined
      ? groupPath({ account, name })
      : itemPath({ kind, account, id });
  return (
    <a href={hrefTo(site, path)}>
      <Name text={name} />
    </a>
  );
}

function Life({ row }: { readonly row: ReportRow }) {
  const { createdAtSeconds, removedAtSeconds } = row;
  const read = readText(row);
  return (
    <>
      {createdAtSeconds !== undefined && (
        <small>
          created <Moment at={createdAtSeconds} toTheMinute />
        </small>
      )}
      {removedAtSeconds !== undefined && (
        <small>
          removed <Moment at={removedAtSeconds} toTheMinute />
        </small>
      )}
      {read !== undefined && <small>{read}</small>}
    </>
  );
}

function Outcome({ margin }: { readonly margin: number | undefined }) {
  if (margin === undefined) return <small>not tested</small>;
  if (margin < 0) {
    return (
      <>
        <span class="badge bad">missed</span>
        <small>by {humanizeDuration(Math.ceil(-margin))}</small>
      </>
    );
  }
  return (
    <>
      <span class="badge good">met</span>
      <small>{humanizeDuration(margin)} left</small>
    </>
  );
}

/** What of the month is not known, and how much of it was watched. */
function NotKnown({ row, month }: { readonly row: ReportRow; readonly month: Month }) {
  const { unwatched, items, known } = row;
  const parts = notKnownTexts(row);
  const length = month.toSeconds - month.fromSeconds;
  const isPart = items === 1 && unwatched > 0 && known < length;
  return (
    <>
      {parts.length === 0 ? '–' : parts.join(', ')}
      {isPart && (
        <small>
          {humanizeDuration(known)} of {humanizeDuration(length)} known
        </small>
      )}
    </>
  );
}

function Outages({
  site,
  hasAccount,
  outages,
}: Omit<LinesProps, 'month'> & { readonly outages: readonly ReportOutage[] }) {
  if (outages.length === 0) return <p class="rest">None is known.</p>;
  const shown = outages.slice(0, maxLines);
  return (
    <>
      <Table label="Outages" class="report stack" columns={['Begin', 'Name', 'Duration', 'Cause']}>
        {shown.map((outage) => (
          <OutageRow {...{ site, hasAccount, outage }} />
        ))}
      </Table>
      {outages.length > shown.length && (
        <p class="rest">
          and {formatDecimal(outages.length - shown.length)} more; the CSV file has all.
        </p>
      )}
    </>
  );
}

function OutageRow({
  site,
  hasAccount,
  outage,
}: Omit<LinesProps, 'month'> & { readonly outage: ReportOutage }) {
  const { kind, account, id, name, fromSeconds, toSeconds, seconds, causes, maintenance } = outage;
  return (
    <tr>
      <td data-label="Begin">
        {outage.beganBefore && 'before '}
        <Moment at={fromSeconds} toTheMinute />
        {!outage.isCounted && <small>counted in an earlier month</small>}
      </td>
      <th scope="row">
        {outage.isListed ? (
          <a href={hrefTo(site, itemPath({ kind, account, id }))}>
            <Name text={name} />
          </a>
        ) : (
          <Name text={name} />
        )}
        {hasAccount && (
          <small>
            in <Name text={account} />
          </small>
        )}
      </th>
      <td data-label="Duration">
        {toSeconds === undefined && 'at least '}
        {humanizeDuration(seconds)}
        {outage.secondsInMonth < seconds && (
          <small>{humanizeDuration(outage.secondsInMonth)} in this month</small>
        )}
        {maintenance !== 'none' && (
          <small>{maintenance === 'whole' ? 'in maintenance' : 'partly in maintenance'}</small>
        )}
      </td>
      <td data-label="Cause">
        {causes.length === 0 ? (
          <span class="rest">not known</span>
        ) : (
          <Name text={causes.map(displayText).join('; ')} />
        )}
      </td>
    </tr>
  );
}
