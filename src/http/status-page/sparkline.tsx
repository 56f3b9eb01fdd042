import { averagesOf, type HourlyAverages } from '../../windows/hourly-averages.ts';
import { formatResponse } from './format.tsx';
import type { ShownWindow } from './items.ts';

const [width, height] = [100, 24];
const hoursOf: { readonly [W in ShownWindow]: number } = { '24h': 24, '7d': 168, '30d': 168 };

interface SparklineProps {
  readonly averages: HourlyAverages | undefined;
  readonly window: ShownWindow;
}

/** The hourly average response times of the window, of a week at most. */
export function Sparkline({ averages, window }: SparklineProps) {
  if (averages === undefined) return <span class="rest">–</span>;
  const known = averagesOf(averages);
  const last = known.at(-1)?.[0];
  const points = thinned(known.filter(([at]) => at > (last ?? 0) - hoursOf[window] * 3_600));
  if (points.length < 2) return <span class="rest">–</span>;
  const values = points.map(([, seconds]) => seconds);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const first = points[0]?.[0] ?? 0;
  const span = Math.max(1, (last ?? 0) - first);
  // What varies little looks calm: the line fills the height only from a third of variation on.
  const range = Math.max(highest - lowest, highest / 3);
  const path = points.map(([at, seconds]) => {
    const x = Math.round(((at - first) * width) / span);
    const y = Math.round((height - 2 - ((seconds - lowest) * (height - 4)) / range) * 10) / 10;
    return `${x},${y}`;
  });
  const label = `Hourly response times from ${formatResponse(lowest)} to ${formatResponse(highest)}`;
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polyline points={path.join(' ')} />
    </svg>
  );
}

/** Neighbours are averaged so that so many points remain. */
const maxPoints = 32;

function thinned(points: readonly [number, number][]): readonly [number, number][] {
  const group = Math.ceil(points.length / maxPoints);
  if (group <= 1) return points;
  const kept: [number, number][] = [];
  for (let end = points.length; end > 0; end -= group) {
    const part = points.slice(Math.max(0, end - group), end);
    const sum = part.reduce((total, [, seconds]) => total + seconds, 0);
    kept.push([part.at(-1)?.[0] ?? 0, sum / part.length]);
  }
  return kept.reverse();
}
