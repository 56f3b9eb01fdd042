import { humanizeDuration } from '../../lib/format-duration.ts';
import type { LastOutage } from '../../windows/last-outages.ts';
import { Ago, displayText, Name, plural, TableHead } from './format.tsx';
import { type Item, pastOf, serviceNow } from './items.ts';
import type { Site } from './layout.tsx';
import { ItemLink } from './problems.tsx';

const maxShown = 8;

interface LastOutageOf {
  readonly item: Item;
  readonly outage: LastOutage;
  /** Further ones within a day before it. */
  readonly others: number;
}

const daySeconds = 86_400;

/**
 * The last outage of each item, newest first. They are those of the items that failed last, of which there need be
 * no more than outages asked for.
 */
export function lastOutagesOf(items: readonly Item[], count: number): LastOutageOf[] {
  const failed = items.flatMap((item) => {
    const lastFailure = lastFailureOf(item);
    return lastFailure === undefined ? [] : [{ item, lastFailure }];
  });
  failed.sort((a, b) => b.lastFailure - a.lastFailure);
  return failed
    .slice(0, count)
    .flatMap(({ item }) => {
      const [outage, ...others] = pastOf(item)?.outages ?? [];
      if (outage === undefined) return [];
      const recent = others.filter((one) => one.fromSeconds > outage.fromSeconds - daySeconds);
      return [{ item, outage, others: recent.length }];
    })
    .sort((a, b) => b.outage.fromSeconds - a.outage.fromSeconds);
}

function lastFailureOf(item: Item): number | undefined {
  return item.kind === 'check'
    ? item.row.lastDownStartAtSeconds
    : item.row.lastDowntimeStartAtSeconds;
}

interface LastOutagesProps {
  readonly site: Site;
  readonly items: readonly Item[];
  readonly nowSeconds: number;
}

export function LastOutages({ site, items, nowSeconds }: LastOutagesProps) {
  const shown = lastOutagesOf(items, maxShown);
  if (shown.length === 0) return <p class="rest">No known outages in the last 35 days.</p>;
  return (
    <table class="stack" aria-label="Last outages">
      <TableHead columns={['Check', 'Began', 'Lasted', 'Why']} />
      <tbody>
        {shown.map(({ item, outage, others }) => (
          <tr>
            <th scope="row">
              <ItemLink site={site} item={item} />
            </th>
            <td>
              <Ago at={outage.fromSeconds} now={serviceNow(item.status, nowSeconds)} />
            </td>
            <td>
              <OutageLength outage={outage} now={serviceNow(item.status, nowSeconds)} />
              {others > 0 && <small>and {plural(others, 'other')} within a day</small>}
            </td>
            <td>
              <Causes outage={outage} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function OutageLength({ outage, now }: { readonly outage: LastOutage; now: number }) {
  const { fromSeconds, toSeconds } = outage;
  if (toSeconds !== undefined) return <>{humanizeDuration(toSeconds - fromSeconds)}</>;
  return (
    <>
      {humanizeDuration(now - fromSeconds)} <span class="badge bad">going on</span>
    </>
  );
}

export function Causes({ outage }: { readonly outage: LastOutage }) {
  const { causes, analysisId } = outage;
  if (causes.length === 0 && analysisId === undefined) return <span class="rest">–</span>;
  return (
    <>
      {causes.length > 0 && <Name text={causes.map(displayText).join('; ')} />}
      {analysisId !== undefined && <small>root cause analysis {analysisId}</small>}
    </>
  );
}
