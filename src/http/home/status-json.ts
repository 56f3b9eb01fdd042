import type { RequestHandler } from 'express';
import { isClockOff } from '../../api/service-clock.ts';
import { windowSize } from '../../budget/window-size.ts';
import { type CheckStatus, checkStatuses } from '../../domain/check.ts';
import { datasetNames } from '../../domain/dataset.ts';
import { windowNames } from '../../domain/rate-limit.ts';
import { transactionStatuses } from '../../domain/transaction.ts';
import type { FirstSightView } from '../../exposition/catalogue/family.ts';
import { unixSeconds } from '../../lib/clock.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { present } from '../../lib/present.ts';
import type { Objective } from '../../slo/objectives.ts';
import type { ListTiming } from '../../state/list-timing.ts';
import type { CheckRow } from '../../state/snapshot.ts';
import { accountCondition } from '../common/account-badge.ts';
import { type Beginning, beginningOf } from '../common/beginnings.ts';
import { followedPlan } from '../common/followed-plan.ts';
import {
  checkItem,
  type Item,
  itemStatesOf,
  itemsOf,
  itemsOfAccount,
  type ShownKind,
  serviceNow,
  transactionState,
} from '../common/items.ts';
import { outagesOfItem } from '../common/outage-list.ts';
import { availabilityIn } from '../common/past-bars.ts';
import type { PageOptions } from '../common/site.ts';
import { jsonText } from '../common/text-response.ts';
import { groupsJson } from '../groups/group-standing.ts';
import type { AccountStatus, LastReload, ReplicasView, StorageFailure } from '../ports.ts';
import { longestDownFirst } from './day-summary.ts';

/** Histories, and names for each objective: the response has at most this many. */
const maxListed = 100;
/** The response lists at most this many items as down. */
const maxDown = 1_000;
const daySeconds = 86_400;

interface StatusFacts {
  readonly accounts: readonly AccountStatus[];
  readonly version: string;
  readonly nowSeconds: number;
  readonly configuration?: LastReload;
  readonly storageFailure?: StorageFailure;
  readonly replicas?: ReplicasView;
}

/**
 * Returns the content of the status page, for programs (described in docs/http.md). Times are
 * UNIX seconds; unknown values are absent. Names can be added, but never change their meaning and
 * are never removed.
 */
export function statusJson({ accounts, version, nowSeconds, ...facts }: StatusFacts) {
  const { configuration, storageFailure, replicas } = facts;
  return {
    version,
    time: nowSeconds,
    configuration: configuration && {
      last_success: configuration.succeededAtSeconds,
      failure: configuration.failure,
    },
    storage: storageFailure && {
      failing_since: storageFailure.sinceSeconds,
      reason: storageFailure.reason,
      failure: storageFailure.message,
    },
    ...(replicas !== undefined && { replicas: replicasJson(replicas) }),
    accounts: accounts.map((status) => accountJson(status, nowSeconds)),
  };
}

function replicasJson({ replica, isDatabaseUp, accounts }: ReplicasView) {
  return {
    replica,
    database_up: isDatabaseUp,
    accounts: accounts.map(({ account, isHeld, holder, url, sinceSeconds, number }) => ({
      account,
      held: isHeld,
      holder,
      url,
      since: sinceSeconds === undefined ? undefined : Math.floor(sinceSeconds),
      take: number,
    })),
  };
}

