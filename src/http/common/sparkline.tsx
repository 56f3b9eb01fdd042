import { averagesOf, type HourlyAverages } from '../../slo/hourly-averages.ts';
import { formatResponse } from './format.tsx';
import { type ShownRange, shownRangeSeconds } from './shown-range.ts';

const hourSeconds = 3_600;
const height = 48;

/** The number of hours that are averaged into one point, so that a line has about thirty points. */
const hoursOfPoint: { readonly [W in ShownRange]: number } = { '24h': 1, '7d': 6, '30d': 24 };

interface SparklineProps {
  readonly averages: HourlyAverages | undefined;
  readonly range: ShownRange;
  /** UNIX seconds by the clock of the service. */
  readonly now: number;
}

/** The response times of the range on the time axis of the strip. Unknown times are gaps. */
export function Sparkline({ averages, range, now }: SparklineProps) {
  const points = averages === undefined ? [] : averagePoints(averages, range, now);
  const values = points.map(({ seconds }) => seconds);
  if (values.length === 0) return null;
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  // The line fills the height only if the values vary by at least a third, so that a small
  // variation looks small.
  const spread = Math.max(highest - lowest, highest / 3);
  const width = (2 * shownRangeSeconds[range]) / (hoursOfPoint[range] * hourSeconds);
  // A point is two units wide, so that its middle is an integer.
  const path = points.map(({ place, seconds }, index) => {
    const y = Math.round(height - 4 - ((seconds - lowest) * (height - 8)) / spread);
    const follows = points[index - 1]?.place === place - 1;
    const isAlone = !follows && points[index + 1]?.place !== place + 1;
    if (isAlone) return `M${2 * place} ${y}h2`;
    return `${follows ? ' ' : 'M'}${2 * place + 1} ${y}`;
  });
  const label = `Responses from ${formatResponse(lowest)} to ${formatResponse(highest)}`;
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={path.join('')} />
    </svg>
  );
}

interface Point {
  /** The position in the range; 0 is the oldest. */
  readonly place: number;
  readonly seconds: number;
}

/** The averages of the parts of a range; of a day if it is 30 days. */
export function averagePoints(
  averages: HourlyAverages,
  range: ShownRange,
  now: number,
): readonly Point[] {
  const start = now - shownRangeSeconds[range];
  const length = hoursOfPoint[range] * hourSeconds;
  const sums = new Map<number, { sum: number; count: number }>();
  for (const [at, seconds] of averagesOf(averages)) {
    const middle = at + hourSeconds / 2;
    if (middle < start || middle >= now) continue;
    const place = Math.floor((middle - start) / length);
    const { sum, count } = sums.get(place) ?? { sum: 0, count: 0 };
    sums.set(place, { sum: sum + seconds, count: count + 1 });
  }
  return [...sums].map(([place, { sum, count }]) => ({ place, seconds: sum / count }));
}
