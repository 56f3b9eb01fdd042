import { formatDecimal, plural } from '../../lib/format-number.ts';
import { budgetLeft, ErrorBudgetSection } from '../common/error-budget.tsx';
import { displayText, Fact, formatRatio, Name, WholeName } from '../common/format.tsx';
import { type Item, itemsOfAccount, serviceNow } from '../common/items.ts';
import { hrefTo, LiveSection, renderView, type Site } from '../common/layout.tsx';
import { type ItemQuery, selectItems } from '../common/list-query.ts';
import { groupMembership, type ItemOutage } from '../common/outage-list.ts';
import { OutageTable } from '../common/outage-table.tsx';
import {
  addToBars,
  availabilityIn,
  describeBars,
  emptyBars,
  type PastBar,
  uncountedFrom,
} from '../common/past-bars.ts';
import { outagesPath } from '../common/paths.ts';
import { availabilityOfBudget, shownRanges } from '../common/shown-range.ts';
import { StateBadge, stateWord } from '../common/state-badge.tsx';
import { BarsTable, Strip, StripEnds, StripLegend } from '../common/strip.tsx';
import { ItemTable } from '../list/item-list.tsx';
import type { AccountStatus, ViewPart } from '../ports.ts';
import { BudgetLine, GroupResponses, ResponseLines } from './group-lines.tsx';
import type { GroupStanding } from './group-standing.ts';
import { CheckLink, Groups, HiddenGroups, WhyUnknown } from './groups.tsx';

/** The view of a group has its last outages. */
const maxOutages = 20;
const itemsPerStep = 32;

/** A group of one account, with the data of its view. */
interface ShownGroup {
  readonly status: AccountStatus;
  readonly standing: GroupStanding;
  readonly items: readonly Item[];
  /** The last 30 days, added up over its checks. */
  readonly bars: readonly PastBar[];
  readonly responses: GroupResponses;
  /** The number of its checks whose last outage is not counted yet. */
  readonly uncounted: number;
  /** The latest first. */
  readonly outages: readonly ItemOutage[];
  /** What optional features show of it. */
  readonly parts: readonly ViewPart[];
}

/** Adds up the last 30 days of a group of any size. */
export async function groupItems(
  status: AccountStatus,
  name: string,
  nowSeconds: number,
  yieldIfDue: () => Promise<void>,
): Promise<Pick<ShownGroup, 'items' | 'bars' | 'responses' | 'uncounted'>> {
  const now = serviceNow(status, nowSeconds);
  const items = [...itemsOfAccount(status)].filter(groupMembership([name]));
  const bars = emptyBars('30d', now);
  const responses = new GroupResponses();
  let uncounted = 0;
  for (const [place, item] of items.entries()) {
    if (place % itemsPerStep === 0) await yieldIfDue();
    addToBars(bars, item, now);
    responses.add(item, now);
    if (uncountedFrom(item) !== undefined) uncounted += 1;
  }
  return { items, bars, responses, uncounted };
}

interface GroupViewProps {
  readonly site: Site;
  readonly name: string;
  /** One for each account that has a group with the name, the worst first. */
  readonly groups: readonly ShownGroup[];
  /** All accounts that were asked for. */
  readonly accounts: readonly AccountStatus[];
  readonly query: ItemQuery;
}

/** Renders the view of one group. */
export function groupView({ site, name, groups, accounts, query }: GroupViewProps): string {
  const worst = groups[0]?.standing.status ?? 'up';
  const severalAccounts = groups.length > 1;
  const selection = selectItems(
    groups.flatMap(({ items }) => items),
    query,
    site.nowSeconds,
  );
  return renderView({
    site,
    title: `${worst === 'up' ? '' : `(${stateWord(worst).toLowerCase()}) `}${displayText(name)} · uptime-exporter`,
    children: (
      <>
        <nav aria-label="Breadcrumb">
          <a href={hrefTo(site, 'groups')}>All groups</a>
        </nav>
        <HiddenGroups accounts={accounts} />
        {groups.map((group, place) => (
          <Group {...{ site, group, place }} />
        ))}
        <section aria-labelledby="list">
          <h2 id="list">Checks</h2>
          <div data-live="list">
            <ItemTable {...{ site, selection, severalAccounts }} nowSeconds={site.nowSeconds} />
          </div>
        </section>
      </>
    ),
  });
}

interface GroupProps {
  readonly site: Site;
  readonly group: ShownGroup;
  /** Of the account, so that ids are unique. */
  readonly place: number;
}

