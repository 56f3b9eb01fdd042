import { type Check, type CheckStatus, checkStatuses, isDown } from '../../domain/check.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { displayText, formatDecimal, formatMoment } from './format.ts';
import { type Html, html } from './html.ts';
import { statusIcon, statusWord } from './status-badge.ts';

/** How many checks are in each of the five statuses. */
export function checkCounts(checks: readonly Check[]): Html {
  const counts = new Map<CheckStatus, number>(checkStatuses.map((status) => [status, 0]));
  for (const { status } of checks) counts.set(status, (counts.get(status) ?? 0) + 1);
  const tiles = [...counts].map(
    ([status, count]) => html`
<li class="tile${count === 0 ? ' none' : ''}">${statusIcon(status)}<b>${formatDecimal(count)}</b> <span>${statusWord(status)}</span></li>`,
  );
  return html`
<h3>Checks <small>${formatDecimal(checks.length)} in all</small></h3>
<ul class="tiles">${tiles}
</ul>`;
}

const maxShown = 50;

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
  const rows = down.slice(0, maxShown).map(
    ({ check, since }) => html`
<tr><th scope="row"><bdi>${displayText(check.name)}</bdi>${formatTarget(check)}</th>
<td class="status">${statusIcon(check.status)} ${statusWord(check.status)}</td>
<td>${formatDownFor(since, nowSeconds)}</td></tr>`,
  );
  const more = down.length - maxShown;
  return html`
<h3>Down now <small>${formatDecimal(down.length)}</small></h3>
<table class="down" aria-label="Checks that are down"><thead><tr><th scope="col">Check</th><th scope="col">Status</th><th scope="col">For, since</th></tr></thead>
<tbody>${rows}
</tbody></table>${more > 0 ? html`<p>and ${formatDecimal(more)} more</p>` : undefined}`;
}

/** The start of an outage that has ended says nothing about the present one. */
function downSince(check: Check): number | undefined {
  const { lastDownStartAtSeconds: start, lastDownEndAtSeconds: end } = check;
  return start !== undefined && end !== undefined && end > start ? undefined : start;
}

function formatTarget({ id, hostname }: Check): Html {
  const host = hostname === undefined ? undefined : html`<bdi>${displayText(hostname)}</bdi> · `;
  return html`<small>${host}check ${id}</small>`;
}

function formatDownFor(since: number | undefined, nowSeconds: number): Html {
  if (since === undefined) return html`not known`;
  return html`${humanizeDuration(nowSeconds - since)}<small>${formatMoment(since)}</small>`;
}
