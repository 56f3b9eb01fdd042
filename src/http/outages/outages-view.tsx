import { plural } from '../../lib/format-number.ts';
import { displayText, Moment, Name } from '../common/format.tsx';
import { missingOutagesText, noOutagesText } from '../common/known-outages.ts';
import { hrefTo, LiveSection, renderView, type Site } from '../common/layout.tsx';
import type { ItemOutage } from '../common/outage-list.ts';
import { OutageTable } from '../common/outage-table.tsx';
import { Pager, pageOf } from '../common/pager.tsx';
import { timeParameter } from '../common/query.ts';
import { Choice, withChosen } from '../list/filter-form.tsx';
import type { AccountStatus } from '../ports.ts';

/** The number of outages of a page; the CSV file has all. */
const pageSize = 200;

interface OutagesViewProps {
  readonly site: Site;
  readonly accounts: readonly AccountStatus[];
  readonly query: URLSearchParams;
  /** Those that the query asks for. */
  readonly asked: readonly AccountStatus[];
  /** The tags to choose from. */
  readonly tags: readonly string[];
  /** The latest first. */
  readonly outages: readonly ItemOutage[];
}

/** All known outages by time. */
export function outagesView(props: OutagesViewProps): string {
  const { site, query } = props;
  const filters = new URLSearchParams(query);
  filters.delete('page');
  const csv = (form: string) =>
    hrefTo(
      site,
      `outages.csv?${new URLSearchParams([...filters, ...(form === '' ? [] : [['csv', form]])])}`,
    );
  return renderView({
    site,
    title: 'Outages · uptime-exporter',
    children: (
      <>
        <section aria-labelledby="title">
          <h1 id="title">Outages</h1>
          <Filters {...props} />
          <Selection {...props} />
          <p class="rest">
            As <a href={csv('')}>CSV</a>, or{' '}
            <a href={csv('semicolon')}>with semicolons and decimal commas</a>. Outages are known for
            35 days; earlier ones, and those of removed checks, are in the reports of their months.
          </p>
        </section>
        <LiveSection id="outages" title="Known outages">
          <MatchingOutages {...props} filters={filters} />
        </LiveSection>
      </>
    ),
  });
}

interface MatchingOutagesProps extends OutagesViewProps {
  /** The query without the page. */
  readonly filters: URLSearchParams;
}

function MatchingOutages(props: MatchingOutagesProps) {
  const { site, accounts, asked, query, filters, outages } = props;
  const missing = missingOutagesText(asked, site.nowSeconds);
  if (outages.length === 0) {
    const isFiltered = [...filters].length > 0;
    const none = isFiltered
      ? ['No known outage matches.', missing].filter(Boolean).join(' ')
      : noOutagesText(asked, site.nowSeconds);
    return <p class="rest">{none}</p>;
  }
  const { shown, ...place } = pageOf(outages, query.get('page'), pageSize);
  const href = (to: number) =>
    hrefTo(site, `outages?${new URLSearchParams([...filters, ['page', `${to}`]])}`);
  return (
    <>
      <p class="rest">{plural(outages.length, 'outage')}</p>
      {missing !== undefined && <p class="rest">{missing}</p>}
      <OutageTable
        {...{ site, outages: shown }}
        columns={['check', 'began', 'ended', 'lasted', 'why']}
        severalAccounts={accounts.length > 1}
      />
      <Pager {...place} href={href} before="Later outages" after="Earlier outages" />
    </>
  );
}

/** The last time that a date can have, in UNIX seconds. */
const lastSeconds = 8.64e12;

/** What is selected that the form does not show, and the way back to everything. */
function Selection({ site, query }: OutagesViewProps) {
  const chosen = ['account', 'group', 'tag', 'check'].flatMap((name) => {
    const values = query.getAll(name);
    return values.length < 2 ? [] : values.map((value) => displayText(`${name} ${value}`));
  });
  const time = (name: string) => {
    const at = timeParameter(query, name);
    if (at === undefined) return null;
    return (
      <>
        {' '}
        {name} {at <= lastSeconds ? <Moment at={at} toTheMinute /> : query.get(name)}
      </>
    );
  };
  if (chosen.length === 0 && !query.has('from') && !query.has('to')) return null;
  return (
    <p class="rest">
      Only{chosen.length > 0 && ' '}
      {chosen.length > 0 && <Name text={chosen.join(', ')} />}
      {time('from')}
      {time('to')}; <a href={hrefTo(site, 'outages')}>all known outages</a>
    </p>
  );
}

/** A form that works without scripts. It keeps the period. */
function Filters({ site, accounts, query, tags }: OutagesViewProps) {
  const groups = accounts.flatMap(({ snapshot }) => snapshot.groups ?? []).map(({ name }) => name);
  const choices: readonly (readonly [label: string, name: string, known: readonly string[]])[] = [
    ['Group', 'group', [...new Set(groups)].sort()],
    ['Tag', 'tag', tags],
    ['Account', 'account', accounts.map(({ snapshot }) => snapshot.account)],
  ];
  return (
    <search>
      <form class="filters" action={hrefTo(site, 'outages')} method="get">
        <label>
          Check
          <input
            type="search"
            name="check"
            value={query.get('check') ?? ''}
            placeholder="name or id"
            maxLength={200}
            autoComplete="off"
          />
        </label>
        {choices.map(([label, name, known]) => {
          const chosen = query.get(name) ?? '';
          const least = name === 'account' ? 1 : 0;
          if (known.length <= least) return null;
          const values = withChosen(chosen, known);
          const options = [['', 'All'], ...values.map((value) => [value, value])];
          return <Choice {...{ label, name, chosen, options }} />;
        })}
        {['from', 'to'].map((name) => {
          const value = query.get(name);
          return value === null ? null : <input type="hidden" name={name} value={value} />;
        })}
        <button type="submit">Show</button>
      </form>
    </search>
  );
}
