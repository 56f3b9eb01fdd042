import { type CheckStatus, checkStatuses } from '../../domain/check.ts';
import { present } from '../../lib/present.ts';
import type { GroupRow } from '../../slo/groups.ts';
import type { AccountSnapshot, CheckRow } from '../../state/snapshot.ts';
import { hidesChecks } from '../common/shown-lists.ts';
import { isProblem, urgencyOf } from '../common/urgency.ts';
import type { AccountStatus } from '../ports.ts';

function isInMaintenance({ maintenance }: CheckRow): boolean {
  return maintenance?.active === true;
}

/** A group of checks, as views for people show it. */
export interface GroupStanding {
  readonly row: GroupRow;
  readonly checks: number;
  /** The worst state of its checks; of those in maintenance only if no other has a problem. */
  readonly status: CheckStatus;
  /** All of its checks in this state are in maintenance. */
  readonly inMaintenance: boolean;
  /** A check in that state; absent if the state is no problem. */
  readonly first?: CheckRow;
  /**
   * The check that was down most in 30 days, as in `uptime_group_error_ratio{of="worst"}`; among
   * equals the one in the worst state. Absent if no check has a problem.
   */
  readonly worst?: CheckRow;
  /** Checks that were never tested. Until all are tested, no ratio of the group is known. */
  readonly untested: readonly CheckRow[];
  /** Other checks whose last 30 days are not known yet. */
  readonly unread: readonly CheckRow[];
}

/** Returns the groups of an account, the worst first; empty if they are not shown. */
export function groupStandings(snapshot: AccountSnapshot): GroupStanding[] {
  const { groups, checks = [] } = snapshot;
  if (groups === undefined || hidesChecks(snapshot)) return [];
  const rows = new Map(checks.map((row) => [row.id, row]));
  return groups.map((row) => groupStanding(row, rows)).sort(worstFirst);
}

/** Compares groups of any accounts. */
export function worstFirst(a: GroupStanding, b: GroupStanding): number {
  return (
    urgencyOf(a.status, a.inMaintenance) - urgencyOf(b.status, b.inMaintenance) ||
    (a.row.budget.remainingRatio ?? 1) - (b.row.budget.remainingRatio ?? 1) ||
    (a.row.name < b.row.name ? -1 : 1)
  );
}

/** Finds a group of an account; undefined if it has no check, or is not shown. */
export function groupNamed({ snapshot }: AccountStatus, name: string) {
  const { groups, ...others } = snapshot;
  const named = groups?.filter((row) => row.name === name) ?? [];
  return groupStandings({ ...others, groups: named })[0];
}

function groupStanding(row: GroupRow, rows: ReadonlyMap<number, CheckRow>): GroupStanding {
  const checks = row.checkIds.flatMap((id) => rows.get(id) ?? []);
  let first: CheckRow | undefined;
  let worst: CheckRow | undefined;
  for (const check of checks) {
    if (first === undefined || urgencyOfCheck(check) < urgencyOfCheck(first)) first = check;
    if (!isWell(check) && (worst === undefined || isWorse(check, worst))) worst = check;
  }
  const status = first?.status ?? 'unknown';
  const inState = checks.filter((check) => check.status === status);
  const unknown = row.unknownIds.flatMap((id) => rows.get(id) ?? []);
  return {
    row,
    checks: row.checkIds.length,
    status,
    inMaintenance: inState.length > 0 && inState.every(isInMaintenance),
    ...(isProblem(status) && present({ first })),
    ...present({ worst }),
    untested: unknown.filter(({ lastTestAtSeconds }) => lastTestAtSeconds === undefined),
    unread: unknown.filter(({ lastTestAtSeconds }) => lastTestAtSeconds !== undefined),
  };
}

function urgencyOfCheck(check: CheckRow): number {
  return urgencyOf(check.status, isInMaintenance(check));
}

function isWell(check: CheckRow): boolean {
  return !isProblem(check.status) && errorsOf(check) === 0;
}

function isWorse(a: CheckRow, b: CheckRow): boolean {
  const difference = errorsOf(a) - errorsOf(b);
  return difference === 0 ? urgencyOfCheck(a) < urgencyOfCheck(b) : difference > 0;
}

function errorsOf({ budget }: CheckRow): number {
  return budget?.errorRatios['30d'] ?? 0;
}

const maxNamed = 100;

/** Returns the groups of `/status.json`. */
export function groupsJson(snapshot: AccountSnapshot) {
  return groupStandings(snapshot).map(({ row, worst, untested, unread, ...standing }) => ({
    name: row.name,
    checks: standing.checks,
    by_status: Object.fromEntries(checkStatuses.map((one) => [one, row.statuses.get(one) ?? 0])),
    status: standing.status,
    in_maintenance: standing.inMaintenance,
    objective_ratio: row.budget.objective.ratio,
    error_ratio: row.budget.errorRatios,
    burn_rate: row.budget.burnRates,
    error_budget_remaining_ratio: row.budget.remainingRatio,
    ...(worst !== undefined && {
      worst_check: {
        id: worst.id,
        name: worst.name,
        status: worst.status,
        error_ratio: worst.budget?.errorRatios['30d'],
      },
    }),
    ...(untested.length + unread.length > 0 && {
      not_known: { never_tested: named(untested), past_not_read: named(unread) },
    }),
  }));
}

function named(checks: readonly CheckRow[]) {
  const items = checks.slice(0, maxNamed).map(({ id, name }) => ({ id, name }));
  return { total: checks.length, items };
}
