import type { TalliedState } from '../../domain/totals.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { recentSeconds } from '../../state/recent-states.ts';
import { type DayOf, type DaySummary, worstFirst } from '../day-summary.ts';
import type { StateHistory } from '../ports.ts';
import { displayText, formatDecimal, formatRatio } from './format.ts';
import { type Html, html } from './html.ts';

const maxShown = 100;
/** The others are there to be unfolded. */
const maxUnfolded = 12;

const width = 1440;
/** What is shorter could not be seen. */
const minSpanWidth = 6;

/** Each state has its own height besides its colour; the later ones are painted over the earlier. */
const bars: readonly (readonly [state: TalliedState, top: number, word: string])[] = [
  ['unmonitored', 20, 'not monitored'],
  ['up', 10, 'up'],
  ['unknown', 14, 'unknown'],
  ['down', 0, 'down'],
];
const height = 24;

interface Named {
  readonly id: number;
  readonly name: string;
}

/** The last 24 hours of each, as far as they are booked; those with incidents first. */
export function dayStrips(
  items: readonly Named[],
  history: StateHistory,
  nowSeconds: number,
): Html | undefined {
  if (items.length === 0) return undefined;
  const days = worstFirst(items, history, nowSeconds);
  const rows = days.slice(0, maxShown).map((day) => strip(day, nowSeconds));
  const folded = rows.slice(maxUnfolded);
  const more = days.length - rows.length;
  return html`
<h4>Last 24 hours <small>${legend()}</small></h4>
<ul class="strips">${rows.slice(0, maxUnfolded)}
</ul>${
    folded.length === 0
      ? undefined
      : html`
<details><summary>${formatDecimal(folded.length)} more</summary>
<ul class="strips">${folded}
</ul></details>`
  }${more > 0 ? html`<p class="rest">${formatDecimal(more)} more are not shown; they had fewer incidents.</p>` : undefined}`;
}

function legend(): Html[] {
  return bars
    .toReversed()
    .map(([state, , word]) => html`<span class="key"><i class="k-${state}"></i>${word}</span> `);
}

function strip({ item, day }: DayOf<Named>, nowSeconds: number): Html {
  const start = nowSeconds - recentSeconds;
  const x = (seconds: number) => Math.round(((seconds - start) * width) / recentSeconds);
  const rects = bars.map(([state, top]) =>
    day.spans
      .filter((span) => span.state === state)
      .map(({ fromSeconds, toSeconds }) => {
        const wide = Math.max(minSpanWidth, x(toSeconds) - x(fromSeconds));
        const left = Math.max(0, Math.min(x(fromSeconds), width - wide));
        return html`<rect class="d-${state}" x="${left}" y="${top}" width="${wide}" height="${height - top}"/>`;
      }),
  );
  const words = describeDay(day);
  return html`
<li><bdi class="who">${displayText(item.name)}</bdi><svg class="strip" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="${width}" height="${height}"/>${rects}</svg><span class="sum">${words}</span></li>`;
}

/** The strip in words. */
function describeDay({ upRatio, outages, seconds }: DaySummary): string {
  const known = Object.values(seconds).reduce((sum, part) => sum + part, 0);
  if (known === 0) return 'nothing known yet';
  const up = upRatio === undefined ? 'not monitored' : `${formatRatio(upRatio)} up`;
  const down =
    outages === 0 ? '' : `, down ${formatTimes(outages)}, ${humanizeDuration(seconds.down)}`;
  const unknown = seconds.unknown === 0 ? '' : `, unknown ${humanizeDuration(seconds.unknown)}`;
  const whole = known >= recentSeconds * 0.95 ? '' : ` of ${humanizeDuration(known)}`;
  return `${up}${whole}${down}${unknown}`;
}

function formatTimes(count: number): string {
  return count === 1 ? 'once' : `${formatDecimal(count)} times`;
}
