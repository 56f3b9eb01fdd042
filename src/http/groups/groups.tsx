import { formatDecimal, plural } from '../../lib/format-number.ts';
import { ShareLeft } from '../common/error-budget.tsx';
import { formatObjective, formatRatio, Name, Table } from '../common/format.tsx';
import { hrefTo, type Site } from '../common/layout.tsx';
import { groupPath, itemPath } from '../common/paths.ts';
import { hidesChecks } from '../common/shown-lists.ts';
import { StateBadge } from '../common/state-badge.tsx';
import type { AccountStatus } from '../ports.ts';
import { type GroupStanding, groupStandings, worstFirst } from './group-standing.ts';

interface GroupsProps {
  readonly site: Site;
  readonly accounts: readonly AccountStatus[];
  /** At most this many; by default all. */
  readonly most?: number;
}

/** A row for each group of checks, the worst first. */
export function Groups({ site, accounts, most = Number.POSITIVE_INFINITY }: GroupsProps) {
  const standings = accounts
    .flatMap(({ snapshot }) =>
      groupStandings(snapshot).map((standing) => ({ account: snapshot.account, standing })),
    )
    .sort((a, b) => worstFirst(a.standing, b.standing));
  if (standings.length === 0) {
    if (accounts.some(({ snapshot }) => hidesChecks(snapshot))) {
      return <p class="rest">Not known without a fresh check list.</p>;
    }
    return (
      <p class="rest">
        No check is in a group. The key <code>groups</code> of the configuration makes groups, from
        tags or by name.
      </p>
    );
  }
  const more = standings.length - most;
  return (
    <>
      <Table
        label="Groups"
        class="groups stack"
        columns={['Group', 'State', 'Worst check', 'Up, 30d', 'Budget left', 'Burn rate, 1h']}
      >
        {standings.slice(0, most).map(({ account, standing }) => (
          <Row {...{ site, account, standing }} hasAccount={accounts.length > 1} />
        ))}
      </Table>
      {more > 0 && (
        <p class="rest">
          and {formatDecimal(more)} more: <a href={hrefTo(site, 'groups')}>all groups</a>
        </p>
      )}
      <HiddenGroups accounts={accounts} />
      {accounts.map(({ snapshot }) => (
        <LeftOut snapshot={snapshot} hasAccount={accounts.length > 1} />
      ))}
    </>
  );
}

/** Names the accounts whose groups are not shown. */
export function HiddenGroups({ accounts }: { readonly accounts: readonly AccountStatus[] }) {
  const hidden = accounts.filter(({ snapshot }) => hidesChecks(snapshot));
  if (hidden.length === 0) return null;
  return (
    <p class="rest">
      Not known without a fresh check list: the groups of{' '}
      <Names names={hidden.map(({ snapshot }) => snapshot.account)} />.
    </p>
  );
}

const maxNames = 10;

interface LeftOutProps {
  readonly snapshot: AccountStatus['snapshot'];
  readonly hasAccount: boolean;
}

function LeftOut({ snapshot, hasAccount }: LeftOutProps) {
  const { account, groupsLeftOut: names = [] } = snapshot;
  if (names.length === 0) return null;
  return (
    <p class="rest">
      {plural(names.length, 'more group is', 'more groups are')} left out
      {hasAccount && (
        <>
          {' '}
          of <Name text={account} />
        </>
      )}
      , because of <code>max_groups</code>: <Names names={names} />
    </p>
  );
}

function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <>
      {names.slice(0, maxNames).map((name, place) => (
        <>
          {place > 0 && ', '}
          <Name text={name} />
        </>
      ))}
      {names.length > maxNames && `, and ${formatDecimal(names.length - maxNames)} more`}
    </>
  );
}

interface RowProps {
  readonly site: Site;
  readonly account: string;
  readonly standing: GroupStanding;
  readonly hasAccount: boolean;
}

