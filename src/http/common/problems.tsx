import type { AccountStatus } from '../ports.ts';
import { type Beginning, lengthText, stateBeginning } from './beginnings.ts';
import { formatDecimal, Moment, Name, plural, Table } from './format.tsx';
import { countStates, type Item, itemKinds, itemPath, serviceNow } from './items.ts';
import { lastOutagesOfItem } from './known-outages.ts';
import { hrefTo, type Site } from './layout.tsx';
import { type ItemQuery, itemQueryString } from './list-query.ts';
import { StateBadge, StateIcon, stateWord } from './state-badge.tsx';
import { isProblem, states, urgencyOf } from './urgency.ts';

const maxShown = 20;

const notAllKnown = 'Not everything is known';

/** The headline without any item. */
export function nothingShown(accounts: readonly AccountStatus[]): string {
  const isOld = accounts.some(
    ({ snapshot }) => snapshot.checks !== undefined && snapshot.datasets.checks.stale,
  );
  if (isOld) return 'The last check list is too old to show';
  if (accounts.length === 0 || !accounts.every(isEmpty)) return 'Nothing to show yet';
  return accounts.length === 1 ? 'The account has no checks' : 'The accounts have no checks';
}

/** Whether all lists of the account were read, and have nothing. */
export function isEmpty({ snapshot }: AccountStatus): boolean {
  const { checks, transactions, datasets } = snapshot;
  const areTransactionsRead = transactions !== undefined || datasets.transactions === undefined;
  return checks?.length === 0 && areTransactionsRead && (transactions ?? []).length === 0;
}

/**
 * Returns one sentence about all items, of which there is at least one. `isPartial`: some lists are
 * unread, stale or incomplete, or cannot be read now. Without a failure, the sentence begins with
 * what is not known.
 */
export function headline(items: readonly Item[], isPartial: boolean): string {
  const { down, unconfirmed_down: unconfirmed, unknown, up } = countStates(items);
  const lastKnown = items.filter(({ isLastKnown }) => isLastKnown).length;
  if (lastKnown > 0) {
    const fresh = down === lastKnown ? '' : `${formatDecimal(down - lastKnown)} down, and `;
    return `${fresh}${formatDecimal(lastKnown)} down when last read`;
  }
  const total = formatDecimal(items.length);
  const rest = isPartial ? `; ${notAllKnown.toLowerCase()}` : '';
  if (down > 0) return `${formatDecimal(down)} of ${total} down${rest}`;
  if (unconfirmed > 0) return `${plural(unconfirmed, 'failure')} to be confirmed${rest}`;
  const noneDown = isPartial ? `${notAllKnown}: none of ${total} down` : 'None down';
  if (unknown > 0) return `${noneDown}, ${formatDecimal(unknown)} unknown`;
  if (isPartial || up !== items.length) return noneDown;
  return up === 1 ? '1 of 1 up' : `All ${total} up`;
}

/** Returns the title in the browser's tab, which begins with what is down or not known. */
export function titleOf(items: readonly Item[], isPartial: boolean): string {
  const { down } = countStates(items);
  if (down > 0) return `(${formatDecimal(down)} down) uptime-exporter`;
  return isPartial ? '(not all known) uptime-exporter' : 'uptime-exporter';
}

interface TilesProps {
  readonly site: Site;
  readonly items: readonly Item[];
  readonly query: ItemQuery;
}

