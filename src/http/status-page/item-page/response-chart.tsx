import { averagesOf, type HourlyAverages } from '../../../windows/hourly-averages.ts';
import type { ResponseQuantiles } from '../../../windows/last-outages.ts';
import { formatResponse, Moment, TableHead } from '../format.tsx';

interface ResponseChartProps {
  readonly averages: HourlyAverages | undefined;
  readonly quantiles: ResponseQuantiles | undefined;
}

const [width, height, left, bottom] = [720, 200, 52, 22];
const daySeconds = 86_400;

/**
 * Response times of the last 7 days. The drawing stands by itself; where a script may run, it is replaced by a
 * chart in which values can be read.
 */
export function ResponseChart({ averages, quantiles }: ResponseChartProps) {
  const points = averages === undefined ? [] : averagesOf(averages);
  const [first, last] = [points[0]?.[0], points.at(-1)?.[0]];
  if (first === undefined || last === undefined) {
    return <p class="rest">No response times are known yet.</p>;
  }
  return (
    <>
      <figure
        class="chart"
        id="response-chart"
        data-chart={JSON.stringify(chartData(points, quantiles))}
      >
        <Drawing points={points} quantiles={quantiles} first={first} last={last} />
      </figure>
      {quantiles !== undefined && (
        <p class="rest">
          Of the single tests from <Moment at={quantiles.fromSeconds} toTheMinute /> to{' '}
          <Moment at={quantiles.toSeconds} toTheMinute />, half were answered within{' '}
          {formatResponse(quantiles.p50Seconds)} and 95 % within{' '}
          {formatResponse(quantiles.p95Seconds)}.
        </p>
      )}
      <details id="response-table">
        <summary>As a table</summary>
        <table aria-label="Hourly response times">
          <TableHead columns={['Hour from', 'Average']} />
          <tbody>
            {points.toReversed().map(([at, seconds]) => (
              <tr>
                <th scope="row">
                  <Moment at={at} toTheMinute />
                </th>
                <td>{formatResponse(seconds)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

type Points = readonly (readonly [atSeconds: number, seconds: number])[];

const hourSeconds = 3_600;

/** Columns as the chart library takes them: every hour from the first point on, hourly averages, p50, p95; null where there is none. */
function chartData(points: Points, quantiles: ResponseQuantiles | undefined) {
  const averages = new Map(points);
  const [first = quantiles?.fromSeconds ?? 0] = averages.keys();
  const last = Math.max(quantiles?.toSeconds ?? first, points.at(-1)?.[0] ?? first);
  const hours = Math.ceil((last - first) / hourSeconds);
  const times = Array.from({ length: hours + 1 }, (_, hour) => first + hour * hourSeconds);
  // The span is drawn from the hour in which it begins to that in which it ends.
  const within = (value: (of: ResponseQuantiles) => number) =>
    times.map((at) =>
      quantiles !== undefined &&
      at > quantiles.fromSeconds - hourSeconds &&
      at < quantiles.toSeconds + hourSeconds
        ? value(quantiles)
        : null,
    );
  return [
    times,
    times.map((at) => averages.get(at) ?? null),
    within(({ p50Seconds }) => p50Seconds),
    within(({ p95Seconds }) => p95Seconds),
  ];
}

interface DrawingProps {
  readonly points: Points;
  readonly quantiles: ResponseQuantiles | undefined;
  readonly first: number;
  readonly last: number;
}

function Drawing({ points, quantiles, first, last }: DrawingProps) {
  const highest = Math.max(...points.map(([, seconds]) => seconds), quantiles?.p95Seconds ?? 0);
  const top = highest * 1.1;
  const x = (at: number) =>
    Math.round(left + ((at - first) * (width - left - 8)) / Math.max(1, last - first));
  const y = (seconds: number) =>
    Math.round((8 + ((top - seconds) * (height - bottom - 8)) / top) * 10) / 10;
  const line = points.map(([at, seconds]) => `${x(at)},${y(seconds)}`).join(' ');
  const midnights: number[] = [];
  for (let at = Math.ceil(first / daySeconds) * daySeconds; at <= last; at += daySeconds) {
    midnights.push(at);
  }
  const label = `Average response time by hour, at most ${formatResponse(highest)}`;
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
      {midnights.map((at) => (
        <text x={x(at)} y={height - 5} text-anchor="middle">
          {new Date(at * 1000).toISOString().slice(5, 10)}
        </text>
      ))}
      {quantiles !== undefined &&
        [quantiles.p50Seconds, quantiles.p95Seconds].map((value) => (
          <line
            class="quantile"
            x1={x(Math.max(first, quantiles.fromSeconds))}
            x2={x(Math.min(last, quantiles.toSeconds))}
            y1={y(value)}
            y2={y(value)}
          />
        ))}
      <polyline class="average" points={line} />
    </svg>
  );
}
