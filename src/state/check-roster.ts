import type { HourOfDayAverage } from '../domain/average.ts';
import type { Check } from '../domain/check.ts';
import type { PerformanceInterval } from '../domain/performance.ts';
import type { CheckRow, CheckSettings, WindowAverage } from './check-row.ts';
import { analysesOf, availabilityOf, type CheckTotals, resultTotalsOf } from './check-totals.ts';
import { type Built, Roster, type RowParts } from './roster.ts';

/** What is fetched of one check beyond the list and the totals. */
export interface CheckFindings {
  readonly averages: readonly WindowAverage[];
  /** Absent when the last complete hour has no results. */
  readonly performance: PerformanceInterval | undefined;
  readonly hoursOfDay: readonly HourOfDayAverage[];
  readonly settings: CheckSettings;
  readonly activeProbes: number;
}

export type CheckRoster = Roster<Check, CheckTotals, CheckFindings, CheckRow>;

export function createCheckRoster(): CheckRoster {
  return new Roster<Check, CheckTotals, CheckFindings, CheckRow>({
    findingDatasets: {
      averages: 'average',
      performance: 'performance',
      hoursOfDay: 'hours_of_day',
      settings: 'detail',
      activeProbes: 'active_probes',
    },
    build: buildRow,
  });
}

/**
 * Rows are made and compared several times as fast when all of them have the same fields in the same order,
 * known or not, and there may be 25,000.
 */
type FilledRow = { readonly [K in keyof CheckRow]-?: CheckRow[K] | undefined };

type Parts = RowParts<Check, CheckTotals, CheckFindings>;

function buildRow(
  { entry, totals, findings, maintenance }: Parts,
  former: Built<Check, CheckTotals, CheckFindings, CheckRow> | undefined,
): CheckRow {
  const before = former?.parts.totals;
  const sameStates = before?.states === totals.states && before.maintenance === totals.maintenance;
  const row: FilledRow = {
    id: entry.id,
    name: entry.name,
    type: entry.type,
    status: entry.status,
    hostname: entry.hostname,
    severity: entry.severity,
    ipv6: entry.ipv6,
    tags: entry.tags,
    resolutionSeconds: entry.resolutionSeconds,
    createdAtSeconds: entry.createdAtSeconds,
    lastTestAtSeconds: entry.lastTestAtSeconds,
    lastErrorAtSeconds: entry.lastErrorAtSeconds,
    lastDownStartAtSeconds: entry.lastDownStartAtSeconds,
    lastDownEndAtSeconds: entry.lastDownEndAtSeconds,
    lastResponseTimeSeconds: entry.lastResponseTimeSeconds,
    availability: (sameStates ? former?.row.availability : undefined) ?? availabilityOf(totals),
    results:
      (before?.results === totals.results ? former?.row.results : undefined) ??
      resultTotalsOf(totals.results),
    analyses: analysesOf(totals.analyses),
    averages: findings.averages,
    performance: findings.performance,
    hoursOfDay: findings.hoursOfDay,
    settings: findings.settings,
    activeProbes: findings.activeProbes,
    maintenance,
  };
  return row as CheckRow;
}
