import type { ComponentChildren } from 'preact';
import { formatDecimal } from '../../lib/format-number.ts';
import { displayText, Moment, Name } from '../common/format.tsx';
import { serviceNow } from '../common/items.ts';
import type { Site } from '../common/layout.tsx';
import {
  type ItemQuery,
  type ItemSelection,
  itemQueryString,
  type SortKey,
} from '../common/list-query.ts';
import { shownRangeSeconds, shownRanges } from '../common/shown-range.ts';
import { StripLegend } from '../common/strip.tsx';
import { ItemRow } from './item-row.tsx';

interface ItemTableProps {
  readonly site: Site;
  readonly selection: ItemSelection;
  readonly nowSeconds: number;
  readonly severalAccounts: boolean;
  /** Why the list is empty, if more is known than that nothing matches. */
  readonly emptyText?: string | undefined;
}

/** One page of the list, with links to the others. */
export function ItemTable({
  site,
  selection,
  nowSeconds,
  severalAccounts,
  emptyText = 'No matches. Change the filter or clear the search.',
}: ItemTableProps) {
  const { query, items } = selection;
  const [first] = items;
  // As the strips: the clocks of several accounts hardly differ, but this machine's may be wrong.
  const now = first === undefined ? nowSeconds : serviceNow(first.status, nowSeconds);
  const column = { query };
  return (
    <>
      <div class="list-head">
        <ListedPart selection={selection} now={now} />
        <nav aria-label="Time shown">
          <ul class="segments">
            {shownRanges.map((range) => (
              <li>
                <a
                  id={`window-${range}`}
                  href={linkTo(query, { range, page: query.page })}
                  aria-current={range === query.range ? 'true' : undefined}
                >
                  {range}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      {items.length === 0 ? (
        <p class="empty">{displayText(emptyText)}</p>
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
              <th scope="col" class="span">
                <span>
                  <Moment at={now - shownRangeSeconds[query.range]} toTheMinute />
                </span>
                <span>now</span>
              </th>
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
              <ItemRow {...{ site, item, query, nowSeconds, severalAccounts }} />
            ))}
          </tbody>
        </table>
      )}
      <StripLegend range={query.range} />
      <PageNumbers selection={selection} />
    </>
  );
}

/** Returns a link to another part of the list, in the same view. */
function linkTo(query: ItemQuery, change: Partial<ItemQuery>): string {
  return `?${itemQueryString(query, change)}#list`;
}

interface ListedPartProps {
  readonly selection: ItemSelection;
  /** UNIX seconds by the clock of the service. */
  readonly now: number;
}

function ListedPart({ selection: { query, items, total }, now }: ListedPartProps) {
  const first = (query.page - 1) * query.size + 1;
  const part = `${formatDecimal(first)}–${formatDecimal(first + items.length - 1)} of ${formatDecimal(total)}`;
  return (
    <p class="rest">
      <span role="status">{total === 0 ? '0 found' : part}</span>
      {query.group !== '' && (
        <>
          {' '}
          in the group <Name text={query.group} />{' '}
          <a id="no-group" href={linkTo(query, { group: '' })}>
            show all
          </a>
        </>
      )}
      {query.tag !== '' && (
        <>
          {' '}
          with the tag <Name text={query.tag} />{' '}
          <a id="no-tag" href={linkTo(query, { tag: '' })}>
            show all
          </a>
        </>
      )}
      <span class="narrow-only">
        , bars from <Moment at={now - shownRangeSeconds[query.range]} toTheMinute /> to now
      </span>
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

function PageNumbers({ selection }: { readonly selection: ItemSelection }) {
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