function Row({ site, account, standing, hasAccount }: RowProps) {
  const { row, checks, status, inMaintenance, first, worst } = standing;
  const { errorRatios, burnRates, remainingRatio, objective } = row.budget;
  const errors = errorRatios['30d'];
  const affected = row.statuses.get(status) ?? 0;
  return (
    <tr>
      <th scope="row">
        <a href={hrefTo(site, groupPath({ account, name: row.name }))}>
          <Name text={row.name} />
        </a>
        <small>
          {plural(checks, 'check')}, objective {formatObjective(objective.ratio)}
          {hasAccount && (
            <>
              {' '}
              in <Name text={account} />
            </>
          )}
        </small>
      </th>
      <td data-label="State">
        <StateBadge item={{ state: status, inMaintenance }} />
        {affected < checks && (
          <small>
            {formatDecimal(affected)} of {formatDecimal(checks)}
            {first !== undefined && first !== worst && (
              <>
                , <CheckLink {...{ site, account, check: first }} />
              </>
            )}
          </small>
        )}
      </td>
      <td data-label="Worst check">
        <WorstCheck {...{ site, account, worst }} isKnown={errors !== undefined} />
      </td>
      {errors === undefined ? (
        <td colSpan={3} class="rest" data-label="Up, 30d">
          <WhyUnknown standing={standing} />
        </td>
      ) : (
        <>
          <td class="number" data-label="Up, 30d">
            {formatRatio(1 - errors)}
          </td>
          <td class="number" data-label="Budget left">
            {remainingRatio === undefined ? '–' : <ShareLeft left={remainingRatio} />}
          </td>
          <td class="number" data-label="Burn rate, 1h">
            {formatDecimal(burnRates['1h'] ?? 0)}
          </td>
        </>
      )}
    </tr>
  );
}

interface WorstCheckProps {
  readonly site: Site;
  readonly account: string;
  readonly worst: GroupStanding['worst'];
  /** Whether the last 30 days of all checks are known. */
  readonly isKnown: boolean;
}

function WorstCheck({ site, account, worst, isKnown }: WorstCheckProps) {
  if (worst === undefined) return <span class="rest">{isKnown ? 'all are well' : '–'}</span>;
  const errors = worst.budget?.errorRatios['30d'];
  return (
    <>
      <CheckLink {...{ site, account, check: worst }} />
      {errors !== undefined && <small>{formatRatio(1 - errors)} up in 30 days</small>}
    </>
  );
}

interface CheckLinkProps {
  readonly site: Site;
  readonly account: string;
  readonly check: { readonly id: number; readonly name: string };
}

export function CheckLink({ site, account, check: { id, name } }: CheckLinkProps) {
  return (
    <a href={hrefTo(site, itemPath({ kind: 'check', account, id }))}>
      <Name text={name} />
    </a>
  );
}

export function WhyUnknown({
  standing: { untested, unread, checks },
}: {
  readonly standing: GroupStanding;
}) {
  const [first] = [...untested, ...unread];
  if (first === undefined) return <>Not known: none of its checks was tested in 30 days.</>;
  const waits = untested.length + unread.length;
  const wereNever = `${untested.length === 1 ? 'was' : 'were'} never tested`;
  const reason =
    untested.length === 0
      ? `the past of ${countOf(unread.length, checks)} is not read yet`
      : unread.length === 0
        ? `${countOf(untested.length, checks)} ${wereNever}`
        : `${plural(untested.length, 'check')} ${wereNever}, and the past of ${formatDecimal(unread.length)} is not read yet`;
  return (
    <>
      Not known: {reason} (<Name text={first.name} />
      {waits > 1 && ' …'}).
    </>
  );
}

function countOf(some: number, all: number): string {
  return some === all && all > 1
    ? `all ${formatDecimal(all)} checks`
    : `${formatDecimal(some)} of ${plural(all, 'check')}`;
}
