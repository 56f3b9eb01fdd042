import type { RangeAverage } from '../../domain/averages.ts';
import { type Check, shownStatus } from '../../domain/check.ts';
import type { AvailabilityTotals, ResultTotals } from '../../domain/totals.ts';
import type { CheckItemDetails } from '../../store/format/item-details.ts';
import type { ResultTally } from '../../tally/result-tally.ts';
import { noSeconds } from '../../tally/state-tally.ts';
import type { CheckRow } from '../snapshot.ts';
import type { Begun } from './begun-counters.ts';
import type { PreviousRow, RowInput } from './item-rows.ts';
import { ItemStore } from './item-store.ts';
import { analysesOf, availabilityOf, type CheckTotals, resultTotalsOf } from './totals.ts';

export type { CheckItemDetails };

const daySeconds = 86_400;

/** How many days before a request its responses describe. */
export const hoursOfDayDays = 7;
export const activeProbesDays = 1;

export type CheckItems = ItemStore<Check, CheckTotals, CheckItemDetails, CheckRow>;

export function createCheckItems(): CheckItems {
  const shownResults = resultsInRows();
  return new ItemStore<Check, CheckTotals, CheckItemDetails, CheckRow>({
    detailDatasets: {
      average24h: 'average',
      average7d: 'average',
      average30d: 'average',
      performance: 'performance',
      hoursOfDay: 'hours_of_day',
      settings: 'detail',
      activeProbes: 'active_probes',
      hourlyAverages: 'performance',
      responseMonths: 'performance',
      quantiles: 'results',
      notes: 'results',
    },
    detailSpans: {
      average24h: daySeconds,
      average7d: 7 * daySeconds,
      average30d: 30 * daySeconds,
      hoursOfDay: hoursOfDayDays * daySeconds,
      activeProbes: activeProbesDays * daySeconds,
    },
    build: (input, previous) => buildRow(input, previous, shownResults),
    begunBetween,
  });
}

/** Rows with all fields in one order, even undefined ones, are several times as fast. */
type FilledRow = { readonly [K in keyof CheckRow]-?: CheckRow[K] | undefined };

type Input = RowInput<Check, CheckTotals, CheckItemDetails>;

const maintenanceCounters = 'maintenance';

/** The counters only in `after`: maintenance, and new countries, by code. */
function begunBetween(before: CheckTotals, after: CheckTotals): readonly string[] {
  const begun: string[] = [];
  if (before.maintenance === undefined && after.maintenance !== undefined) {
    begun.push(maintenanceCounters);
  }
  const countries = after.results.byCountry ?? [];
  const counted = before.results.byCountry ?? [];
  if (countries.length === counted.length) return begun;
  const isKnown = new Set(counted.map(({ countryIso }) => countryIso));
  for (const { countryIso } of countries) if (!isKnown.has(countryIso)) begun.push(countryIso);
  return begun;
}

function buildRow(
  { entry, totals, details, maintenance, budget, outage, lastOutageStartSeconds, begun }: Input,
  previous: PreviousRow<Check, CheckTotals, CheckItemDetails, CheckRow>,
  shownResults: ReturnType<typeof resultsInRows>,
): CheckRow {
  const before = previous.input?.totals;
  const sameBegun = previous.input?.begun === begun;
  const sameStates =
    sameBegun && before?.states === totals.states && before.maintenance === totals.maintenance;
  const row: FilledRow = {
    id: entry.id,
    name: entry.name,
    type: entry.type,
    status: shownStatus(entry.status),
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
    lastResponseTimeSeconds: lastResponseTimeOf(entry),
    availability:
      (sameStates ? previous.row?.availability : undefined) ?? shownAvailability(totals, begun),
    results:
      (sameBegun && before?.results === totals.results ? previous.row?.results : undefined) ??
      shownResults(totals, begun),
    analyses: analysesOf(totals.analyses),
    averages: averagesOf(details, previous),
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

/** Unless the last test was up, the list may have the response time of an earlier test. */
function lastResponseTimeOf({ status, lastResponseTimeSeconds }: Check): number | undefined {
  return status === 'up' ? lastResponseTimeSeconds : undefined;
}

/** The averages that are not too old; the previous ones if they are equal. */
function averagesOf(
  { average24h, average7d, average30d }: Input['details'],
  { input, row }: PreviousRow<Check, CheckTotals, CheckItemDetails, CheckRow>,
): readonly RangeAverage[] | undefined {
  const before = input?.details;
  const isSame =
    before?.average24h === average24h &&
    before?.average7d === average7d &&
    before?.average30d === average30d;
  if (isSame && row !== undefined) return row.averages;
  const averages = [average24h, average7d, average30d].filter((one) => one !== undefined);
  return averages.length === 0 ? undefined : averages;
}

function shownAvailability(totals: CheckTotals, begun: Begun | undefined): AvailabilityTotals {
  const availability = availabilityOf(totals);
  return begun?.has(maintenanceCounters)
    ? { ...availability, maintenanceSeconds: noSeconds }
    : availability;
}

/** Checks that share their counters share what is shown of them. */
function resultsInRows() {
  let last: readonly [ResultTally, ResultTotals] | undefined;
  return ({ results }: CheckTotals, begun: Begun | undefined): ResultTotals => {
    if (last?.[0] !== results) last = [results, resultTotalsOf(results)];
    return withBegun(last[1], begun);
  };
}

function withBegun(totals: ResultTotals, begun: Begun | undefined): ResultTotals {
  if (begun === undefined || totals.byCountry === undefined) return totals;
  const byCountry = totals.byCountry.map((country) =>
    begun.has(country.countryIso)
      ? { ...country, results: 0, responseTimes: 0, responseTimeSumSeconds: 0 }
      : country,
  );
  return { ...totals, byCountry };
}
