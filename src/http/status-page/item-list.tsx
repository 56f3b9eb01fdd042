import type { ComponentChildren } from 'preact';
import { formatDecimal, formatRatio, formatResponse, Name } from './format.tsx';
import {
  type ItemQuery,
  type ItemSelection,
  itemQueryString,
  pageSizes,
  type SortKey,
  stateFilters,
} from './item-query.ts';
import {
  availabilityOf,
  budgetLeftOf,
  type Item,
  pastOf,
  type ShownWindow,
  serviceNow,
  shownWindows,
} from './items.ts';
import { pastBars } from './past-bars.ts';
import { ItemHost, ItemLink } from './problems.tsx';
import { hrefTo, type Site } from './site.ts';
import { Sparkline } from './sparkline.tsx';
import { StateBadge, stateWord } from './state-badge.tsx';
import { Strip, StripLegend } from './strip.tsx';

const maxTagsOfRow = 4;

interface FilterFormProps {
  readonly site: Site;
  readonly query: ItemQuery;
  readonly tags: readonly string[];
  readonly accounts: readonly string[];
}

/** Works without a script: a form whose answer is the page. */
export function FilterForm({ site, query, tags, accounts }: FilterFormProps) {
  const stateNames = stateFilters.map((state) => [
    state,
    state === 'problem'
      ? 'Any problem'
      : state === 'maintenance'
        ? 'In maintenance'
        : stateWord(state),
  ]);
  const shownTags = query.tag === '' || tags.includes(query.tag) ? tags : [query.tag, ...tags];
  return (
    <search>
      <form class="filters" action={hrefTo(site, '') || './'} method="get" data-filters>
        <label>
          Search
          <input
            type="search"
            name="q"
            id="search"
            value={query.search}
            placeholder="name, host, tag or id"
            maxLength={200}
            autoComplete="off"
          />
        </label>
        <Choice
          label="State"
          name="state"
          chosen={query.state ?? ''}
          options={[['', 'All'], ...stateNames]}
        />
        {tags.length > 0 && (
          <Choice
            label="Tag"
            name="tag"
            chosen={query.tag}
            options={[['', 'All'], ...shownTags.map((tag) => [tag, tag])]}
          />
        )}
        {accounts.length > 1 && (
          <Choice
            label="Account"
            name="account"
            chosen={query.account}
            options={[['', 'All'], ...accounts.map((account) => [account, account])]}
          />
        )}
        <Choice
          label="Rows"
          name="size"
          chosen={`${query.size}`}
          options={pageSizes.map((size) => [`${size}`, `${size}`])}
        />
        {query.sort !== 'state' && <input type="hidden" name="sort" value={query.sort} />}
        {query.descending && <input type="hidden" name="order" value="desc" />}
        {query.window !== '24h' && <input type="hidden" name="window" value={query.window} />}
        <button type="submit">Show</button>
      </form>
    </search>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly chosen: string;
  readonly options: readonly (readonly string[])[];
}

function Choice({ label, name, chosen, options }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name} id={`filter-${name}`}>
        {options.map(([value = '', words = value]) => (
          <option value={value} selected={value === chosen}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ItemTableProps {
  readonly site: Site;
  readonly selection: ItemSelection;
  readonly nowSeconds: number;
  readonly severalAccounts: boolean;
}

/** The page of the list, and the way to the others. */
export function ItemTable({ site, selection, nowSeconds, severalAccounts }: ItemTableProps) {
  const { query, items } = selection;
  const column = { query };
  return (
    <>
      <div class="list-head">
        <Range selection={selection} />
        <nav aria-label="Time shown">
          <ul class="segments">
            {shownWindows.map((window) => (
              <li>
                <a
                  id={`window-${window}`}
                  href={linkTo(query, { window, page: query.page })}
                  aria-current={window === query.window ? 'true' : undefined}
                >
                  {window}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      {items.length === 0 ? (
        <p class="empty">No matches. Change the filter or clear the search.</p>
      ) : (
        <table class="items" aria-label="Checks and transactions">
          <thead>
            <tr>
              <Column {...column} by="name">
                Name
              </Column>
              <Column {...column} by="state">
                State
              </Column>
              <th scope="col">Last {query.window}</th>
              <Column {...column} by="availability">
                Up
              </Column>
              <Column {...column} by="response">
                Response
              </Column>
              <Column {...column} by="budget">
                Budget left
              </Column>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <Row {...{ site, item, query, nowSeconds, severalAccounts }} />
            ))}
          </tbody>
        </table>
      )}
      <StripLegend />
      <Pager selection={selection} />
    </>
  );
}

/** To another part of the list, on the same page. */
function linkTo(query: ItemQuery, change: Partial<ItemQuery>): string {
  return `?${itemQueryString(query, change)}#list`;
}

function Range({ selection: { query, items, total } }: { readonly selection: ItemSelection }) {
  if (total === 0) return <p class="rest">0 found</p>;
  const first = (query.page - 1) * query.size + 1;
  return (
    <p class="rest" role="status">
      {formatDecimal(first)}–{formatDecimal(first + items.length - 1)} of {formatDecimal(total)}
    </p>
  );
}

interface ColumnProps {
  readonly query: ItemQuery;
  readonly by: SortKey;
  readonly children: ComponentChildren;
}

function Column({ query, by, children }: ColumnProps) {
  const isSorted = query.sort === by;
  const sorted = query.descending ? 'descending' : 'ascending';
  const change = { sort: by, descending: isSorted && !query.descending };
  return (
    <th scope="col" aria-sort={isSorted ? sorted : undefined}>
      <a id={`sort-${by}`} href={linkTo(query, change)}>
        {children}
        <span class="arrow" aria-hidden="true">
          {isSorted ? (query.descending ? ' ↓' : ' ↑') : ''}
        </span>
      </a>
    </th>
  );
}

interface RowProps {
  readonly site: Site;
  readonly item: Item;
  readonly query: ItemQuery;
  readonly nowSeconds: number;
  readonly severalAccounts: boolean;
}

function Row({ site, item, query, nowSeconds, severalAccounts }: RowProps) {
  const { window } = query;
  const up = availabilityOf(item.row.budget, window);
  const bars = pastBars(item, window, serviceNow(item.status, nowSeconds));
  return (
    <tr>
      <th scope="row">
        <ItemLink site={site} item={item} />
        <ItemHost item={item} />
        {severalAccounts && (
          <small>
            <Name text={item.account} />
          </small>
        )}
        <Tags item={item} />
      </th>
      <td>
        <StateBadge item={item} />
      </td>
      <td class="wide">
        <Strip bars={bars} label={`Last ${window}`} />
      </td>
      <td class="number" data-label="Up">
        {up === undefined ? <span class="rest">–</span> : formatRatio(up)}
      </td>
      <td class="response" data-label="Response">
        <Response item={item} window={window} />
      </td>
      <td class="number" data-label="Budget left">
        <BudgetLeft item={item} />
      </td>
    </tr>
  );
}

function Tags({ item }: Pick<RowProps, 'item'>) {
  const tags = item.row.tags.filter(({ source }) => source === 'user').slice(0, maxTagsOfRow);
  if (tags.length === 0) return null;
  return (
    <span class="tags">
      {tags.map(({ name }) => (
        <a href={`?${new URLSearchParams({ tag: name })}#list`}>
          <Name text={name} />
        </a>
      ))}
    </span>
  );
}

function Response({ item, window }: { readonly item: Item; window: ShownWindow }) {
  const { responseSeconds } = item;
  return (
    <>
      <Sparkline averages={pastOf(item)?.hourlyAverages} window={window} />
      <span>
        {responseSeconds === undefined ? (
          <span class="rest">–</span>
        ) : (
          formatResponse(responseSeconds)
        )}
      </span>
    </>
  );
}

function BudgetLeft({ item }: { readonly item: Item }) {
  const left = budgetLeftOf(item);
  if (left === undefined) return <span class="rest">–</span>;
  const tone = left < 0 ? 'spent' : left < 0.25 ? 'scarce' : 'ample';
  return <span class={`left-${tone}`}>{left < 0 ? 'overspent' : formatShare(left)}</span>;
}

function formatShare(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

function Pager({ selection }: { readonly selection: ItemSelection }) {
  const { query, pages } = selection;
  if (pages === 1) return null;
  const { page } = query;
  const numbers = [1, page - 2, page - 1, page, page + 1, page + 2, pages].filter(
    (number, place, all) => number >= 1 && number <= pages && all.indexOf(number) === place,
  );
  return (
    <nav aria-label="Pages" class="pager">
      <ul>
        {page > 1 && (
          <li>
            <a id="page-previous" href={linkTo(query, { page: page - 1 })} rel="prev">
              Previous
            </a>
          </li>
        )}
        {numbers.map((number) => (
          <li>
            <a
              id={`page-${number}`}
              href={linkTo(query, { page: number })}
              aria-current={number === page ? 'page' : undefined}
              aria-label={`Page ${formatDecimal(number)}`}
            >
              {formatDecimal(number)}
            </a>
          </li>
        ))}
        {page < pages && (
          <li>
            <a id="page-next" href={linkTo(query, { page: page + 1 })} rel="next">
              Next
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}
