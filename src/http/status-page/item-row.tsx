import { averagesOf, type HourlyAverages } from '../../windows/hourly-averages.ts';
import { formatRatio, formatResponse, Name } from './format.tsx';
import type { ItemQuery } from './item-query.ts';
import {
  availabilityOf,
  budgetLeftOf,
  type Item,
  pastOf,
  type ShownWindow,
  serviceNow,
} from './items.ts';
import type { Site } from './layout.tsx';
import { ItemHost, ItemLink } from './problems.tsx';
import { StateBadge } from './state-badge.tsx';
import { pastBars, Strip } from './strip.tsx';

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

function Tags({ item }: Pick<ItemRowProps, 'item'>) {
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

const [width, height] = [100, 24];
const hoursOf: { readonly [W in ShownWindow]: number } = { '24h': 24, '7d': 168, '30d': 168 };

interface SparklineProps {
  readonly averages: HourlyAverages | undefined;
  readonly window: ShownWindow;
}

/** The hourly average response times of the window, of a week at most. */
function Sparkline({ averages, window }: SparklineProps) {
  if (averages === undefined) return <span class="rest">–</span>;
  const known = averagesOf(averages);
  const last = known.at(-1)?.[0];
  const points = thinned(known.filter(([at]) => at > (last ?? 0) - hoursOf[window] * 3_600));
  if (points.length < 2) return <span class="rest">–</span>;
  const values = points.map(([, seconds]) => seconds);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const first = points[0]?.[0] ?? 0;
  const span = Math.max(1, (last ?? 0) - first);
  // What varies little looks calm: the line fills the height only from a third of variation on.
  const range = Math.max(highest - lowest, highest / 3);
  const path = points.map(([at, seconds]) => {
    const x = Math.round(((at - first) * width) / span);
    const y = Math.round((height - 2 - ((seconds - lowest) * (height - 4)) / range) * 10) / 10;
    return `${x},${y}`;
  });
  const label = `Hourly response times from ${formatResponse(lowest)} to ${formatResponse(highest)}`;
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polyline points={path.join(' ')} />
    </svg>
  );
}

/** Neighbours are averaged until this many points remain. */
const maxPoints = 32;

function thinned(points: readonly [number, number][]): readonly [number, number][] {
  const group = Math.ceil(points.length / maxPoints);
  if (group <= 1) return points;
  const kept: [number, number][] = [];
  for (let end = points.length; end > 0; end -= group) {
    const part = points.slice(Math.max(0, end - group), end);
    const sum = part.reduce((total, [, seconds]) => total + seconds, 0);
    kept.push([part.at(-1)?.[0] ?? 0, sum / part.length]);
  }
  return kept.reverse();
}
