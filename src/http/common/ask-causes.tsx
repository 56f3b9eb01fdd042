import { plural } from '../../lib/format-number.ts';
import type { LastOutage } from '../../slo/last-outages.ts';
import { type Item, isStale, kindNames } from './items.ts';
import { hrefTo, type Site } from './layout.tsx';
import { causesPath } from './paths.ts';

interface AskCausesProps {
  readonly site: Site;
  readonly item: Item;
  readonly outage: LastOutage;
}

/** In place of a cause that is not known: a button that reads it, with its price, or what came of it. */
export function AskCauses({ site, item, outage: { fromSeconds } }: AskCausesProps) {
  const { causes } = item.status;
  const requests = item.kind === 'check' ? (causes?.requests(item.id) ?? 0) : 0;
  switch (causes?.stateOf(item.id, { fromSeconds })) {
    case 'waiting':
      return <span class="rest">is read as soon as the budget permits</span>;
    case 'answered':
      return <span class="rest">the service reports no failed test</span>;
  }
  if (requests === 0 || isStale(item)) {
    return <span class="rest">{kindNames[item.kind].noCause}</span>;
  }
  return (
    <form class="ask" method="post" action={hrefTo(site, causesPath(item, fromSeconds))}>
      <button type="submit" id={`causes-${fromSeconds}`}>
        Read the cause
      </button>
      <small>{plural(requests, 'request')}</small>
    </form>
  );
}
