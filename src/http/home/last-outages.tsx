import type { LastOutage } from '../../slo/last-outages.ts';
import { beginningOfOutage } from '../common/beginnings.ts';
import { Ago, plural, Table } from '../common/format.tsx';
import { type Item, serviceNow } from '../common/items.ts';
import { lastOutagesOf, noOutagesText } from '../common/known-outages.ts';
import type { Site } from '../common/layout.tsx';
import { Causes, OutageLength } from '../common/outage-table.tsx';
import { ItemLink } from '../common/problems.tsx';
import type { AccountStatus } from '../ports.ts';

const maxShown = 8;

interface LastOutagesProps {
  readonly site: Site;
  readonly items: readonly Item[];
  /** All accounts of the view, also those without items. */
  readonly accounts: readonly AccountStatus[];
  readonly nowSeconds: number;
}

export function LastOutages({ site, items, accounts, nowSeconds }: LastOutagesProps) {
  const shown = lastOutagesOf(items, maxShown);
  if (shown.length === 0) {
    const isOpen = items.some(({ state }) => state === 'down');
    const none = isOpen ? 'No outage has been read yet.' : noOutagesText(accounts, nowSeconds);
    return <p class="rest">{none}</p>;
  }
  return (
    <Table label="Last outages" class="stack" columns={['Check', 'Began', 'Lasted', 'Why']}>
      {shown.map(({ item, outage, others }) => (
        <tr>
          <th scope="row">
            <ItemLink site={site} item={item} />
          </th>
          <td data-label="Began">
            <BeganAgo outage={outage} now={serviceNow(item.status, nowSeconds)} />
          </td>
          <td data-label="Lasted">
            <OutageLength outage={outage} now={serviceNow(item.status, nowSeconds)} />
            {others > 0 && <small>and {plural(others, 'other')} within a day</small>}
          </td>
          <td data-label="Why">
            <Causes outage={outage} kind={item.kind} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function BeganAgo({ outage, now }: { readonly outage: LastOutage; readonly now: number }) {
  const { atSeconds, isExact } = beginningOfOutage(outage);
  return <Ago at={atSeconds} now={now} isExact={isExact} />;
}