/** The number of items in each state. Each tile links to them. */
export function StateTiles({ site, items, query }: TilesProps) {
  const counts = countStates(items);
  const linked = (change: Partial<ItemQuery>) =>
    hrefTo(site, `?${itemQueryString(query, { search: '', tag: '', ...change })}#list`);
  return (
    <ul class="tiles">
      {states.map((state) => (
        <li class={counts[state] === 0 ? 'tile none' : 'tile'}>
          <a href={linked({ state })}>
            <StateIcon state={state} />
            <b>{formatDecimal(counts[state])}</b> <span>{stateWord(state)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

interface ProblemsProps {
  readonly site: Site;
  readonly items: readonly Item[];
  readonly nowSeconds: number;
  /** Some lists are unread, stale or incomplete, or cannot be read now. */
  readonly isPartial: boolean;
  readonly severalAccounts: boolean;
}

/** Down, unconfirmed, then unknown items, newest first; those in maintenance come last. */
export function Problems({ site, items, nowSeconds, isPartial, severalAccounts }: ProblemsProps) {
  const wrong = items
    .filter(({ state }) => isProblem(state))
    .map((item) => ({ item, beginning: stateBeginning(item) }))
    .sort(
      (a, b) =>
        urgencyOf(a.item.state, a.item.inMaintenance) -
          urgencyOf(b.item.state, b.item.inMaintenance) ||
        (b.beginning?.atSeconds ?? 0) - (a.beginning?.atSeconds ?? 0),
    );
  if (wrong.length === 0) {
    return (
      <p class="calm-line">
        {isPartial
          ? 'Nothing was wrong when the lists that are shown were last read.'
          : 'Nothing is wrong now.'}
      </p>
    );
  }
  const more = wrong.length - maxShown;
  return (
    <>
      <Table label="Wrong now" class="problems stack" columns={['Check', 'State', 'For', 'Why']}>
        {wrong.slice(0, maxShown).map(({ item, beginning }) => (
          <tr>
            <th scope="row">
              <ItemLink site={site} item={item} />
              <ItemHost item={item} severalAccounts={severalAccounts} />
            </th>
            <td data-label="State">
              <StateBadge item={item} />
            </td>
            <td data-label="For">
              {beginning === undefined ? (
                <span class="rest">{unknownStart(item)}</span>
              ) : (
                <Since
                  beginning={beginning}
                  now={serviceNow(item.status, nowSeconds)}
                  toTheMinute
                />
              )}
            </td>
            <td data-label="Why">
              <Cause item={item} />
            </td>
          </tr>
        ))}
      </Table>
      {more > 0 && (
        <p class="rest">
          and {formatDecimal(more)} more: <a href={hrefTo(site, '?state=problem#list')}>show all</a>
        </p>
      )}
    </>
  );
}

/** The text in place of a start that is not known. */
export function unknownStart({ wasTested }: Item): string {
  return wasTested ? 'start time unknown' : 'never tested';
}

interface SinceProps {
  readonly beginning: Beginning;
  readonly now: number;
  readonly toTheMinute?: boolean;
}

/** The duration and the start of a state. */
export function Since({ beginning, now, ...form }: SinceProps) {
  return (
    <>
      {lengthText(beginning, now)}{' '}
      <small>
        {beginning.isExact ? 'since' : 'since before'} <Moment at={beginning.atSeconds} {...form} />
      </small>
    </>
  );
}

function Cause({ item }: { readonly item: Item }) {
  const { failingStep, kind } = item;
  if (failingStep !== undefined) return <>Step {failingStep} failed</>;
  if (item.state !== 'down') return null;
  const [last] = lastOutagesOfItem(item);
  const causes = last?.toSeconds === undefined ? (last?.causes ?? []) : [];
  if (causes.length === 0) return <span class="rest">{itemKinds[kind].noCause}</span>;
  return <Name text={causes.join('; ')} />;
}

interface ItemLinkProps {
  readonly site: Site;
  readonly item: Item;
}

export function ItemLink({ site, item }: ItemLinkProps) {
  return (
    <a href={hrefTo(site, itemPath(item))}>
      <Name text={item.name} />
    </a>
  );
}

interface ItemHostProps {
  readonly item: Item;
  readonly severalAccounts: boolean;
}

/** The text that distinguishes two items with the same name. */
export function ItemHost({ item, severalAccounts }: ItemHostProps) {
  const { hostname } = item;
  return (
    <>
      <small>
        {hostname !== undefined && (
          <>
            <Name text={hostname} /> ·{' '}
          </>
        )}
        {item.kind} {item.id}
      </small>
      {severalAccounts && (
        <small>
          <Name text={item.account} />
        </small>
      )}
    </>
  );
}
