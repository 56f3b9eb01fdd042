import { isClockOff } from '../../api/service-clock.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
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
  const { snapshot, budget, recent, plan, clockOffsetSeconds = 0, counting } = status;
  const serviceNow = nowSeconds + clockOffsetSeconds;
  const { datasets } = snapshot;
  const { word, tone, meaning } = accountBadge(status);
  const checks =
    snapshot.checks === undefined || datasets.checks.stale
      ? undefined
      : html`${checkCounts(snapshot.checks)}${downTable(snapshot.checks, serviceNow)}${dayStrips(snapshot.checks, recent.checks, serviceNow)}`;
  const transactions =
    snapshot.transactions === undefined || datasets.transactions?.stale === true
      ? undefined
      : transactionsSection(snapshot.transactions, recent.transactions, serviceNow);
  return html`
<section aria-labelledby="${anchor}">
<h2 id="${anchor}"><bdi>${displayText(snapshot.account)}</bdi> <span class="badge ${tone}">${word}</span></h2>
<p class="lead">${meaning}</p>
<p class="facts">API ${snapshot.apiVersion} at <bdi>${displayText(snapshot.baseUrl)}</bdi></p>${clockNote(clockOffsetSeconds)}${maintenanceNote(counting)}${checks}${transactions}${datasetsTable(snapshot, nowSeconds)}${shortfallNote(plan)}${budgetSection(budget, plan)}
</section>`;
}

function maintenanceNote(counting: AccountStatus['counting']): Html | undefined {
  const maintenance = counting?.maintenance;
  if (maintenance === undefined || maintenance.is === 'known') return undefined;
  const meaning =
    maintenance.is === 'awaited'
      ? 'The counters wait for it, for an hour at most.'
      : 'None is assumed: time is counted as if there were no maintenance.';
  return html`
<p class="facts">Maintenance is not known: ${displayText(maintenance.why ?? '')}. ${meaning}</p>`;
}

function clockNote(offsetSeconds: number): Html | undefined {
  if (!isClockOff(offsetSeconds)) return undefined;
  const way = offsetSeconds > 0 ? 'behind' : 'ahead of';
  return html`
<div class="note warn"><p><strong>The clock of this machine is ${humanizeDuration(Math.abs(offsetSeconds))} ${way} the service’s.</strong> Everything is counted by the service’s clock. Set this one right: logs and the times of refreshes bear it.</p></div>`;
}
