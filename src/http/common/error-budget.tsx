import { humanizeDuration } from '../../lib/format-duration.ts';
import { formatDecimal } from '../../lib/format-number.ts';
import type { ErrorBudget } from '../../slo/error-budget.ts';
import { rangeLengths } from '../../slo/range-seconds.ts';
import { displayText, formatObjective, formatShareLeft, Table } from './format.tsx';

/** Returns the rest of the error budget as a short text. */
export function budgetLeft(budget: ErrorBudget | undefined): string {
  const left = budget?.remainingRatio;
  return left === undefined ? '–' : formatShareLeft(left);
}

/** An error budget of which less is left is scarce. */
const scarceShare = 0.25;

/** The share of an error budget that is left, in a colour that depends on it. */
export function ShareLeft({ left }: { readonly left: number }) {
  const tone = left < 0 ? 'spent' : left < scarceShare ? 'scarce' : 'ample';
  return <span class={`left-${tone}`}>{formatShareLeft(left)}</span>;
}

interface ErrorBudgetProps {
  readonly budget: ErrorBudget | undefined;
  /** The number of checks over which it is the mean. */
  readonly checks?: number;
}

/** The error budget of 30 days and its burn rates. */
export function ErrorBudgetSection({ budget, checks = 1 }: ErrorBudgetProps) {
  if (budget === undefined) return <p class="rest">Not known yet.</p>;
  const { objective, remainingRatio, burnRates } = budget;
  const allowed = rangeLengths['30d'] * (1 - objective.ratio);
  const left = allowed * (remainingRatio ?? 1);
  const burning = Object.entries(burnRates);
  return (
    <>
      <p>
        Objective {formatObjective(objective.ratio)} over 30 days{' '}
        <small>({displayText(objective.reason)})</small>: {wholeDuration(allowed)} of downtime
        allowed{checks > 1 && ', as the mean of its checks'}.
      </p>
      {remainingRatio !== undefined && (
        <>
          <Meter left={remainingRatio} label={budgetLeft(budget)} />
          <p>
            {remainingRatio >= 0
              ? `${wholeDuration(left)} left, ${budgetLeft(budget)}.`
              : `Overspent by ${wholeDuration(-left)}.`}
          </p>
        </>
      )}
      {burning.length > 0 && (
        <details id="burn">
          <summary>Burn rates</summary>
          <Table label="Burn rates" columns={['Window', 'Burn rate']}>
            {burning.map(([window, rate]) => (
              <tr>
                <th scope="row">{window}</th>
                <td>{formatDecimal(rate)}</td>
              </tr>
            ))}
          </Table>
        </details>
      )}
    </>
  );
}

/** What is left as a bar. An overspent budget is a full one in the colour of failures. */
function Meter({ left, label }: { readonly left: number; readonly label: string }) {
  const isOver = left < 0;
  return (
    <svg
      class="meter"
      role="img"
      aria-label={isOver ? 'The error budget is overspent' : `${label} of the error budget left`}
    >
      <rect class="track" width="100%" height="100%" rx="4" />
      <rect
        class={isOver ? 'overspent' : left < scarceShare ? 'low' : 'left'}
        width={`${(isOver ? 1 : Math.min(1, left)) * 100}%`}
        height="100%"
        rx="4"
      />
    </svg>
  );
}

/** Rounds to whole seconds: 30 days × (1 − 0.9) is a little less than 3 days. */
function wholeDuration(seconds: number): string {
  return humanizeDuration(Math.round(seconds));
}