function accountJson(status: AccountStatus, nowSeconds: number) {
  const { snapshot, budget, plan, clockOffsetSeconds, counting } = status;
  const now = serviceNow(status, nowSeconds);
  const { checks, transactions, datasets } = snapshot;
  const items = [...itemsOfAccount(status)];
  return {
    account: snapshot.account,
    api_version: snapshot.apiVersion,
    base_url: snapshot.baseUrl,
    state: accountCondition(status),
    up: snapshot.up,
    clock_offset_seconds: clockOffsetSeconds,
    clock_is_off: isClockOff(clockOffsetSeconds),
    ...(checks !== undefined &&
      !datasets.checks.stale && {
        checks: {
          total: checks.length,
          by_status: countBy(checkStatuses, checks),
          down: inStatus(status, checks, 'down'),
          unconfirmed_down: inStatus(status, checks, 'unconfirmed_down'),
          objectives: objectivesJson(checks),
          last_24_hours: histories(items, 'check', now),
        },
      }),
    ...(transactions !== undefined &&
      datasets.transactions?.stale !== true && {
        transactions: {
          total: transactions.length,
          by_status: countBy(transactionStatuses, transactions),
          failing: transactions
            .filter((transaction) => transactionState(transaction) === 'down')
            .slice(0, maxDown)
            .map(({ id, name, failingStep }) => ({ id, name, failing_step: failingStep })),
          objectives: objectivesJson(transactions),
          last_24_hours: histories(items, 'transaction', now),
        },
      }),
    last_known_down: lastKnownDown(status),
    ...(snapshot.groups !== undefined &&
      !datasets.checks.stale && {
        groups: groupsJson(snapshot),
        groups_left_out: snapshot.groupsLeftOut?.length,
      }),
    counting: counting && {
      counted_until: counting.countedUntilSeconds,
      waits_until: counting.waitsUntilSeconds,
      lag_seconds: counting.lagSeconds,
      late_seconds: counting.lateSeconds,
      maintenance: {
        is: counting.maintenance.is,
        why: counting.maintenance.why,
        read_at: counting.maintenance.readAtSeconds,
      },
    },
    check_list: status.list && checkListJson(status, status.list, nowSeconds),
    datasets: datasetsJson(status, nowSeconds),
    budget: {
      mode: budget.mode,
      paused: budget.paused,
      requests_per_second: budget.requestsPerSecond,
      shared_with: emptyAsAbsent(status.budgetSharedWith),
      share: budget.share,
      planned_requests_per_second: followedPlan(status)?.requestsPerSecond,
      in_flight: budget.inFlight,
      windows: windowsJson(status),
    },
    first_sight: status.firstSight && firstSightJson(status.firstSight, now),
    ...Object.fromEntries((status.features ?? []).map((feature) => [feature.name, feature.json()])),
    shortfall: plan?.shortfall && {
      level: plan.shortfall.isStatusLate ? 'late' : 'slow',
      datasets: plan.shortfall.datasets,
      missing_requests_per_hour: plan.shortfall.missingPerHour,
      switch_off: plan.shortfall.switchOff,
      enough: plan.shortfall.enough,
    },
  };
}

function emptyAsAbsent(names: readonly string[] = []): readonly string[] | undefined {
  return names.length === 0 ? undefined : names;
}

function checkListJson({ plan, budget }: AccountStatus, list: ListTiming, nowSeconds: number) {
  const resetSeconds = plan?.isLateNow && budget.windows.short?.resetSeconds;
  return {
    age_seconds: list.ageSeconds,
    next_in_seconds: list.nextInSeconds,
    outage_delay_seconds: list.outageDelaySeconds,
    late_until: resetSeconds === undefined ? undefined : Math.ceil(nowSeconds + resetSeconds),
  };
}

function firstSightJson(view: FirstSightView, now: number) {
  const { pastsLeft, pausesLeft, isRead, doneInSeconds, doneAtLatestInSeconds } = view;
  const timeIn = (seconds: number | undefined) =>
    seconds === undefined ? undefined : Math.ceil(now + seconds);
  return {
    pasts_left: pastsLeft,
    pauses_left: pausesLeft,
    is_read: isRead,
    done: timeIn(doneInSeconds),
    done_at_latest: timeIn(doneAtLatestInSeconds),
  };
}

