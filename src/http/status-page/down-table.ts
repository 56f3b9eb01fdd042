import { type Check, isDown } from '../../domain/check.ts';
import { durationWords } from '../../lib/duration-words.ts';
import { type Html, html } from '../html.ts';
import { displayText } from './display-text.ts';
import { statusIcon, statusWord } from './status-badge.ts';
import { momentWords, numberWords } from './words.ts';

const mostShown = 50;

/** The checks that are down, the latest to fail first, and the ones whose start is not known last. */
export function downTable(checks: readonly Check[], nowSeconds: number): Html {
  const down = checks
    .filter(({ status }) => isDown(status))
    .map((check) => ({ check, since: downSince(check) }))
    .sort((a, b) => (b.since ?? 0) - (a.since ?? 0));
  if (down.length === 0)
    return html`
<h3>Down now</h3>
<p>No check is down.</p>`;
  const rows = down.slice(0, mostShown).map(
    ({ check, since }) => html`
<tr><th scope="row"><bdi>${displayText(check.name)}</bdi>${where(check)}</th>
<td class="status">${statusIcon(check.status)} ${statusWord(check.status)}</td>
<td>${downFor(since, nowSeconds)}</td></tr>`,
  );
  const more = down.length - mostShown;
  return html`
<h3>Down now <small>${numberWords(down.length)}</small></h3>
<table class="down" aria-label="Checks that are down"><thead><tr><th scope="col">Check</th><th scope="col">Status</th><th scope="col">For, since</th></tr></thead>
<tbody>${rows}
</tbody></table>${more > 0 ? html`<p>and ${numberWords(more)} more</p>` : undefined}`;
}

/** The start of an outage that has ended says nothing about the present one. */
function downSince(check: Check): number | undefined {
  const { lastDownStartAtSeconds: start, lastDownEndAtSeconds: end } = check;
  return start !== undefined && end !== undefined && end > start ? undefined : start;
}

function where({ id, hostname }: Check): Html {
  const host = hostname === undefined ? undefined : html`<bdi>${displayText(hostname)}</bdi> · `;
  return html`<small>${host}check ${id}</small>`;
}

function downFor(since: number | undefined, nowSeconds: number): Html {
  if (since === undefined) return html`not known`;
  return html`${durationWords(nowSeconds - since)}<small>${momentWords(since)}</small>`;
}
