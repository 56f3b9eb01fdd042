import { formatInstant, parseInstant } from '../../lib/instant.ts';
import { costText, type JobCost } from '../../remote/exporter-job.ts';
import { errorRanges } from '../../slo/range-seconds.ts';
import { coarseStepSeconds, fineSeconds, fineStepSeconds } from '../series/sample-times.ts';

/**
 * Series of a check: four states and the outages, with maintenance four states more; in the last
 * days also an error ratio and an error budget, and after an outage all ratios and a burn rate.
 */
const leastSeries = { coarse: 5, fine: 7 };
const mostSeries = { coarse: 9, fine: 9 + errorRanges.length + 2 };
/** Measured with 200 checks: a line of text, and a sample in 6-hour blocks (mostly index). */
const [bytesPerLine, bytesPerSample] = [130, 21];

interface CostOptions {
  readonly from: string;
  readonly to?: string;
  readonly nowSeconds: number;
  readonly responseTimes: boolean;
}

/** The cost and the size of a history, as text. */
export function describeCost(
  cost: JobCost,
  { from, to, nowSeconds, responseTimes }: CostOptions,
): string {
  const { checks, transactions } = cost;
  if (checks + transactions === 0) {
    return 'There is nothing to read: in that time the exporter has watched every check and transaction that existed.';
  }
  const fromSeconds = parseInstant(from) ?? nowSeconds;
  const toSeconds = to === undefined ? undefined : parseInstant(to);
  const end = Math.min(nowSeconds, toSeconds ?? nowSeconds);
  const length = Math.max(0, end - fromSeconds);
  const fine = Math.max(0, end - Math.max(fromSeconds, nowSeconds - fineSeconds));
  const [fineSteps, coarseSteps] = [fine / fineStepSeconds, (length - fine) / coarseStepSeconds];
  const times = responseTimes ? (fineSteps + coarseSteps) * checks : 0;
  const samplesOf = (series: typeof leastSeries) => {
    const perItem = fineSteps * series.fine + coarseSteps * series.coarse;
    return Math.round(perItem * (checks + transactions) + times);
  };
  const [least, most] = [samplesOf(leastSeries), samplesOf(mostSeries)];
  const until = toSeconds === undefined ? 'on' : `to ${formatInstant(toSeconds)}`;
  return [
    costText(cost, `from ${formatInstant(fromSeconds)} ${until}`),
    ...(responseTimes
      ? [
          'Where the service allows only a week in a report of response times by the hour, they take four times as many requests.',
        ]
      : []),
    `The result has about ${least.toLocaleString('en')} samples, and with outages and maintenance of every check up to ${most.toLocaleString('en')}: ${formatBytes(least * bytesPerLine)} to ${formatBytes(most * bytesPerLine)} of text, and at most ${formatBytes(most * bytesPerSample)} of blocks, which Prometheus makes smaller.`,
  ].join('\n');
}

/** In decimal units, as disks are sold. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(0)} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