function Group({ site, group, place }: GroupProps) {
  const { standing, bars, responses, parts, uncounted } = group;
  const { budget } = standing.row;
  const { remainingRatio: left } = budget;
  const id = (part: string) => (place === 0 ? part : `${part}-${place + 1}`);
  const up = uncounted === 0 ? availabilityOfBudget(budget, '30d') : undefined;
  const permitted = 1 - budget.objective.ratio;
  return (
    <>
      <section aria-labelledby={id('group')}>
        <div data-live={id('head')}>
          <Head {...{ site, group }} id={id('group')} />
        </div>
      </section>
      <LiveSection id={id('month')} title="Last 30 days">
        <div class="tall">
          <Strip {...{ bars, up, permitted }} label="Last 30 days" hasTitles />
          <StripEnds bars={bars} />
        </div>
        <p class="rest">
          {describeBars(bars, up)}. {standing.checks > 1 && 'The time of its checks, added up.'}
        </p>
        <StripLegend range="30d" isOfGroup />
        <details id={id('month-table')}>
          <summary>As a table</summary>
          <BarsTable bars={bars} label="Days" />
        </details>
      </LiveSection>
      <LiveSection id={id('budget')} title="Error budget">
        <ErrorBudgetSection budget={budget} checks={standing.checks} />
        {left !== undefined && <BudgetLine bars={bars} left={left} />}
      </LiveSection>
      <LiveSection id={id('responses')} title="Response times">
        <ResponseLines
          {...{ bars, responses }}
          checks={standing.checks}
          id={id('responses-table')}
        />
      </LiveSection>
      <LiveSection id={id('outages')} title="Outages">
        <Outages {...{ site, group }} />
      </LiveSection>
      {parts.map((part) => (
        <LiveSection id={id(part.id)} title={part.title}>
          {part.body}
        </LiveSection>
      ))}
    </>
  );
}

function Head({ site, group, id }: Pick<GroupProps, 'site' | 'group'> & { readonly id: string }) {
  const { standing, uncounted, items } = group;
  const { row, status, inMaintenance, checks, worst } = standing;
  const { account } = group.status.snapshot;
  const now = serviceNow(group.status, site.nowSeconds);
  const { budget } = row;
  return (
    <>
      <h1 id={id}>
        <WholeName text={row.name} />
      </h1>
      <p class="lead">
        <StateBadge item={{ state: status, inMaintenance }} />{' '}
        <small>
          {formatDecimal(row.statuses.get(status) ?? 0)} of {plural(checks, 'check')}
        </small>
      </p>
      <p class="rest">
        group of checks in account <Name text={account} />
        {worst !== undefined && (
          <>
            ; the worst is <CheckLink {...{ site, account, check: worst }} />
          </>
        )}
      </p>
      {budget.errorRatios['30d'] === undefined && (
        <p class="rest">
          <WhyUnknown standing={standing} />
        </p>
      )}
      <dl class="figures">
        {shownRanges.map((range) => {
          const isMonitored = items.some((item) => availabilityIn(item, range, now) !== undefined);
          const up = isMonitored ? availabilityOfBudget(budget, range) : undefined;
          return <Fact name={`Up, ${range}`}>{up === undefined ? '–' : formatRatio(up)}</Fact>;
        })}
        <Fact name="Budget left">{budgetLeft(budget)}</Fact>
      </dl>
      {uncounted > 0 && (
        <p class="rest">
          Availability and error budget lack the last outage of {plural(uncounted, 'check')}: it is
          not counted yet.
        </p>
      )}
    </>
  );
}

function Outages({ site, group }: Pick<GroupProps, 'site' | 'group'>) {
  const { standing, outages, status } = group;
  const path = outagesPath({ account: status.snapshot.account, group: standing.row.name });
  if (outages.length === 0) {
    const none =
      standing.unread.length > 0
        ? 'No outage is known yet: the past of some checks is not read.'
        : 'No known outages in the last 35 days.';
    return <p class="rest">{none}</p>;
  }
  return (
    <>
      <OutageTable
        site={site}
        outages={outages.slice(0, maxOutages)}
        columns={['check', 'began', 'ended', 'lasted', 'why']}
      />
      <p class="rest">
        <a href={hrefTo(site, path)}>
          {outages.length > maxOutages
            ? `All ${formatDecimal(outages.length)} outages`
            : 'All known outages'}
        </a>
      </p>
    </>
  );
}

/** Renders the view of all groups. */
export function groupsView(site: Site, accounts: readonly AccountStatus[]): string {
  return renderView({
    site,
    title: 'Groups · uptime-exporter',
    children: (
      <section aria-labelledby="title">
        <h1 id="title">Groups</h1>
        <div data-live="groups">
          <Groups site={site} accounts={accounts} />
        </div>
      </section>
    ),
  });
}
