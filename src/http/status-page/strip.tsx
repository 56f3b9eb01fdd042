import { humanizeDuration } from '../../lib/format-duration.ts';
import { formatRatio, Moment, TableHead } from './format.tsx';
import { type BarTone, barTone, barTones, type PastBar, sumBars } from './past-bars.ts';

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

const toneWords: { readonly [T in BarTone]: string } = {
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
          {toneWords[tone]}
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
