import type { TimeRange } from '../../../domain/interval.ts';
import type { ResponseQuantiles } from '../../../slo/last-outages.ts';
import { formatResponse, tenth } from '../format.tsx';
import type { ShownRange } from '../items.ts';

const [width, height, left, bottom] = [720, 200, 52, 22];
const hourSeconds = 3_600;
const tickSeconds: { readonly [W in ShownRange]: number } = {
  ...{ '24h': 4 * hourSeconds, '7d': 24 * hourSeconds, '30d': 5 * 24 * hourSeconds },
};

interface DrawingProps {
  readonly points: readonly (readonly [atSeconds: number, seconds: number])[];
  readonly quantiles: ResponseQuantiles | undefined;
  readonly range: ShownRange;
  readonly span: TimeRange;
}

/**
 * The chart for browsers without scripts. Hours without an average are gaps. p50 and p95 belong to
 * one span: their lines are thick in it, and continue thin over the rest for comparison.
 */
export function ResponseDrawing({ points, quantiles, range, span }: DrawingProps) {
  const highest = Math.max(...points.map(([, seconds]) => seconds), quantiles?.p95Seconds ?? 0);
  const top = highest * 1.1;
  const { fromSeconds, toSeconds } = span;
  const inside = (at: number) => Math.min(toSeconds, Math.max(fromSeconds, at));
  const x = (at: number) =>
    tenth(left + ((inside(at) - fromSeconds) * (width - left - 8)) / (toSeconds - fromSeconds));
  const y = (seconds: number) => tenth(8 + ((top - seconds) * (height - bottom - 8)) / top);
  const line = points.map(([at, seconds], place) => {
    const follows = points[place - 1]?.[0] === at - hourSeconds;
    const isAlone = !follows && points[place + 1]?.[0] !== at + hourSeconds;
    return isAlone
      ? `M${x(at)} ${y(seconds)}H${x(at + hourSeconds)}`
      : `${follows ? 'L' : 'M'}${x(at + hourSeconds / 2)} ${y(seconds)}`;
  });
  const tick = tickSeconds[range];
  const ticks: number[] = [];
  for (let at = Math.ceil(fromSeconds / tick) * tick; at <= toSeconds; at += tick) ticks.push(at);
  const label = `Average response time by hour of the last ${range}, at most ${formatResponse(highest)}`;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {[0, highest / 2, highest].map((value) => (
        <>
          <line class="axis" x1={left} y1={y(value)} x2={width - 8} y2={y(value)} />
          <text x={left - 6} y={y(value) + 4} text-anchor="end">
            {formatResponse(value)}
          </text>
        </>
      ))}
      {ticks.map((at) => (
        <text x={x(at)} y={height - 5} text-anchor="middle">
          {tickText(at, range)}
        </text>
      ))}
      {quantiles !== undefined &&
        (['p50', 'p95'] as const).map((name) => {
          const level = y(quantiles[`${name}Seconds`]);
          return (
            <>
              <line
                class={`quantile beside ${name}`}
                x1={left}
                x2={width - 8}
                y1={level}
                y2={level}
              />
              <line
                class={`quantile ${name}`}
                x1={x(quantiles.fromSeconds)}
                x2={x(quantiles.toSeconds)}
                y1={level}
                y2={level}
              />
            </>
          );
        })}
      <path class="average" d={line.join('')} />
    </svg>
  );
}

function tickText(at: number, range: ShownRange): string {
  const text = new Date(at * 1000).toISOString();
  return range === '24h' ? text.slice(11, 16) : text.slice(5, 10);
}
