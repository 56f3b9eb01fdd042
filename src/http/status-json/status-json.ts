import { checkStatuses, isDown } from '../../domain/check.ts';
import { datasetNames } from '../../domain/dataset.ts';
import { transactionStatuses } from '../../domain/transaction.ts';
import { windowNames } from '../../domain/window.ts';
import { troubledFirst } from '../day-summary.ts';
import type { AccountStatus, LastReload, StateHistory } from '../ports.ts';
import { accountState } from '../status-page/account-state.ts';

/** As many as the page for people shows. */
const mostHistories = 100;
const mostDown = 1_000;

export interface StatusFacts {
  readonly accounts: readonly AccountStatus[];
  readonly version: string;
  readonly nowSeconds: number;
  readonly configuration?: LastReload;
}

/**
 * What the status page says, for programs (docs/operating.md describes it). Times are UNIX seconds; what
 * is not known is absent. Names are added, and neither renamed nor given another meaning.
 */
export function statusJson({ accounts, version, nowSeconds, configuration }: StatusFacts) {
  return {
    version,
    time: nowSeconds,
    ...(configuration !== undefined && {
      configuration: {
        last_success: configuration.succeededAtSeconds,
        failure: configuration.failure,
      },
    }),
    accounts: accounts.map((status) => accountJson(status, nowSeconds)),
  };
}

function accountJson(status: AccountStatus, nowSeconds: number) {
  const { snapshot, budget, recent, plan } = status;
  const { checks, transactions, datasets } = snapshot;
  return {
    account: snapshot.account,
    api_version: snapshot.apiVersion,
    base_url: snapshot.baseUrl,
    state: accountState(status),
    up: snapshot.up,
    ...(checks !== undefined &&
      !datasets.checks.stale && {
        checks: {
          total: checks.length,
          by_status: countBy(checkStatuses, checks),
          down: checks
            .filter((check) => isDown(check.status))
            .slice(0, mostDown)
            .map((check) => ({
              id: check.id,
              name: check.name,
              hostname: check.hostname,
              status: check.status,
              last_down_start: check.lastDownStartAtSeconds,
            })),
          last_24_hours: histories(checks, recent.checks, nowSeconds),
        },
      }),
    ...(transactions !== undefined &&
      datasets.transactions?.stale !== true && {
        transactions: {
          total: transactions.length,
          by_status: countBy(transactionStatuses, transactions),
          failing: transactions
            .filter((transaction) => transaction.status === 'failing')
            .slice(0, mostDown)
            .map(({ id, name, failingStep }) => ({ id, name, failing_step: failingStep })),
          last_24_hours: histories(transactions, recent.transactions, nowSeconds),
        },
      }),
    datasets: datasetsJson(status, nowSeconds),
    budget: {
      mode: budget.mode,
      paused: budget.paused,
      requests_per_second: budget.requestsPerSecond,
      planned_requests_per_second: plan?.requestsPerSecond,
      in_flight: budget.inFlight,
      windows: windowsJson(status),
    },
    ...(plan?.shortfall && {
      shortfall: {
        datasets: plan.shortfall.datasets,
        missing_requests_per_hour: plan.shortfall.missingPerHour,
        switch_off: plan.shortfall.switchOff,
        enough: plan.shortfall.enough,
      },
    }),
  };
}

function countBy<S extends string>(statuses: readonly S[], items: readonly { status: S }[]) {
  const counts = new Map<S, number>(statuses.map((status) => [status, 0]));
  for (const { status } of items) counts.set(status, (counts.get(status) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function histories(
  items: readonly { readonly id: number; readonly name: string }[],
  history: StateHistory,
  nowSeconds: number,
) {
  return troubledFirst(items, history, nowSeconds)
    .slice(0, mostHistories)
    .map(({ item, day }) => ({
      id: item.id,
      name: item.name,
      up_ratio: day.upRatio,
      outages: day.outages,
      seconds: day.seconds,
      spans: day.spans.map(({ state, fromSeconds, toSeconds }) => ({
        state,
        from: fromSeconds,
        to: toSeconds,
      })),
    }));
}

function datasetsJson({ snapshot }: AccountStatus, nowSeconds: number) {
  const known = datasetNames.flatMap((name) => {
    const status = snapshot.datasets[name];
    if (status === undefined) return [];
    const { lastSuccessAtSeconds: success, failure } = status;
    const json = {
      interval_seconds: status.intervalSeconds,
      last_attempt: status.lastAttemptAtSeconds,
      last_success: success,
      age_seconds: success === undefined ? undefined : Math.max(0, nowSeconds - success),
      stale: status.stale,
      items: status.items,
      ...(failure && {
        failure: {
          reason: failure.reason,
          message: failure.message,
          since: failure.sinceSeconds,
          consecutive: failure.consecutive,
        },
      }),
    };
    return [[name, json] as const];
  });
  return Object.fromEntries(known);
}

function windowsJson({ budget, plan }: AccountStatus) {
  const known = windowNames.flatMap((name) => {
    const window = budget.windows[name];
    if (window === undefined) return [];
    const { limit, remaining, reserve, resetSeconds } = window;
    const spent = plan && plan.requestsPerSecond * resetSeconds;
    const json = {
      limit,
      remaining,
      reserve,
      reset_seconds: resetSeconds,
      ...(spent !== undefined && { remaining_at_reset: Math.max(0, remaining - spent) }),
    };
    return [[name, json] as const];
  });
  return Object.fromEntries(known);
}
