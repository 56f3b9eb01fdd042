import type { Check } from '../../domain/check.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { HourlyAverages } from '../../windows/hourly-averages.ts';
import {
  type LastOutage,
  lastOutages,
  type OutageNote,
  type ResponseQuantiles,
} from '../../windows/last-outages.ts';
import type { ItemStates } from '../../windows/reported-states.ts';
import type { StateHistory } from '../../windows/state-history.ts';
import { windowEnd } from '../../windows/window-seconds.ts';
import {
  type WindowedEntry,
  windowedCheck,
  windowedTransaction,
} from '../standing/account-windows.ts';
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

interface KnownItem<E> {
  readonly entry: E;
  readonly totals: StateTotals;
}

/** The states of a check over 35 days; undefined when there is no such check. */
export function checkStates(
  record: KnownItem<Check> | undefined,
  nowSeconds: number,
): ItemStates | undefined {
  return record && itemStates(record.totals, windowedCheck(record.entry), nowSeconds);
}

/** The states of a transaction over 35 days; undefined when there is no such transaction. */
export function transactionStates(
  record: KnownItem<Transaction> | undefined,
  nowSeconds: number,
): ItemStates | undefined {
  if (record === undefined) return undefined;
  const { entry, totals } = record;
  return itemStates(totals, windowedTransaction(entry, totals.states.state), nowSeconds);
}

function itemStates(known: StateTotals, entry: WindowedEntry, nowSeconds: number): ItemStates {
  const { createdAtSeconds } = entry;
  return { known, createdAtSeconds, endSeconds: windowEnd(known, entry, nowSeconds) };
}
