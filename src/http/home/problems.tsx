import { formatDecimal } from '../../lib/format-number.ts';
import { stateBeginning } from '../common/beginnings.ts';
import { Name, Table } from '../common/format.tsx';
import { ItemHost, ItemLink } from '../common/item-link.tsx';
import { type Item, kindNames, serviceNow } from '../common/items.ts';
import { lastOutagesOfItem } from '../common/known-outages.ts';
import { hrefTo, type Site } from '../common/layout.tsx';
import { Since, unknownStart } from '../common/since.tsx';
import { StateBadge } from '../common/state-badge.tsx';
import { isProblem, urgencyOf } from '../common/urgency.ts';

const maxShown = 20;

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

function Cause({ item }: { readonly item: Item }) {
  const { failingStep, kind } = item;
  if (failingStep !== undefined) return <>Step {failingStep} failed</>;
  if (item.state !== 'down') return null;
  const [last] = lastOutagesOfItem(item);
  const causes = last?.toSeconds === undefined ? (last?.causes ?? []) : [];
  if (causes.length === 0) return <span class="rest">{kindNames[kind].noCause}</span>;
  return <Name text={causes.join('; ')} />;
}
