import { type Html, html } from '../html.ts';
import type { PlanView } from '../ports.ts';
import { numberWords } from './words.ts';

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
<div class="note warn"><p><strong>The request budget is too small.</strong> Refreshed too seldom: ${datasets.join(', ')}. About ${numberWords(Math.ceil(missingPerHour))} more requests an hour are needed.</p>
<p>What to do: ${off}have the request limit raised, or watch fewer checks.</p></div>`;
}
