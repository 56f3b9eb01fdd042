import { datasetNames } from '../../../domain/dataset.ts';
import { humanizeDuration } from '../../../lib/format-duration.ts';
import { Identifier, Moment } from '../format.tsx';
import { recentSpansOf } from '../items.ts';
import type { ItemPartProps } from './head.tsx';

const readDatasets = {
  check: ['checks', 'outages', 'results', 'performance', 'average', 'detail', 'analyses'],
  transaction: ['transactions', 'transaction_performance'],
} as const;

/** How far the counters of one check or transaction reach, and when it is read next. */
export function ItemFreshness({ site, item, now }: ItemPartProps) {
  const countedUntil = recentSpansOf(item).at(-1)?.toSeconds;
  const { datasets } = item.status.snapshot;
  const names = datasetNames.filter((name) =>
    (readDatasets[item.kind] as readonly string[]).includes(name),
  );
  return (
    <>
      <p>
        {countedUntil === undefined ? (
          'Nothing is counted yet.'
        ) : (
          <>
            Counted until <Moment at={countedUntil} />, {humanizeDuration(now - countedUntil)} ago.
          </>
        )}
      </p>
      <table class="narrow" aria-label="Datasets of this item">
        <thead>
          <tr>
            <th scope="col">Dataset</th>
            <th scope="col">Read every</th>
            <th scope="col">Next for this {item.kind}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => {
            const status = datasets[name];
            if (status === undefined) return null;
            const { intervalSeconds } = status;
            const next = item.status.nextReadSeconds?.(name, item.id);
            return (
              <tr>
                <th scope="row">
                  <Identifier text={name} />
                </th>
                <td>
                  {intervalSeconds === undefined || !Number.isFinite(intervalSeconds)
                    ? 'on events'
                    : humanizeDuration(intervalSeconds)}
                </td>
                <td>{formatNext(next)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="rest">
        As of <Moment at={site.nowSeconds} />. The budget may delay a reading.
      </p>
    </>
  );
}

function formatNext(seconds: number | undefined): string {
  if (seconds === undefined || !Number.isFinite(seconds)) return '–';
  return seconds <= 0 ? 'due' : `in ${humanizeDuration(seconds)}`;
}
