import type { LastOutage } from '../../slo/last-outages.ts';
import { causesPath, type Item, isStale } from '../items.ts';
import { plural } from './format.tsx';
import { hrefTo, type Site } from './layout.tsx';

interface AskCausesProps {
  readonly site: Site;
  readonly item: Item;
  readonly outage: LastOutage;
}

/** Below an outage without a known cause: a button that reads it, with its price, or the answer. */
export function AskCauses({ site, item, outage }: AskCausesProps) {
  const { causes } = item.status;
  if (outage.causes.length > 0 || item.kind !== 'check' || causes === undefined) return null;
  const state = causes.stateOf(item.id, outage);
  if (state === 'waiting') return <small>being read, as soon as the budget permits</small>;
  if (state === 'answered') return <small>the service reports no failed test</small>;
  const requests = causes.requests(item.id);
  if (requests === 0 || isStale(item)) return null;
  return (
    <form class="ask" method="post" action={hrefTo(site, causesPath(item, outage.fromSeconds))}>
      <button type="submit" id={`causes-${outage.fromSeconds}`}>
        Read the cause
      </button>
      <small>{plural(requests, 'request')}</small>
    </form>
  );
}
