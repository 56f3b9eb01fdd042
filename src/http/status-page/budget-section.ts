import type { BudgetMode, BudgetView, WindowView } from '../../budget/budget-view.ts';
import { type WindowName, windowNames } from '../../domain/rate-limit.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import type { PlanView } from '../ports.ts';
import { formatDecimal } from './format.ts';
import { type Html, html } from './html.ts';

/** What the budget is too small for, and what to do about it. */
export function shortfallNote(plan: PlanView | undefined): Html | undefined {
  const shortfall = plan?.shortfall;
  if (shortfall === undefined) return undefined;
  const { datasets, missingPerHour, switchOff, enough } = shortfall;
  const off =
    switchOff.length === 0
      ? undefined
      : html`switch off ${switchOff.join(', ')}${enough ? undefined : html`, which helps in part`}, or `;
  return html`
<div class="note warn"><p><strong>The request budget is too small.</strong> Refreshed too seldom: ${datasets.join(', ')}. About ${formatDecimal(Math.ceil(missingPerHour))} more requests an hour are needed.</p>
<p>What to do: ${off}have the request limit raised, or watch fewer checks.</p></div>`;
}

const secondsPerHour = 3_600;

const modeNotes: { readonly [M in BudgetMode]: string | undefined } = {
  learning: 'The service has not told yet what is left of both windows.',
  headers: undefined,
  fallback: 'The service does not tell what is left, so the configured rate holds.',
};

/** What is left of both windows, what of it is reserved, and what may be spent. */
export function budgetSection(budget: BudgetView, plan: PlanView | undefined): Html {
  const windows = windowNames.map((name) => {
    const window = budget.windows[name];
    return window === undefined ? unknownWindow(name) : windowBar(name, window, plan);
  });
  return html`
<h3>Request budget</h3>
<p>${spendingLine(budget)} ${modeNotes[budget.mode]}</p>
<div class="windows">${windows}
</div>`;
}

function spendingLine({ paused, retrySeconds, requestsPerSecond, inFlight }: BudgetView): Html {
  if (paused) return html`<span class="badge warn">Paused</span> ${describePause(retrySeconds)}`;
  const rate = formatDecimal(requestsPerSecond * secondsPerHour);
  return html`The exporter may send ${rate} requests an hour; ${formatDecimal(inFlight)} in flight.`;
}

function describePause(retrySeconds: number | undefined): string {
  if (retrySeconds === undefined) return 'No request is sent until a window resets.';
  return retrySeconds > 0
    ? `No request is sent for ${humanizeDuration(retrySeconds)}; then one finds out whether the service still refuses.`
    : 'One request finds out whether the service still refuses.';
}

function unknownWindow(name: WindowName): Html {
  return html`
<div><h4>${title(name)}</h4><p>The service has not said what is left of it.</p></div>`;
}

function windowBar(
  name: WindowName,
  { limit, remaining, reserve, resetSeconds }: WindowView,
  plan: PlanView | undefined,
): Html {
  const left = percent(remaining, limit);
  const kept = percent(reserve, limit);
  const reset =
    resetSeconds > 0 ? `resets in ${humanizeDuration(resetSeconds)}` : 'is resetting now';
  const forecast =
    plan === undefined || resetSeconds <= 0
      ? undefined
      : describeForecast(remaining - plan.requestsPerSecond * resetSeconds, reserve, plan);
  return html`
<div><h4>${title(name)} <small>${reset}</small></h4>
<svg class="bar" role="img" aria-label="${formatDecimal(left)} % left, ${formatDecimal(kept)} % reserved">
<rect class="track" width="100%" height="100%" rx="4"/><rect class="${remaining <= reserve ? 'low' : 'left'}" width="${left}%" height="100%" rx="4"/><rect class="reserve" x="${kept}%" width="2" height="100%"/></svg>
<p><b>${formatDecimal(remaining)}</b> of ${formatDecimal(limit)} left. Below ${formatDecimal(reserve)}, the mark, they are for the account’s other users.${forecast}</p></div>`;
}

/** Where the window ends when the exporter goes on as planned and nobody else spends anything. */
function describeForecast(atReset: number, reserve: number, plan: PlanView): Html {
  const pace = formatDecimal(plan.requestsPerSecond * secondsPerHour);
  const left = formatDecimal(Math.max(0, Math.round(atReset)));
  const short =
    atReset < reserve ? ' The exporter slows down before it touches the reserve.' : undefined;
  return html` At the planned ${pace} an hour, ${left} are left at the reset.${short}`;
}

function title(name: WindowName): string {
  return name === 'short' ? 'Short window' : 'Long window';
}

/** Cut to the bar: a window of size 0 is empty, and the service may count past its own limit. */
function percent(part: number, whole: number): number {
  return whole > 0 ? Math.min(100, Math.max(0, Math.round((1000 * part) / whole) / 10)) : 0;
}
