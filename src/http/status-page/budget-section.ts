import type { BudgetMode, BudgetView, WindowView } from '../../budget/budget-view.ts';
import { type WindowName, windowNames } from '../../domain/window.ts';
import { durationWords } from '../../lib/duration-words.ts';
import { type Html, html } from '../html.ts';
import type { PlanView } from '../ports.ts';
import { numberWords } from './words.ts';

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
    return window === undefined ? unheardOf(name) : windowBar(name, window, plan);
  });
  return html`
<h3>Request budget</h3>
<p>${spending(budget)} ${modeNotes[budget.mode]}</p>
<div class="windows">${windows}
</div>`;
}

function spending({ paused, retrySeconds, requestsPerSecond, inFlight }: BudgetView): Html {
  if (paused) return html`<span class="badge warn">Paused</span> ${pauseWords(retrySeconds)}`;
  const rate = numberWords(requestsPerSecond * secondsPerHour);
  return html`The exporter may send ${rate} requests an hour; ${numberWords(inFlight)} in flight.`;
}

function pauseWords(retrySeconds: number | undefined): string {
  if (retrySeconds === undefined) return 'No request is sent until a window resets.';
  return retrySeconds > 0
    ? `No request is sent for ${durationWords(retrySeconds)}; then one finds out whether the service still refuses.`
    : 'One request finds out whether the service still refuses.';
}

function unheardOf(name: WindowName): Html {
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
  const reset = resetSeconds > 0 ? `resets in ${durationWords(resetSeconds)}` : 'is resetting now';
  const forecast =
    plan === undefined || resetSeconds <= 0
      ? undefined
      : forecastWords(remaining - plan.requestsPerSecond * resetSeconds, reserve, plan);
  return html`
<div><h4>${title(name)} <small>${reset}</small></h4>
<svg class="bar" role="img" aria-label="${numberWords(left)} % left, ${numberWords(kept)} % reserved">
<rect class="track" width="100%" height="100%" rx="4"/><rect class="${remaining <= reserve ? 'low' : 'left'}" width="${left}%" height="100%" rx="4"/><rect class="reserve" x="${kept}%" width="2" height="100%"/></svg>
<p><b>${numberWords(remaining)}</b> of ${numberWords(limit)} left. Below ${numberWords(reserve)}, the mark, they are for the account’s other users.${forecast}</p></div>`;
}

/** Where the window ends when the exporter goes on as planned and nobody else spends anything. */
function forecastWords(atReset: number, reserve: number, plan: PlanView): Html {
  const pace = numberWords(plan.requestsPerSecond * secondsPerHour);
  const left = numberWords(Math.max(0, Math.round(atReset)));
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
