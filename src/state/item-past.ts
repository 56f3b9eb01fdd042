import type { HourlyAverages } from '../windows/hourly-averages.ts';
import {
  type LastOutage,
  lastOutages,
  type OutageNote,
  type ResponseQuantiles,
} from '../windows/last-outages.ts';
import type { StateHistory } from '../windows/state-history.ts';
import type { Details } from './item-rows.ts';
import type { StateTotals } from './totals.ts';

/** The past of a check or a transaction, for the pages for people; whatever its age. */
export interface ItemPast {
  /** Newest first. */
  readonly outages: readonly LastOutage[];
  /** States of 35 days; absent for one that was always up. */
  readonly history?: StateHistory;
  readonly hourlyAverages?: HourlyAverages;
  readonly quantiles?: ResponseQuantiles;
}

interface PastDetails {
  readonly hourlyAverages: HourlyAverages;
  readonly quantiles: ResponseQuantiles;
  readonly notes: readonly OutageNote[];
}

interface PastRecord {
  readonly totals: StateTotals;
  readonly details: Details<Partial<PastDetails>>;
}

/** Undefined when there is no such item. */
export function itemPast(record: PastRecord | undefined): ItemPast | undefined {
  if (record === undefined) return undefined;
  const { totals, details } = record;
  const { hourlyAverages, quantiles, notes } = details;
  return {
    outages: lastOutages(totals, notes?.value),
    ...(totals.history !== undefined && { history: totals.history }),
    ...(hourlyAverages?.value !== undefined && { hourlyAverages: hourlyAverages.value }),
    ...(quantiles?.value !== undefined && { quantiles: quantiles.value }),
  };
}
