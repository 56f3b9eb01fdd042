import { humanizeInterval } from '../../lib/format-duration.ts';
import { averagesOf, type HourlyAverages, readUntil } from '../../slo/hourly-averages.ts';
import type { ResponseQuantiles } from '../../slo/last-outages.ts';
import { formatResponse, Moment, Table } from '../common/format.tsx';
import { type ShownRange, shownRangeSeconds, shownRanges } from '../common/shown-range.ts';

const hourSeconds = 3_600;

interface ResponseChartProps {
  readonly averages: HourlyAverages | undefined;
  readonly quantiles: ResponseQuantiles | undefined;
  readonly createdAtSeconds: number | undefined;
  /** The time between two tests or runs; by default an hour. */
  readonly periodSeconds: number | undefined;
  /** The interval of the plan between two reports; undefined while there is no plan. */
  readonly readEverySeconds: number | undefined;
  /** The unchecked range of the address. */
  readonly range: string | undefined;
  /** UNIX seconds by the clock of the service. */
  readonly now: number;
}

/** The response times of a range up to now: a script draws them, and there is a table. */
export function ResponseChart(props: ResponseChartProps) {
  const { averages, quantiles, createdAtSeconds = 0, readEverySeconds, now } = props;
  const { periodSeconds = hourSeconds } = props;
  const all = averages === undefined ? [] : averagesOf(averages);
  if (averages === undefined || all.length === 0) {
    return <p class="rest">{unknownText(readEverySeconds)}</p>;
  }
  const readFrom = Math.max(averages.startAtSeconds, createdAtSeconds);
  const ranges = offeredRanges({ readFrom, readEverySeconds, now });
  const range = ranges.find((one) => one === props.range) ?? defaultRange(ranges);
  const span = { fromSeconds: now - shownRangeSeconds[range], toSeconds: now };
  const points = all.filter(([at]) => at > span.fromSeconds - hourSeconds);
  const shown =
    quantiles !== undefined && quantiles.toSeconds > span.fromSeconds ? quantiles : undefined;
  return (
    <>
      <div class="list-head">
        <Legend quantiles={shown} />
        <Ranges ranges={ranges} shown={range} />
      </div>
      {points.length === 0 ? (
        <p class="empty">{emptyText(averages, span.fromSeconds, range)}</p>
      ) : (
        <figure
          class="chart"
          id="response-chart"
          data-chart={JSON.stringify(chartData(points, shown, periodSeconds))}
          data-from={span.fromSeconds}
          data-to={span.toSeconds}
          aria-label={`Average response time by hour of the last ${range}`}
          hidden
        />
      )}
      <p class="rest">
        Averages by hour, read from <Moment at={readFrom} toTheMinute /> until{' '}
        <Moment at={readUntil(averages)} toTheMinute />.
        {shown !== undefined && (
          <>
            {' '}
            Of the single tests from <Moment at={shown.fromSeconds} toTheMinute /> to{' '}
            <Moment at={shown.toSeconds} toTheMinute />, half were answered within{' '}
            {formatResponse(shown.p50Seconds)} and 95 % within {formatResponse(shown.p95Seconds)}.
          </>
        )}
      </p>
      <details id="response-table">
        <summary>As a table</summary>
        <Table label="Hourly response times" columns={['Hour from', 'Average']}>
          {points.toReversed().map(([at, seconds]) => (
            <tr>
              <th scope="row">
                <Moment at={at} toTheMinute />
              </th>
              <td>{formatResponse(seconds)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </>
  );
}

function unknownText(readEverySeconds: number | undefined): string {
  const unknown = 'No response times are known yet';
  if (readEverySeconds === undefined) return `${unknown}.`;
  const interval = humanizeInterval(readEverySeconds);
  return interval === 'never'
    ? `${unknown}: the plan does not read them.`
    : `${unknown}. They are read every ${interval}.`;
}

/** A longer range is offered if it shows at least this much more than the shorter one. */
const worthSeconds = 6 * hourSeconds;

interface KnownTime {
  /** The start of the known averages in UNIX seconds. */
  readonly readFrom: number;
  readonly readEverySeconds: number | undefined;
  readonly now: number;
}

/** The ranges that show more than shorter ones, with two planned reports each. Never empty. */
export function offeredRanges({ readFrom, readEverySeconds = 0, now }: KnownTime): ShownRange[] {
  const filled = shownRanges.filter(
    (range) => 2 * readEverySeconds <= shownRangeSeconds[range] || range === '30d',
  );
  return filled.filter((_, place) => {
    const shorter = filled[place - 1];
    return shorter === undefined || now - readFrom > shownRangeSeconds[shorter] + worthSeconds;
  });
}

function defaultRange(ranges: readonly ShownRange[]): ShownRange {
  return ranges.find((range) => range === '7d') ?? ranges[0] ?? '24h';
}

function emptyText(averages: HourlyAverages, fromSeconds: number, range: ShownRange): string {
  return readUntil(averages) <= fromSeconds
    ? `The last ${range} have not been read yet.`
    : `No test measured a response time in the known part of the last ${range}.`;
}

function Ranges({ ranges, shown }: { readonly ranges: readonly ShownRange[]; shown: ShownRange }) {
  if (ranges.length < 2) return <p class="rest">Last {shown}</p>;
  return (
    <nav aria-label="Time of the chart">
      <ul class="segments">
        {ranges.map((range) => (
          <li>
            <a
              id={`range-${range}`}
              href={`?range=${range}#responses`}
              aria-current={range === shown ? 'true' : undefined}
            >
              {range}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Legend({ quantiles }: { readonly quantiles: ResponseQuantiles | undefined }) {
  return (
    <p class="legend">
      <span class="key">
        <i class="k-average" />
        average by hour
      </span>
      {quantiles !== undefined && (
        <>
          <span class="key">
            <i class="k-p50" />
            p50 {formatResponse(quantiles.p50Seconds)}
          </span>
          <span class="key">
            <i class="k-p95" />
            p95 {formatResponse(quantiles.p95Seconds)}
          </span>
        </>
      )}
    </p>
  );
}

type Points = readonly (readonly [atSeconds: number, seconds: number])[];

/**
 * The chart's columns: the middle of each hour, its average or null, and the quantiles. Hours in
 * which no run is due are left out: a line leads from each run to the next, which may begin an hour
 * later than it is due.
 */
function chartData(
  points: Points,
  quantiles: ResponseQuantiles | undefined,
  periodSeconds: number,
) {
  const averages = new Map(points);
  const [first = 0] = averages.keys();
  const last = points.at(-1)?.[0] ?? first;
  const hours = Math.round((last - first) / hourSeconds);
  const longestSeconds = periodSeconds > hourSeconds ? periodSeconds + hourSeconds : hourSeconds;
  const all = Array.from({ length: hours + 1 }, (_, hour) => first + hour * hourSeconds);
  let measured = first;
  const starts = all.filter((at) => {
    if (averages.has(at)) measured = at;
    return at === measured || at - measured >= longestSeconds;
  });
  return {
    columns: [
      starts.map((at) => at + hourSeconds / 2),
      starts.map((at) => averages.get(at) ?? null),
    ],
    quantiles: quantiles ?? null,
  };
}
