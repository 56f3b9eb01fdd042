import { formatResponse, formatShareLeft, Moment, Table } from '../common/format.tsx';
import { type Item, itemPastOf } from '../common/items.ts';
import type { PastBar } from '../common/past-bars.ts';
import { averagePoints } from '../common/sparkline.tsx';

const height = 48;
/** A line at the edge of the drawing would be half as wide. */
const margin = 2;

interface BudgetLineProps {
  /** The last 30 days of the group. */
  readonly bars: readonly PastBar[];
  /** What is left of the error budget, as a share of it; negative if it is overspent. */
  readonly left: number;
}

/** What was left of the error budget of 30 days after each of them, above the line of the objective. */
export function BudgetLine({ bars, left }: BudgetLineProps) {
  const shares = sharesLeft(bars, left);
  const lowest = Math.min(0, ...shares);
  const yOf = (share: number) =>
    Math.round(margin + ((1 - share) * (height - 2 * margin)) / (1 - lowest));
  const usedUp = shares.findIndex((share) => share < 0);
  const used = usedUp < 1 ? '' : `, used up on the ${ordinal(usedUp)} day`;
  return (
    <>
      <svg
        class="spark lines"
        viewBox={`0 0 ${bars.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Error budget left, day by day: from 100 % to ${formatShareLeft(left)}${used}`}
      >
        <path class="objective" d={`M0 ${yOf(0)}h${bars.length}`} />
        <path d={pathOf(shares.map((share, place) => [place, yOf(share)]))} />
      </svg>
      <p class="rest">
        The line is what was left of the budget after each of the last 30 days. Below the dashed
        line the objective is missed.
      </p>
    </>
  );
}

/** 1, and what is left after each bar: each used a share as large as its share of the downtime. */
export function sharesLeft(bars: readonly PastBar[], left: number): readonly number[] {
  const down = bars.reduce((sum, { seconds }) => sum + seconds.down, 0);
  let used = 0;
  return [
    1,
    ...bars.map(({ seconds }) => {
      used += seconds.down;
      return down === 0 ? 1 : 1 - ((1 - left) * used) / down;
    }),
  ];
}

/** Response times of the checks of a group on one of the last 30 days, in seconds. */
interface DayResponses {
  readonly p50: number;
  readonly p95: number;
}

/** The daily averages of the checks of a group, in the days of the strip of 30 days. */
export class GroupResponses {
  readonly #days: number[][] = Array.from({ length: 30 }, () => []);
  #checks = 0;

  add(item: Item, now: number): void {
    const { hourlyAverages } = itemPastOf(item) ?? {};
    const points = hourlyAverages === undefined ? [] : averagePoints(hourlyAverages, '30d', now);
    if (points.length > 0) this.#checks += 1;
    for (const { place, seconds } of points) this.#days[place]?.push(seconds);
  }

  /** The number of checks that have response times. */
  get checks(): number {
    return this.#checks;
  }

  /** Oldest first; undefined where none is known. */
  get days(): readonly (DayResponses | undefined)[] {
    return this.#days.map((averages) => {
      const sorted = averages.toSorted((a, b) => a - b);
      // The quantile is computed by the nearest rank.
      const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
      const [p50, p95] = [rank(0.5), rank(0.95)];
      return p50 === undefined || p95 === undefined ? undefined : { p50, p95 };
    });
  }
}

interface ResponseLinesProps {
  readonly bars: readonly PastBar[];
  readonly responses: Pick<GroupResponses, 'checks' | 'days'>;
  /** Of the group. */
  readonly checks: number;
  /** Of the table. */
  readonly id: string;
}

/** The median and the 95th percentile of the checks of a group, day by day. */
export function ResponseLines({ bars, responses, checks, id }: ResponseLinesProps) {
  const { checks: measured, days } = responses;
  const last = days.findLast((day) => day !== undefined);
  if (last === undefined) return <p class="rest">No response times are known yet.</p>;
  const highest = Math.max(...days.map((day) => day?.p95 ?? 0));
  const yOf = (seconds: number) =>
    Math.round(height - margin - (seconds * (height - 2 * margin)) / highest);
  const points = (secondsOf: (day: DayResponses) => number) =>
    days.flatMap((day, place) =>
      day === undefined ? [] : [[place + 0.5, yOf(secondsOf(day))] as const],
    );
  return (
    <>
      <p class="legend">
        <span class="key">
          <i class="k-p50" />
          p50 {formatResponse(last.p50)}
        </span>
        <span class="key">
          <i class="k-p95" />
          p95 {formatResponse(last.p95)}
        </span>
      </p>
      <svg
        class="spark lines"
        viewBox={`0 0 ${days.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Response times of its checks, day by day: last p50 ${formatResponse(last.p50)}, p95 ${formatResponse(last.p95)}`}
      >
        <path class="p50" d={pathOf(points(({ p50 }) => p50))} />
        <path class="p95" d={pathOf(points(({ p95 }) => p95))} />
      </svg>
      <p class="rest">
        The daily averages of{' '}
        {measured === checks ? 'its checks' : `${measured} of its ${checks} checks`}: half of the
        checks were below p50, 95 % below p95. The axis begins at 0.
      </p>
      <details id={id}>
        <summary>As a table</summary>
        <Table label="Response times by day" columns={['From', 'p50', 'p95']}>
          {bars.toReversed().map((bar, place) => {
            const day = days[days.length - 1 - place];
            return (
              <tr>
                <th scope="row">
                  <Moment at={bar.fromSeconds} toTheMinute />
                </th>
                <td>{day === undefined ? '–' : formatResponse(day.p50)}</td>
                <td>{day === undefined ? '–' : formatResponse(day.p95)}</td>
              </tr>
            );
          })}
        </Table>
      </details>
    </>
  );
}

/** A gap of days that are not known interrupts the line; a day alone is as wide as a day. */
function pathOf(points: readonly (readonly [x: number, y: number])[]): string {
  return points
    .map(([x, y], place) => {
      const follows = points[place - 1]?.[0] === x - 1;
      const isAlone = !follows && points[place + 1]?.[0] !== x + 1;
      if (isAlone) return `M${x - 0.5} ${y}h1`;
      return `${follows ? ' ' : 'M'}${x} ${y}`;
    })
    .join('');
}

function ordinal(day: number): string {
  const ending = { 1: 'st', 2: 'nd', 3: 'rd' }[day % 10] ?? 'th';
  return `${day}${day > 10 && day < 14 ? 'th' : ending}`;
}
