import { type Html, html } from '../html.ts';
import type { AccountStatus } from '../ports.ts';
import { accountState, accountStates } from './account-state.ts';
import { budgetSection } from './budget-section.ts';
import { checkCounts } from './check-counts.ts';
import { datasetsTable } from './datasets-table.ts';
import { displayText } from './display-text.ts';
import { downTable } from './down-table.ts';

/** All that the page says of one account; `anchor` is unique on the page. */
export function accountSection(status: AccountStatus, anchor: string, nowSeconds: number): Html {
  const { snapshot, budget } = status;
  const { word, tone, meaning } = accountStates[accountState(status)];
  const checks =
    snapshot.checks === undefined || snapshot.datasets.checks.stale
      ? undefined
      : html`${checkCounts(snapshot.checks)}${downTable(snapshot.checks, nowSeconds)}`;
  return html`
<section aria-labelledby="${anchor}">
<h2 id="${anchor}"><bdi>${displayText(snapshot.account)}</bdi> <span class="badge ${tone}">${word}</span></h2>
<p class="lead">${meaning}</p>
<p class="facts">API ${snapshot.apiVersion} at <bdi>${displayText(snapshot.baseUrl)}</bdi></p>${checks}${datasetsTable(snapshot, nowSeconds)}${budgetSection(budget)}
</section>`;
}
