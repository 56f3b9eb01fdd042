import { formatInstant, parseInstant } from '../../lib/instant.ts';
import { costText, type JobCost } from '../../remote/exporter-job.ts';
import { coarseStepSeconds, fineSeconds, fineStepSeconds } from '../series/sample-times.ts';

/** Four states and the outages; in the last days also an error ratio and an error budget. */
const [coarseSeries, fineSeries] = [5, 7];
/** Measured with 200 checks: a line of text, and a sample in 6-hour blocks (mostly index). */
const [bytesPerLine, bytesPerSample] = [130, 21];

interface CostOptions {
  readonly from: string;
  readonly to?: string;
  readonly nowSeconds: number;
  readonly responseTimes: boolean;
}

/** The cost and the size of a history, as text. Unknown downtime adds to the size. */
export function describeCost(
  cost: JobCost,
  { from, to = '', nowSeconds, responseTimes }: CostOptions,
): string {
  const { checks, transactions } = cost;
  if (checks + transactions === 0) {
    return 'There is nothing to read: in that time the exporter has watched every check and transaction that existed.';
  }
  const fromSeconds = parseInstant(from) ?? nowSeconds;
  const toSeconds = parseInstant(to);
  const end = Math.min(nowSeconds, toSeconds ?? nowSeconds);
  const length = Math.max(0, end - fromSeconds);
  const fine = Math.max(0, end - Math.max(fromSeconds, nowSeconds - fineSeconds));
  const coarse = ((length - fine) / coarseStepSeconds) * coarseSeries;
  const perItem = (fine / fineStepSeconds) * fineSeries + coarse;
  const perSeries = fine / fineStepSeconds + (length - fine) / coarseStepSeconds;
  const times = responseTimes ? perSeries * checks : 0;
  const samples = Math.round(perItem * (checks + transactions) + times);
  return [
    costText(
      cost,
      `from ${formatInstant(fromSeconds)} ${toSeconds === undefined ? 'on' : `to ${formatInstant(toSeconds)}`}`,
    ),
    ...(responseTimes
      ? [
          'Where the service allows only a week in a report of response times by the hour, they take four times as many requests.',
        ]
      : []),
    `The result has about ${samples.toLocaleString('en')} samples: ${formatBytes(samples * bytesPerLine)} of text, and at most ${formatBytes(samples * bytesPerSample)} of blocks, which Prometheus makes smaller.`,
  ].join('\n');
}

/** In decimal units, as disks are sold. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(0)} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
