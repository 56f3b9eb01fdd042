import type { BudgetMode, BudgetView, WindowView } from '../../budget/budget-view.ts';
import type { UsageSample } from '../../budget/usage-log.ts';
import { type WindowName, windowNames } from '../../domain/rate-limit.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import type { AccountStatus, PlanView } from '../ports.ts';
import { type BudgetVerdict, budgetVerdict } from './budget-verdict.ts';
import { formatDecimal, tenth } from './format.tsx';
import { windowSize } from './window-size.ts';

/** The shortage of the budget and the remedy; `level` decides who sees it. */
export function VerdictNote({
  plan,
  level,
}: {
  readonly plan: PlanView | undefined;
  readonly level: BudgetVerdict['level'];
}) {
  const verdict = budgetVerdict(plan);
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
  readonly isFirst: boolean;
  readonly nowSeconds: number;
}

/** The remaining requests of both windows, with reserve, forecast and planned requests. */
export function RequestBudget({ status, isFirst, nowSeconds }: BudgetProps) {
  const { budget, plan, budgetHistory } = status;
  return (
    <>
      <h3 id={isFirst ? 'request-budget' : undefined}>Request budget</h3>
      <VerdictNote plan={plan} level="slow" />
      <p>
        <Spending budget={budget} /> {modeNotes[budget.mode]}
      </p>
      <div class="windows">
        {windowNames.map((name) => {
          const window = budget.windows[name];
          const samples = budgetHistory?.[name] ?? [];
          return window === undefined ? (
            <div>
              <h4>{titles[name]}</h4>
              <p>The service has not reported it yet.</p>
            </div>
          ) : (
            <WindowBudget {...{ name, window, plan, samples, nowSeconds }} />
          );
        })}
      </div>
      <RequestsByDataset plan={plan} />
    </>
  );
}

function Spending({ budget }: { readonly budget: BudgetView }) {
  const { paused, retrySeconds, requestsPerSecond, inFlight } = budget;
  if (paused) {
    return (
      <>
        <span class="badge warn">Paused</span> {describePause(retrySeconds)}
      </>
    );
  }
  const rate = formatDecimal(requestsPerSecond * secondsPerHour);
  return (
    <>
      The exporter may send {rate} requests an hour; {formatDecimal(inFlight)} in flight.
    </>
  );
}

function describePause(retrySeconds: number | undefined): string {
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
  readonly plan: PlanView | undefined;
  readonly samples: readonly UsageSample[];
  readonly nowSeconds: number;
}

function WindowBudget(props: WindowProps) {
  const { name, window, plan } = props;
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
      <BudgetChart {...props} />
      <p>
        <b>{formatDecimal(remaining)}</b> of {formatDecimal(windowSize(window))} left. The last{' '}
        {formatDecimal(reserve)} are reserved for the account’s other clients.
        {atReset !== undefined && resetSeconds > 0 && (
          <>
            {' '}
            At the planned {formatDecimal((plan?.requestsPerSecond ?? 0) * secondsPerHour)} an hour,{' '}
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

const [width, height, left, bottom] = [360, 150, 44, 20];

/** A chart of the remaining requests over time, the reserve, and the forecast up to the reset. */
function BudgetChart({ name, window, plan, samples, nowSeconds }: WindowProps) {
  const { remaining, reserve, resetSeconds } = window;
  const limit = windowSize(window);
  const end = nowSeconds + Math.max(1, resetSeconds);
  const known = [...samples, { atSeconds: nowSeconds, remaining }];
  const start = Math.min(known[0]?.atSeconds ?? nowSeconds, nowSeconds - resetSeconds / 20);
  const most = Math.max(1, limit);
  const x = (seconds: number) =>
    tenth(left + ((seconds - start) * (width - left - 4)) / (end - start));
  const y = (requests: number) =>
    tenth(4 + ((most - Math.min(most, Math.max(0, requests))) * (height - bottom - 4)) / most);
  const line = known.map(({ atSeconds, remaining: value }) => `${x(atSeconds)},${y(value)}`);
  const atReset = plan && Math.max(0, forecastAtReset(window, plan));
  const label = `${titles[name]}: ${percent(remaining, limit)} % left, ${percent(reserve, limit)} % reserved${
    atReset === undefined ? '' : `, ${percent(atReset, limit)} % left at the reset as planned`
  }`;
  return (
    <svg class="budget-chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <line class="axis" x1={left} y1={y(0)} x2={width - 4} y2={y(0)} />
      <rect
        class="reserve"
        x={left}
        y={y(reserve)}
        width={width - left - 4}
        height={y(0) - y(reserve)}
      />
      <text x={left - 6} y={y(most) + 9} text-anchor="end">
        {formatShort(limit)}
      </text>
      <text x={left - 6} y={y(reserve) + 3} text-anchor="end">
        {formatShort(reserve)}
      </text>
      <text x={left - 6} y={y(0)} text-anchor="end">
        0
      </text>
      <text class="inside" x={width - 10} y={y(reserve) + 13} text-anchor="end">
        reserve
      </text>
      <polyline class={remaining <= reserve ? 'left low' : 'left'} points={line.join(' ')} />
      {atReset !== undefined && resetSeconds > 0 && (
        <polyline
          class="forecast"
          points={`${x(nowSeconds)},${y(remaining)} ${x(end)},${y(atReset)}`}
        />
      )}
      <circle class="now" cx={x(nowSeconds)} cy={y(remaining)} r="4" />
      <text x={Math.max(left + 12, x(nowSeconds))} y={height - 5} text-anchor="middle">
        now
      </text>
      <text x={width - 4} y={height - 5} text-anchor="end">
        reset
      </text>
    </svg>
  );
}

function formatShort(value: number): string {
  return value >= 10_000 ? `${Math.round(value / 1000)}k` : formatDecimal(value);
}

/** Clamps to the chart: a window may have size 0, and the service may count past its own limit. */
function percent(part: number, whole: number): number {
  return whole > 0 ? Math.min(100, Math.max(0, Math.round((1000 * part) / whole) / 10)) : 0;
}

function RequestsByDataset({ plan }: { readonly plan: PlanView | undefined }) {
  const datasets = (plan?.datasets ?? [])
    .filter(({ requestsPerSecond }) => requestsPerSecond > 0)
    .toSorted((a, b) => b.requestsPerSecond - a.requestsPerSecond);
  const most = datasets[0]?.requestsPerSecond;
  if (most === undefined) return null;
  return (
    <>
      <h4>Planned requests an hour</h4>
      <table class="rates" aria-label="Planned requests an hour by dataset">
        <tbody>
          {datasets.map(({ name, requestsPerSecond }) => (
            <tr>
              <th scope="row">{name}</th>
              <td>
                <svg class="rate" aria-hidden="true">
                  <rect width={`${percent(requestsPerSecond, most)}%`} height="100%" rx="2" />
                </svg>
              </td>
              <td class="number">{formatDecimal(requestsPerSecond * secondsPerHour)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
