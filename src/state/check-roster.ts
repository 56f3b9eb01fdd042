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

type Parts = RowParts<Check, CheckTotals, CheckFindings>;

function buildRow(
  { entry, totals, findings, maintenance }: Parts,
  former: Built<Check, CheckTotals, CheckFindings, CheckRow> | undefined,
): CheckRow {
  const before = former?.parts.totals;
  const sameStates = before?.states === totals.states && before.maintenance === totals.maintenance;
  const row: { -readonly [K in keyof CheckRow]: CheckRow[K] } = {
    ...entry,
    availability: (sameStates ? former?.row.availability : undefined) ?? availabilityOf(totals),
    results:
      (before?.results === totals.results ? former?.row.results : undefined) ??
      resultTotalsOf(totals.results),
    analyses: analysesOf(totals.analyses),
  };
  // Not by spreading: that takes several times as long, and there may be 25,000 rows.
  const { averages, performance, hoursOfDay, settings, activeProbes } = findings;
  if (averages !== undefined) row.averages = averages;
  if (performance !== undefined) row.performance = performance;
  if (hoursOfDay !== undefined) row.hoursOfDay = hoursOfDay;
  if (settings !== undefined) row.settings = settings;
  if (activeProbes !== undefined) row.activeProbes = activeProbes;
  if (maintenance !== undefined) row.maintenance = maintenance;
  return row;
}