/** Objectives grouped by value and source: the number of items, and the first 100. */
function objectivesJson(items: readonly Pick<CheckRow, 'id' | 'name' | 'budget'>[]) {
  const applied = new Map<Objective, { id: number; name: string }[]>();
  for (const { id, name, budget } of items) {
    const objective = budget?.objective;
    if (objective === undefined) continue;
    getOrMake(applied, objective, () => []).push({ id, name });
  }
  return [...applied].map(([{ ratio, reason }, of]) => ({
    objective_ratio: ratio,
    reason,
    total: of.length,
    items: of.slice(0, maxListed),
  }));
}

/** Distinguishes confirmed and unconfirmed failures, like the page. */
function inStatus(account: AccountStatus, checks: readonly CheckRow[], status: CheckStatus) {
  return checks
    .filter((check) => check.status === status)
    .slice(0, maxDown)
    .map((check) => ({
      id: check.id,
      name: check.name,
      hostname: check.hostname,
      status: check.status,
      in_maintenance: check.maintenance?.active,
      last_down_start: check.lastDownStartAtSeconds,
      ...beganJson(beginningOf(checkItem(account, check))),
    }));
}

/** The items of stale lists whose outages are open, as on the page; undefined without any. */
function lastKnownDown(status: AccountStatus) {
  const down = itemsOf([status]).filter(({ isLastKnown }) => isLastKnown);
  if (down.length === 0) return undefined;
  return down.slice(0, maxDown).map((item) => ({
    kind: item.kind,
    id: item.id,
    name: item.name,
    hostname: item.hostname,
    ...beganJson(beginningOf(item)),
  }));
}

/** An outage began at `began`, or at an unknown time before `began_before`. */
function beganJson(beginning: Beginning | undefined) {
  if (beginning === undefined) return {};
  const { atSeconds, isExact } = beginning;
  return isExact ? { began: atSeconds } : { began_before: atSeconds };
}

function countBy<S extends string>(statuses: readonly S[], items: readonly { status: S }[]) {
  const counts = new Map<S, number>(statuses.map((status) => [status, 0]));
  for (const { status } of items) counts.set(status, (counts.get(status) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function histories(items: readonly Item[], kind: ShownKind, nowSeconds: number) {
  const ofKind = items.filter((item) => item.kind === kind);
  const period = { fromSeconds: nowSeconds - daySeconds, toSeconds: nowSeconds };
  return longestDownFirst(ofKind, itemStatesOf, nowSeconds)
    .slice(0, maxListed)
    .map(({ item, day }) => ({
      id: item.id,
      name: item.name,
      up_ratio: availabilityIn(item, '24h', nowSeconds),
      outages: outagesOfItem(item, period, nowSeconds).length,
      seconds: day.seconds,
      spans: day.spans.map(({ state, fromSeconds, toSeconds }) => ({
        state,
        from: fromSeconds,
        to: toSeconds,
      })),
    }));
}

function datasetsJson({ snapshot }: AccountStatus, nowSeconds: number) {
  const entries = datasetNames.flatMap((name) => {
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
      incomplete: status.isIncomplete,
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
  return Object.fromEntries(entries);
}

function windowsJson(status: AccountStatus) {
  const { budget } = status;
  const plan = followedPlan(status);
  const entries = windowNames.flatMap((name) => {
    const window = budget.windows[name];
    if (window === undefined) return [];
    const { remaining, reserve, resetSeconds } = window;
    const spent = plan && plan.requestsPerSecond * resetSeconds;
    const json = {
      limit: windowSize(window),
      remaining,
      reserve,
      reset_seconds: resetSeconds,
      ...(spent !== undefined && { remaining_at_reset: Math.max(0, remaining - spent) }),
    };
    return [[name, json] as const];
  });
  return Object.fromEntries(entries);
}

export function statusJsonHandler(options: PageOptions): RequestHandler {
  const { status, version, clock, configuration, storage } = options;
  return (_request, response) => {
    const json = statusJson({
      accounts: status.accounts(),
      version,
      nowSeconds: unixSeconds(clock),
      ...present({
        replicas: status.replicas?.(),
        configuration: configuration?.last,
        storageFailure: storage?.failure,
      }),
    });
    jsonText(response, JSON.stringify(json, undefined, 2));
  };
}
