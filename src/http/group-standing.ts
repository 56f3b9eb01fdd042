import { type CheckStatus, checkStatuses } from '../domain/check.ts';
import type { GroupRow } from '../slo/groups.ts';
import type { AccountSnapshot, CheckRow } from '../state/snapshot.ts';

/** The worst state first. */
const urgency = { down: 0, unconfirmed_down: 1, unknown: 2, up: 3, paused: 4 } as const satisfies {
  readonly [S in CheckStatus]: number;
};
const byUrgency = checkStatuses.toSorted((a, b) => urgency[a] - urgency[b]);

/** A group of checks, as views for people show it. */
export interface GroupStanding {
  readonly row: GroupRow;
  readonly checks: number;
  /** The worst state of its checks. */
  readonly status: CheckStatus;
  /** The worst check, by state and 30-day error ratio. Absent if no check has a problem. */
  readonly worst?: CheckRow;
  /** Checks that were never tested. Until all are tested, no ratio of the group is known. */
  readonly untested: readonly CheckRow[];
  /** Other checks whose last 30 days are not known yet. */
  readonly unread: readonly CheckRow[];
}

/** Returns the groups of an account, the worst first; empty for a stale list. */
export function groupStandings({
  groups,
  checks = [],
  datasets,
}: AccountSnapshot): GroupStanding[] {
  if (groups === undefined || datasets.checks.stale) return [];
  const rows = new Map(checks.map((row) => [row.id, row]));
  const standings = groups.map((row) => groupStanding(row, rows));
  return standings.sort(
    (a, b) =>
      urgency[a.status] - urgency[b.status] ||
      (a.row.budget.remainingRatio ?? 1) - (b.row.budget.remainingRatio ?? 1) ||
      (a.row.name < b.row.name ? -1 : 1),
  );
}

function groupStanding(row: GroupRow, rows: ReadonlyMap<number, CheckRow>): GroupStanding {
  let worst: CheckRow | undefined;
  for (const id of row.checkIds) {
    const check = rows.get(id);
    if (check === undefined || isWell(check)) continue;
    if (worst === undefined || isWorse(check, worst)) worst = check;
  }
  const unknown = row.unknownIds.flatMap((id) => rows.get(id) ?? []);
  return {
    row,
    checks: row.checkIds.length,
    status: byUrgency.find((status) => (row.statuses.get(status) ?? 0) > 0) ?? 'unknown',
    ...(worst !== undefined && { worst }),
    untested: unknown.filter(({ lastTestAtSeconds }) => lastTestAtSeconds === undefined),
    unread: unknown.filter(({ lastTestAtSeconds }) => lastTestAtSeconds !== undefined),
  };
}

function isWell(check: CheckRow): boolean {
  return urgency[check.status] >= urgency.up && errorsOf(check) === 0;
}

function isWorse(a: CheckRow, b: CheckRow): boolean {
  if (a.status !== b.status) return urgency[a.status] < urgency[b.status];
  return errorsOf(a) > errorsOf(b);
}

function errorsOf({ budget }: CheckRow): number {
  return budget?.errorRatios['30d'] ?? 0;
}

const maxNamed = 100;

/** Returns the groups of `/status.json`. */
export function groupsJson(snapshot: AccountSnapshot) {
  return groupStandings(snapshot).map(({ row, checks, status, worst, untested, unread }) => ({
    name: row.name,
    checks,
    by_status: Object.fromEntries(checkStatuses.map((one) => [one, row.statuses.get(one) ?? 0])),
    status,
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
