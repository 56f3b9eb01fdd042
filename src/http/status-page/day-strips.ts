import type { TalliedState } from '../../domain/tally.ts';
import { durationWords } from '../../lib/duration-words.ts';
import { recentSeconds } from '../../state/recent-states.ts';
import { type DayOf, type DaySummary, troubledFirst } from '../day-summary.ts';
import { type Html, html } from '../html.ts';
import type { StateHistory } from '../ports.ts';
import { displayText } from './display-text.ts';
import { numberWords, shareWords } from './words.ts';

const mostShown = 100;
/** The others are there to be unfolded. */
const mostUnfolded = 12;

const width = 1440;
/** What is shorter could not be seen. */
const narrowest = 6;

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
  const days = troubledFirst(items, history, nowSeconds);
  const rows = days.slice(0, mostShown).map((day) => strip(day, nowSeconds));
  const folded = rows.slice(mostUnfolded);
  const more = days.length - rows.length;
  return html`
<h4>Last 24 hours <small>${legend()}</small></h4>
<ul class="strips">${rows.slice(0, mostUnfolded)}
</ul>${
    folded.length === 0
      ? undefined
      : html`
<details><summary>${numberWords(folded.length)} more</summary>
<ul class="strips">${folded}
</ul></details>`
  }${more > 0 ? html`<p class="rest">${numberWords(more)} more are not shown; they had fewer incidents.</p>` : undefined}`;
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
        const wide = Math.max(narrowest, x(toSeconds) - x(fromSeconds));
        const left = Math.max(0, Math.min(x(fromSeconds), width - wide));
        return html`<rect class="d-${state}" x="${left}" y="${top}" width="${wide}" height="${height - top}"/>`;
      }),
  );
  const words = dayWords(day);
  return html`
<li><bdi class="who">${displayText(item.name)}</bdi><svg class="strip" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="${width}" height="${height}"/>${rects}</svg><span class="sum">${words}</span></li>`;
}

/** The strip in words. */
function dayWords({ upRatio, outages, seconds }: DaySummary): string {
  const known = Object.values(seconds).reduce((sum, part) => sum + part, 0);
  if (known === 0) return 'nothing known yet';
  const up = upRatio === undefined ? 'not monitored' : `${shareWords(upRatio)} up`;
  const down = outages === 0 ? '' : `, down ${times(outages)}, ${durationWords(seconds.down)}`;
  const unknown = seconds.unknown === 0 ? '' : `, unknown ${durationWords(seconds.unknown)}`;
  const whole = known >= recentSeconds * 0.95 ? '' : ` of ${durationWords(known)}`;
  return `${up}${whole}${down}${unknown}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${numberWords(count)} times`;
}
