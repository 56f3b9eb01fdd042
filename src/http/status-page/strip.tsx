import type { TalliedState, TimeRange } from '../../domain/interval.ts';
import type { SecondsByState } from '../../domain/totals.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { spansOf } from '../../windows/state-history.ts';
import { formatRatio, Moment, TableHead } from './format.tsx';
import { type Item, pastOf, recentSpansOf, type ShownWindow, shownWindowSeconds } from './items.ts';

/** Bars of a strip: half an hour, six hours, a day each. */
const barCounts: { readonly [W in ShownWindow]: number } = { '24h': 48, '7d': 28, '30d': 30 };

/** The states of a part of a window. */
interface PastBar extends TimeRange {
  /** Less than the bar together where not all of it is known. */
  readonly seconds: SecondsByState;
}

interface Stretch extends TimeRange {
  readonly seconds: SecondsByState;
}

/** The window up to now in bars of equal length, oldest first. */
export function pastBars(item: Item, window: ShownWindow, nowSeconds: number): PastBar[] {
  const count = barCounts[window];
  const length = shownWindowSeconds[window] / count;
  const start = nowSeconds - count * length;
  const bars = Array.from({ length: count }, (_, place) => ({
    fromSeconds: start + place * length,
    toSeconds: start + (place + 1) * length,
    seconds: { up: 0, down: 0, unknown: 0, unmonitored: 0 },
  }));
  for (const stretch of stretchesOf(item, start)) {
    const whole = stretch.toSeconds - stretch.fromSeconds;
    const first = Math.max(0, Math.floor((stretch.fromSeconds - start) / length));
    for (let place = first; place < count; place++) {
      const bar = bars[place];
      if (bar === undefined || bar.fromSeconds >= stretch.toSeconds) break;
      const common =
        Math.min(bar.toSeconds, stretch.toSeconds) - Math.max(bar.fromSeconds, stretch.fromSeconds);
      if (common <= 0) continue;
      for (const state of stateNames) {
        bar.seconds[state] += (stretch.seconds[state] * common) / whole;
      }
    }
  }
  return bars;
}

const stateNames = ['up', 'down', 'unknown', 'unmonitored'] as const satisfies TalliedState[];

/** All that is known from `startSeconds` on, up to the time that is counted. */
function* stretchesOf(item: Item, startSeconds: number): Generator<Stretch> {
  const horizonSeconds = recentSpansOf(item).at(-1)?.toSeconds;
  const past = pastOf(item);
  if (horizonSeconds === undefined || past === undefined) return;
  const { history } = past;
  const created = item.row.createdAtSeconds ?? 0;
  const changes = history?.changes ?? [
    { state: 'up' as const, fromSeconds: Math.max(created, startSeconds) },
  ];
  yield* history?.hours ?? [];
  for (const { state, fromSeconds, toSeconds } of spansOf(changes, horizonSeconds)) {
    if (toSeconds <= startSeconds || toSeconds <= fromSeconds) continue;
    const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
    seconds[state] = toSeconds - fromSeconds;
    yield { fromSeconds, toSeconds, seconds };
  }
}

/** How a bar looks: `partial` was down for less than half of it. */
const barTones = ['up', 'partial', 'down', 'unknown', 'paused', 'none'] as const;
type BarTone = (typeof barTones)[number];

export function barTone({ seconds }: PastBar): BarTone {
  const { up, down, unknown, unmonitored } = seconds;
  if (down > 0) return down >= up ? 'down' : 'partial';
  if (up + unknown + unmonitored === 0) return 'none';
  if (unmonitored > up && unmonitored > unknown) return 'paused';
  return unknown > up ? 'unknown' : 'up';
}

/** Seconds by state of all bars. */
export function sumBars(bars: readonly PastBar[]): SecondsByState {
  const sum = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
  for (const { seconds } of bars) {
    for (const state of stateNames) sum[state] += seconds[state];
  }
  return sum;
}

const [barWidth, barStep, height] = [3, 4, 24];

/** Each tone has its own height besides its colour; the style sheet has the widths of the lines. */
const tops: { readonly [T in BarTone]: number } = {
  ...{ up: 6, partial: 2, down: 0, unknown: 12, paused: 19, none: 21 },
};

/** States over time as bars, and in words for those who do not see them. A run of like bars is one dashed line. */
export function Strip({ bars, label }: { readonly bars: readonly PastBar[]; label: string }) {
  const lines = new Map<BarTone, string>();
  const tones = bars.map(barTone);
  for (let first = 0; first < tones.length; ) {
    const tone = tones[first] ?? 'none';
    let end = first + 1;
    while (tones[end] === tone) end += 1;
    const [from, to] = [first * barStep, end * barStep - (barStep - barWidth)];
    const line = `M${from} ${(tops[tone] + height) / 2}H${to}`;
    lines.set(tone, (lines.get(tone) ?? '') + line);
    first = end;
  }
  const width = bars.length * barStep - (barStep - barWidth);
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${describeBars(bars)}`}
    >
      {[...lines].map(([tone, line]) => (
        <path class={`b-${tone}`} d={line} />
      ))}
    </svg>
  );
}

const toneLabels: { readonly [T in BarTone]: string } = {
  up: 'up',
  partial: 'partly down',
  down: 'down',
  unknown: 'unknown',
  paused: 'not monitored',
  none: 'not known yet',
};

export function StripLegend() {
  return (
    <p class="legend">
      {barTones.map((tone) => (
        <span class="key">
          <i class={`k-${tone}`} />
          {toneLabels[tone]}
        </span>
      ))}
    </p>
  );
}

/** What a strip shows, in words. */
export function describeBars(bars: readonly PastBar[]): string {
  const { up, down, unknown, unmonitored } = sumBars(bars);
  if (up + down + unknown + unmonitored === 0) return 'not known yet';
  const parts = [
    up + down === 0 ? 'not monitored' : `${formatRatio(up / (up + down))} up`,
    ...(down >= 1 ? [`down ${humanizeDuration(down)}`] : []),
    ...(unknown >= 1 ? [`unknown ${humanizeDuration(unknown)}`] : []),
  ];
  return parts.join(', ');
}

/** The same as a table, a row for each bar. */
export function BarsTable({ bars, label }: { readonly bars: readonly PastBar[]; label: string }) {
  return (
    <table aria-label={label}>
      <TableHead columns={['From', 'Up', 'Down']} />
      <tbody>
        {bars.toReversed().map((bar) => {
          const { up, down } = bar.seconds;
          return (
            <tr>
              <th scope="row">
                <Moment at={bar.fromSeconds} toTheMinute />
              </th>
              <td>{up + down === 0 ? '–' : formatRatio(up / (up + down))}</td>
              <td>{down < 1 ? '–' : humanizeDuration(down)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
