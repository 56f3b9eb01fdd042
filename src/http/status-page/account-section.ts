import type { AccountStatus } from '../ports.ts';
import { accountBadge } from './account-badge.ts';
import { budgetSection, shortfallNote } from './budget-section.ts';
import { checkCounts, downTable } from './checks-section.ts';
import { datasetsTable } from './datasets-table.ts';
import { dayStrips } from './day-strips.ts';
import { displayText } from './format.ts';
import { type Html, html } from './html.ts';
import { transactionsSection } from './transactions-section.ts';

/** All that the page says of one account; `anchor` is unique on the page. */
export function accountSection(status: AccountStatus, anchor: string, nowSeconds: number): Html {
  const { snapshot, budget, recent, plan } = status;
  const { datasets } = snapshot;
  const { word, tone, meaning } = accountBadge(status);
  const checks =
    snapshot.checks === undefined || datasets.checks.stale
      ? undefined
      : html`${checkCounts(snapshot.checks)}${downTable(snapshot.checks, nowSeconds)}${dayStrips(snapshot.checks, recent.checks, nowSeconds)}`;
  const transactions =
    snapshot.transactions === undefined || datasets.transactions?.stale === true
      ? undefined
      : transactionsSection(snapshot.transactions, recent.transactions, nowSeconds);
  return html`
<section aria-labelledby="${anchor}">
<h2 id="${anchor}"><bdi>${displayText(snapshot.account)}</bdi> <span class="badge ${tone}">${word}</span></h2>
<p class="lead">${meaning}</p>
<p class="facts">API ${snapshot.apiVersion} at <bdi>${displayText(snapshot.baseUrl)}</bdi></p>${checks}${transactions}${datasetsTable(snapshot, nowSeconds)}${shortfallNote(plan)}${budgetSection(budget, plan)}
</section>`;
}
