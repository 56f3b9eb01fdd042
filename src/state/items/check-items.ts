import type { HourOfDayAverage, PerformanceInterval } from '../../domain/averages.ts';
import type { Check } from '../../domain/check.ts';
import type { HourlyAverages } from '../../windows/hourly-averages.ts';
import type { OutageNote, ResponseQuantiles } from '../../windows/last-outages.ts';
import type { CheckAlertSettings, CheckRow, WindowAverage } from '../snapshot.ts';
import type { FormerRow, RowInput } from './item-rows.ts';
import { ItemStore } from './item-store.ts';
import { analysesOf, availabilityOf, type CheckTotals, resultTotalsOf } from './totals.ts';

/** Data of one check that are neither in the list nor counted. */
export interface CheckItemDetails {
  readonly averages: readonly WindowAverage[];
  /** Absent when the last complete hour has no results. */
  readonly performance: PerformanceInterval | undefined;
  readonly hoursOfDay: readonly HourOfDayAverage[];
  readonly settings: CheckAlertSettings;
  readonly activeProbes: number;
  /** Up to 30 days, for the views. */
  readonly hourlyAverages: HourlyAverages;
  /** The response times of the last results. */
  readonly quantiles: ResponseQuantiles;
  /** The causes of failures that probes and analyses report. */
  readonly notes: readonly OutageNote[];
}

export type CheckItems = ItemStore<Check, CheckTotals, CheckItemDetails, CheckRow>;

export function createCheckItems(): CheckItems {
  return new ItemStore<Check, CheckTotals, CheckItemDetails, CheckRow>({
    detailDatasets: {
      averages: 'average',
      performance: 'performance',
      hoursOfDay: 'hours_of_day',
      settings: 'detail',
      activeProbes: 'active_probes',
      hourlyAverages: 'performance',
      quantiles: 'results',
      notes: 'results',
    },
    build: buildRow,
  });
}

/**
 * Building and comparing rows is several times faster when all have the same fields in the same order, even undefined
 * ones.
 */
type FilledRow = { readonly [K in keyof CheckRow]-?: CheckRow[K] | undefined };

type Input = RowInput<Check, CheckTotals, CheckItemDetails>;

function buildRow(
  { entry, totals, details, maintenance, budget, outage, lastOutageStartSeconds }: Input,
  former: FormerRow<Check, CheckTotals, CheckItemDetails, CheckRow>,
): CheckRow {
  const before = former.input?.totals;
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
    availability: (sameStates ? former.row?.availability : undefined) ?? availabilityOf(totals),
    results:
      (before?.results === totals.results ? former.row?.results : undefined) ??
      resultTotalsOf(totals.results),
    analyses: analysesOf(totals.analyses),
    averages: details.averages,
    performance: details.performance,
    hoursOfDay: details.hoursOfDay,
    settings: details.settings,
    activeProbes: details.activeProbes,
    maintenance,
    budget,
    outage,
    lastOutageStartSeconds,
  };
  return row as CheckRow;
}
