import { maxTags } from '../../domain/check.ts';
import { type DatasetName, datasetPolicies } from '../../domain/dataset.ts';
import { humanizeDuration, humanizeInterval } from '../../lib/format-duration.ts';
import { plural } from '../../lib/format-number.ts';
import { displayText, Fact, Identifier, Moment, Name, Table } from '../common/format.tsx';
import { itemStatesOf, kindNames } from '../common/items.ts';
import { isMaintenanceKnown } from '../common/maintenance.tsx';
import type { ItemPartProps } from './head.tsx';

/** Settings of one check or transaction, and its maintenance. */
export function About({ item, now }: Pick<ItemPartProps, 'item' | 'now'>) {
  const { row, kind, periodSeconds, createdAtSeconds } = item;
  const recipients = kind === 'check' ? row.settings?.recipients : undefined;
  // A dataset that is switched off is never read.
  const yet = item.status.snapshot.datasets.detail === undefined ? '' : ' yet';
  const notified = Object.entries(recipients ?? {}).filter(([, count]) => count > 0);
  return (
    <dl class="facts">
      <Fact name="Tested">
        {periodSeconds === undefined ? '–' : `every ${humanizeDuration(periodSeconds)}`}
      </Fact>
      <Fact name="Severity">{item.severity ?? '–'}</Fact>
      <Fact name="Created">
        {createdAtSeconds === undefined ? '–' : <Moment at={createdAtSeconds} toTheMinute />}
      </Fact>
      <Fact name="Tags">
        {item.tags.length === 0 ? '–' : item.tags.map(({ name }) => displayText(name)).join(', ')}
        {item.tags.length >= maxTags && <small> at most {maxTags} are read</small>}
      </Fact>
      {kind === 'check' && (
        <Fact name="Notified">
          {recipients === undefined
            ? `not read${yet}`
            : notified.length === 0
              ? 'nobody'
              : notified.map(([what, count]) => plural(count, what)).join(', ')}
        </Fact>
      )}
      {kind === 'transaction' && <Fact name="Run from">{row.region ?? '–'}</Fact>}
      <Fact name="Maintenance">
        <Maintenance item={item} now={now} />
      </Fact>
    </dl>
  );
}

function Maintenance({ item, now }: Pick<ItemPartProps, 'item' | 'now'>) {
  const { maintenance } = item.status.snapshot;
  if (maintenance === undefined) return <>not known</>;
  const spans = maintenance.windows
    .filter((window) => window[kindNames[item.kind].ids].includes(item.id))
    .flatMap((window) => {
      const span = maintenance.next.get(window.id);
      if (span === undefined || span.toSeconds <= now) return [];
      return [{ window, span, active: maintenance.activeIds.has(window.id) }];
    })
    .sort((a, b) => a.span.fromSeconds - b.span.fromSeconds);
  if (spans.length === 0) {
    return <>{isMaintenanceKnown(item.status) ? 'none is planned' : 'not known'}</>;
  }
  return (
    <ul class="plain">
      {spans.map(({ window, span, active }) => (
        <li>
          <Name text={window.description ?? `maintenance ${window.id}`} />
          <small>
            {active ? (
              <>
                under way, until <Moment at={span.toSeconds} toTheMinute />
              </>
            ) : (
              <>
                from <Moment at={span.fromSeconds} toTheMinute />, for{' '}
                {humanizeDuration(span.toSeconds - span.fromSeconds)}
              </>
            )}
          </small>
        </li>
      ))}
    </ul>
  );
}

/** The time up to which one check or transaction is counted, and its next refreshes. */
export function ItemFreshness({ site, item, now }: ItemPartProps) {
  const { states } = itemStatesOf(item)?.known ?? {};
  const { datasets } = item.status.snapshot;
  return (
    <>
      <p>
        {states === undefined ? 'Nothing is counted yet.' : <Counted states={states} now={now} />}
      </p>
      <Table
        label="Datasets of this item"
        class="narrow"
        columns={['Dataset', 'Read every', `Next for this ${item.kind}`]}
      >
        {kindNames[item.kind].datasets.map((name) => {
          const status = datasets[name];
          if (status === undefined) return null;
          const every = readEvery(name, status.intervalSeconds);
          const next = item.status.nextReadSeconds?.(name, item.id);
          return (
            <tr>
              <th scope="row">
                <Identifier text={name} />
              </th>
              <td>{every}</td>
              <td>{formatNext(next, every === never, isReadOnEvents(name))}</td>
            </tr>
          );
        })}
      </Table>
      <p class="rest">
        As of <Moment at={site.nowSeconds} />. The budget may delay a request.
      </p>
    </>
  );
}

interface CountedProps {
  readonly states: { readonly startSeconds: number; readonly horizonSeconds: number };
  readonly now: number;
}

/** The past before first sight can be known before anything after it is counted. */
function Counted({ states: { startSeconds, horizonSeconds }, now }: CountedProps) {
  if (horizonSeconds <= startSeconds) {
    return (
      <>
        Counted from <Moment at={startSeconds} /> on: nothing after that is counted yet.
      </>
    );
  }
  return (
    <>
      Counted until <Moment at={horizonSeconds} />, {humanizeDuration(now - horizonSeconds)} ago.
    </>
  );
}

const never = 'never';

function readEvery(name: DatasetName, seconds = Number.POSITIVE_INFINITY): string {
  const interval = humanizeInterval(seconds);
  if (interval !== never) return interval;
  return Number.isFinite(datasetPolicies[name].ceilingSeconds) ? never : 'on events';
}

/** A change of state or settings asks for these at once, whenever their turn is. */
function isReadOnEvents(name: DatasetName): boolean {
  return ['outages', 'results', 'detail', 'analyses'].includes(name);
}

/** When a dataset is never read in turn, no time can be named for an item that is due. */
function formatNext(seconds: number | undefined, isRare: boolean, isOnEvents: boolean): string {
  if (seconds !== undefined && seconds <= 0) return isRare ? 'as the budget allows' : 'due';
  const wait = seconds === undefined ? never : humanizeInterval(seconds);
  const turn = wait === never ? undefined : `in ${wait}`;
  if (isOnEvents) return turn === undefined ? 'on a change' : `on a change, at the latest ${turn}`;
  return turn ?? '–';
}
