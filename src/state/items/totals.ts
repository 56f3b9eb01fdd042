import type { DatasetName } from '../../domain/dataset.ts';
import type { TimeRange } from '../../domain/interval.ts';
import type { AvailabilityTotals, CountryTotals, ResultTotals } from '../../domain/totals.ts';
import { present } from '../../lib/present.ts';
import { withGivenUp } from '../../slo/given-up.ts';
import { append } from '../../slo/log-append.ts';
import { countersOf, type KnownStates, spanAfter } from '../../slo/state-log.ts';
import type { StoredItem } from '../../store/store.ts';
import type { StateUpdate } from '../../tally/apply-report.ts';
import { type CheckCounters, counterStarts } from '../../tally/check-counters.ts';
import type { CountryTally } from '../../tally/country-tally.ts';
import type { EventTally } from '../../tally/event-tally.ts';
import { tallyMaintenance } from '../../tally/maintenance-tally.ts';
import { resumeHistogram } from '../../tally/response-histogram.ts';
import type { ResultTally } from '../../tally/result-tally.ts';
import { noSeconds } from '../../tally/state-tally.ts';

/** Counted states of a check or a transaction. A field that `StoredItem` lacks would not be stored. */
export interface StateTotals extends KnownStates, Pick<StoredItem, 'goneAtSeconds'> {}

/** Counted states of a check. */
export interface CheckStateTotals extends StateTotals, Pick<StoredItem, 'maintenance'> {}

/** All counters of one check. They only grow, and are shown only when they are durable. */
export interface CheckTotals extends CheckStateTotals, CheckCounters {}

/** Stored totals of a check. Absent counters have counted nothing since the start. */
export type StoredCheckTotals = CheckStateTotals & Partial<CheckCounters>;

/**
 * Stored totals to continue from. Response times that were counted in other buckets start again at
 * 0. Unchanged totals keep their objects, by which the store recognises them.
 */
export function restoredCheckTotals(
  stored: ReadonlyMap<number, StoredCheckTotals>,
  responseTimeBounds: readonly number[],
): ReadonlyMap<number, CheckTotals> {
  const start = counterStarts(responseTimeBounds);
  const restored = new Map<number, CheckTotals>();
  for (const [id, totals] of stored) {
    const started = start(totals.states.startSeconds);
    const { analyses = started.analyses } = totals;
    const results = resumed(totals.results ?? started.results, responseTimeBounds);
    const isWhole = hasCounters(totals, results, analyses);
    // Node.js 20 may give each object that is made by spreading a hidden class of its own.
    restored.set(id, isWhole ? totals : Object.assign(present(totals), { results, analyses }));
  }
  return restored;
}

function resumed(results: ResultTally, boundsSeconds: readonly number[]): ResultTally {
  const responseTimes = resumeHistogram(results.responseTimes, boundsSeconds);
  return responseTimes === results.responseTimes ? results : { ...results, responseTimes };
}

function hasCounters(
  totals: StoredCheckTotals,
  results: ResultTally,
  analyses: EventTally,
): totals is CheckTotals {
  return totals.results === results && totals.analyses === analyses;
}

/** The time up to which a dataset is counted; undefined for a dataset without counters. */
export function countedUntil(
  dataset: DatasetName,
  totals: CheckTotals | undefined,
): number | undefined {
  switch (dataset) {
    case 'outages':
      return totals?.states.horizonSeconds;
    case 'results':
      return totals?.results.watermark.atSeconds;
    case 'analyses':
      return totals?.analyses.watermark.atSeconds;
    default:
      return undefined;
  }
}

export function availabilityOf(totals: CheckStateTotals): AvailabilityTotals {
  const { seconds, outages, lastOutageSeconds } = countersOf(totals);
  const { maintenance } = totals;
  return {
    seconds,
    outages,
    ...(lastOutageSeconds !== undefined && { lastOutageDurationSeconds: lastOutageSeconds }),
    ...(maintenance !== undefined && { maintenanceSeconds: maintenance }),
  };
}

export function resultTotalsOf({ counts, responseTimes, byCountry }: ResultTally): ResultTotals {
  return {
    byStatus: counts,
    responseTime: {
      bounds: responseTimes.boundsSeconds,
      counts: responseTimes.counts,
      sumSeconds: responseTimes.sumMilliseconds / 1000,
    },
    ...(byCountry !== undefined && { byCountry: byCountry.map(countryTotalsOf) }),
  };
}

function countryTotalsOf({ sumMilliseconds, ...counts }: CountryTally): CountryTotals {
  return { ...counts, responseTimeSumSeconds: sumMilliseconds / 1000 };
}

export function analysesOf({ counts }: EventTally): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The totals after an update of their states. */
export function withCounted<T extends StateTotals>(totals: T, update: StateUpdate): T {
  const { tally, recorded, unread } = update;
  const appended = append(totals, recorded, tally);
  const log = appended && withGivenUp(appended, unread);
  return { ...totals, states: tally, ...(log !== undefined && { log }) };
}

/** Returns whether the later totals count an outage more. */
export function hasNewOutage(before: StateTotals, after: StateTotals): boolean {
  return (after.log?.outages ?? 0) > (before.log?.outages ?? 0);
}

/** Like `withCounted`, and also counts the check's seconds in maintenance. */
export function checkWithCounted<T extends CheckStateTotals>(
  totals: T,
  update: StateUpdate,
  occurrences: readonly TimeRange[],
): T {
  const before = totals.maintenance ?? noSeconds;
  const { startSeconds } = totals.states;
  const maintenance =
    occurrences.length === 0
      ? before
      : tallyMaintenance(
          before,
          update.recorded.flatMap((span) => spanAfter(startSeconds, span)),
          occurrences,
        );
  const next = withCounted(totals, update);
  return maintenance === before ? next : { ...next, maintenance };
}
