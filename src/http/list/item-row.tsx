import { humanizeDuration } from '../../lib/format-duration.ts';
import { ShareLeft } from '../common/error-budget.tsx';
import { formatRatio, formatResponse, Moment, Name } from '../common/format.tsx';
import { ItemHost, ItemLink } from '../common/item-link.tsx';
import { type Item, itemPastOf, serviceNow } from '../common/items.ts';
import type { Site } from '../common/layout.tsx';
import { type ItemQuery, itemQueryString } from '../common/list-query.ts';
import { availabilityIn, figuresUntil, pastBars, uncountedFrom } from '../common/past-bars.ts';
import { type ShownRange, youngerThan } from '../common/shown-range.ts';
import { Sparkline } from '../common/sparkline.tsx';
import { StateBadge } from '../common/state-badge.tsx';
import { Strip } from '../common/strip.tsx';

const maxTagsOfRow = 4;

interface ItemRowProps {
  readonly site: Site;
  readonly item: Item;
  readonly query: ItemQuery;
  readonly nowSeconds: number;
  readonly severalAccounts: boolean;
}

/** One check or transaction of the list. */
export function ItemRow({ site, item, query, nowSeconds, severalAccounts }: ItemRowProps) {
  const { range } = query;
  const now = serviceNow(item.status, nowSeconds);
  const up = availabilityIn(item, range, now);
  const bars = pastBars(item, range, now);
  const age = youngerThan(item, range, now);
  const until = figuresUntil(item);
  const whole = uncountedFrom(item) === undefined ? up : undefined;
  return (
    <tr>
      <th scope="row">
        <ItemLink site={site} item={item} />
        <ItemHost {...{ item, severalAccounts }} />
        <Tags item={item} query={query} />
      </th>
      <td>
        <StateBadge item={item} />
      </td>
      <td class="wide">
        <Strip bars={bars} label={`Last ${range}`} up={whole} />
      </td>
      <td class="number">
        {up === undefined ? <span class="rest">–</span> : formatRatio(up)}
        {up !== undefined && age !== undefined && <small>of {humanizeDuration(age)}</small>}
        {up !== undefined && until !== undefined && (
          <small>
            until <Moment at={until} toTheMinute />
          </small>
        )}
      </td>
      <td class="response">
        <Response item={item} range={range} now={now} />
      </td>
      <td class="number">
        <BudgetLeft item={item} />
      </td>
    </tr>
  );
}

/** Links to the items with a tag, in the same account, group and order. */
function Tags({ item, query }: Pick<ItemRowProps, 'item' | 'query'>) {
  const tags = item.tags.filter(({ source }) => source === 'user');
  const more = tags.length - maxTagsOfRow;
  if (tags.length === 0) return null;
  return (
    <span class="tags">
      {tags.slice(0, maxTagsOfRow).map(({ name }) => (
        <a href={`?${itemQueryString(query, { search: '', state: undefined, tag: name })}#list`}>
          <Name text={name} />
        </a>
      ))}
      {more > 0 && <small>and {more} more</small>}
    </span>
  );
}

interface ResponseProps {
  readonly item: Item;
  readonly range: ShownRange;
  readonly now: number;
}

function Response({ item, range, now }: ResponseProps) {
  return (
    <>
      <Sparkline averages={itemPastOf(item)?.hourlyAverages} range={range} now={now} />
      <span>
        <LastResponse item={item} />
      </span>
    </>
  );
}

/** The response time of the last test, or the average of an hour, which may be days ago. */
export function LastResponse({
  item: { responseSeconds, responseHourSeconds },
}: {
  readonly item: Item;
}) {
  if (responseSeconds === undefined) return <span class="rest">–</span>;
  return (
    <>
      {formatResponse(responseSeconds)}
      {responseHourSeconds !== undefined && (
        <small>
          from <Moment at={responseHourSeconds} toTheMinute />
        </small>
      )}
    </>
  );
}

function BudgetLeft({ item }: { readonly item: Item }) {
  const left = item.budget?.remainingRatio;
  return left === undefined ? <span class="rest">–</span> : <ShareLeft left={left} />;
}
