import type { BudgetMode, WindowView } from '../../budget/budget-view.ts';
import { windowSize } from '../../budget/window-size.ts';
import { type WindowName, windowNames } from '../../domain/rate-limit.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { formatDecimal } from '../../lib/format-number.ts';
import { spendingBadge } from '../common/account-badge.ts';
import { followedPlan } from '../common/followed-plan.ts';
import { Name } from '../common/format.tsx';
import type { AccountStatus, PlanView } from '../ports.ts';
import { type BudgetVerdict, budgetVerdict } from './budget-verdict.ts';

/** The shortage of the budget and the remedy; `level` decides who sees it. */
export function VerdictNote({
  status,
  nowSeconds,
  level,
}: {
  readonly status: AccountStatus;
  readonly nowSeconds: number;
  readonly level: BudgetVerdict['level'];
}) {
  const verdict = budgetVerdict(status, nowSeconds);
  if (verdict?.level !== level) return null;
  return (
    <div class={level === 'late' ? 'note warn' : 'note'}>
      <p>
        <strong>{verdict.title}</strong>
      </p>
      {verdict.sentences.map((sentence) => (
        <p>{sentence}</p>
      ))}
    </div>
  );
}

const secondsPerHour = 3_600;

const modeNotes: { readonly [M in BudgetMode]: string | undefined } = {
  learning: 'The service has not yet reported both limits.',
  headers: undefined,
  fallback: 'The service does not report its limits, so the configured rate applies.',
};

interface BudgetProps {
  readonly status: AccountStatus;
  readonly nowSeconds: number;
}

/** The remaining requests of both windows, with reserve and forecast. */
export function RequestBudget({ status, nowSeconds }: BudgetProps) {
  const { budget } = status;
  const plan = followedPlan(status);
  return (
    <>
      <h3>Request budget</h3>
      <VerdictNote status={status} nowSeconds={nowSeconds} level="slow" />
      <p>
        <Spending status={status} /> {modeNotes[budget.mode]}
      </p>
      <SharedBudget status={status} />
      <div class="windows">
        {windowNames.map((name) => {
          const window = budget.windows[name];
          return window === undefined ? (
            <div>
              <h4>{titles[name]}</h4>
              <p>The service has not reported it yet.</p>
            </div>
          ) : (
            <WindowBudget {...{ name, window, plan }} />
          );
        })}
      </div>
    </>
  );
}

/** The service counts requests by credentials. */
function SharedBudget({ status }: Pick<BudgetProps, 'status'>) {
  const { budget, budgetSharedWith = [] } = status;
  if (budgetSharedWith.length === 0) return null;
  return (
    <p>
      <Name text={budgetSharedWith.join(', ')} /> {budgetSharedWith.length === 1 ? 'has' : 'have'}{' '}
      the same credentials, so they share this budget. This account plans{' '}
      {formatDecimal(Math.round((budget.share ?? 1) * 100))} % of it.
    </p>
  );
}

function Spending({ status }: Pick<BudgetProps, 'status'>) {
  const { paused, retrySeconds, requestsPerSecond, inFlight } = status.budget;
  if (paused) {
    const { word, tone } = spendingBadge(retrySeconds);
    return (
      <>
        <span class={`badge ${tone}`}>{word}</span> {describeWait(retrySeconds)}
      </>
    );
  }
  return (
    <>
      The exporter may send {perHour(requestsPerSecond)} requests an hour; {formatDecimal(inFlight)}{' '}
      in flight.
    </>
  );
}

/** A whole number from ten on, so that two rates that were computed at different times agree. */
function perHour(requestsPerSecond: number): string {
  const rate = requestsPerSecond * secondsPerHour;
  return formatDecimal(rate < 10 ? rate : Math.floor(rate));
}

function describeWait(retrySeconds: number | undefined): string {
  if (retrySeconds === undefined) return 'No request is sent until a window resets.';
  return retrySeconds > 0
    ? `No request is sent for ${humanizeDuration(retrySeconds)}; then one finds out whether the service still refuses.`
    : 'A test request will show whether the service accepts requests again.';
}

const titles: { readonly [W in WindowName]: string } = {
  short: 'Short window',
  long: 'Long window',
};

interface WindowProps {
  readonly name: WindowName;
  readonly window: WindowView;
  /** Undefined without a plan, and while it is not followed. */
  readonly plan: PlanView | undefined;
}

function WindowBudget({ name, window, plan }: WindowProps) {
  const { remaining, reserve, resetSeconds } = window;
  const atReset = plan && forecastAtReset(window, plan);
  return (
    <div>
      <h4>
        {titles[name]}{' '}
        <small>
          {resetSeconds > 0 ? `resets in ${humanizeDuration(resetSeconds)}` : 'is resetting now'}
        </small>
      </h4>
      <p>
        <b>{formatDecimal(remaining)}</b> of {formatDecimal(windowSize(window))} left.{' '}
        {remaining > reserve
          ? `The last ${formatDecimal(reserve)} are reserved for the account’s other clients.`
          : `All of them are reserved for the account’s other clients, as the last ${formatDecimal(reserve)} always are.`}
        {atReset !== undefined && resetSeconds > 0 && (
          <>
            {' '}
            At the planned {perHour(plan?.requestsPerSecond ?? 0)} an hour,{' '}
            {formatDecimal(Math.max(0, Math.round(atReset)))} are left at the reset.
            {atReset < reserve && ' The exporter slows down before it touches the reserve.'}
          </>
        )}
      </p>
    </div>
  );
}

/** Returns the requests left at the end of the window, if others send none. */
function forecastAtReset({ remaining, resetSeconds }: WindowView, plan: PlanView): number {
  return remaining - plan.requestsPerSecond * resetSeconds;
}
