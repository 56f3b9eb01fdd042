import { type Check, type CheckStatus, checkStatuses } from '../../domain/check.ts';
import { type Html, html } from '../html.ts';
import { statusIcon, statusWord } from './status-badge.ts';
import { numberWords } from './words.ts';

/** How many checks are in each of the five statuses. */
export function checkCounts(checks: readonly Check[]): Html {
  const counts = new Map<CheckStatus, number>(checkStatuses.map((status) => [status, 0]));
  for (const { status } of checks) counts.set(status, (counts.get(status) ?? 0) + 1);
  const tiles = [...counts].map(
    ([status, count]) => html`
<li class="tile${count === 0 ? ' none' : ''}">${statusIcon(status)}<b>${numberWords(count)}</b> <span>${statusWord(status)}</span></li>`,
  );
  return html`
<h3>Checks <small>${numberWords(checks.length)} in all</small></h3>
<ul class="tiles">${tiles}
</ul>`;
}
