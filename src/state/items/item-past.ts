import type { Check } from '../../domain/check.ts';
import type { TimeRange } from '../../domain/interval.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { present } from '../../lib/present.ts';
import type { HourlyAverages } from '../../slo/hourly-averages.ts';
import {
  type LastOutage,
  lastOutages,
  type OutageNote,
  type ResponseQuantiles,
} from '../../slo/last-outages.ts';
import { type ListedPast, missingPast } from '../../slo/past.ts';
import { rangeEnd } from '../../slo/range-seconds.ts';
import type { ItemStates, KnownOutage } from '../../slo/reported-states.ts';
import { union } from '../../tally/maintenance-tally.ts';
import type { ShownOutage } from '../snapshot.ts';
import { type SloEntry, sloCheck, sloTransaction } from '../standing/account-slo.ts';
import type { Details } from './item-rows.ts';
import type { StateTotals } from './totals.ts';

/** The past of a check or a transaction for the views, even when the data are stale. */
export interface ItemPast {
  /** Newest first. */
  readonly outages: readonly LastOutage[];
  /** Part of the last 35 days, or of the item's life, is unread: outages may be missing. */
  readonly isPartial?: true;
  readonly hourlyAverages?: HourlyAverages;
  readonly quantiles?: ResponseQuantiles;
  /** Its maintenance occurrences of at least the last 35 days, in order and without overlaps. */
  readonly maintenance?: readonly TimeRange[];
}

interface PastDetails {
  readonly hourlyAverages: HourlyAverages;
  readonly quantiles: ResponseQuantiles;
  readonly notes: readonly OutageNote[];
}

interface PastRecord<E> {
  readonly entry: E;
  readonly totals: StateTotals;
  readonly details: Details<Partial<PastDetails>>;
}

/** The past of a check; undefined for an unknown check. */
export function checkPast(
  record: PastRecord<Check> | undefined,
  maintenance: readonly TimeRange[],
  outage?: ShownOutage,
): ItemPast | undefined {
  return record && itemPast(record, maintenance, checkStates(record, { outage }));
}

/** The past of a transaction; undefined for an unknown transaction. */
export function transactionPast(
  record: PastRecord<Transaction> | undefined,
  maintenance: readonly TimeRange[],
  outage?: ShownOutage,
): ItemPast | undefined {
  return record && itemPast(record, maintenance, shownTransactionStates(record, { outage }));
}

function itemPast<E extends ListedPast>(
  { entry, totals, details }: PastRecord<E>,
  maintenance: readonly TimeRange[],
  states: ItemStates,
): ItemPast {
  const { hourlyAverages, quantiles, notes } = details;
  return {
    outages: lastOutages(states, notes?.value),
    ...((missingPast(totals, entry) ?? totals.log?.tail) !== undefined && { isPartial: true }),
    ...present({ hourlyAverages: hourlyAverages?.value, quantiles: quantiles?.value }),
    maintenance: union(maintenance),
  };
}

interface EntryWithTotals<E> {
  readonly entry: E;
  readonly totals: StateTotals;
}

/** Facts that are not in the record of an item. UNIX seconds of the service's clock. */
interface ShownFacts {
  /** Without it, the states end at the horizon. */
  readonly nowSeconds?: number;
  readonly outage?: ShownOutage | undefined;
  /** The time of the last list. */
  readonly listedAtSeconds?: number | undefined;
}

/** The states of a check over 35 days, or up to its horizon. */
export function checkStates(
  { entry, totals }: EntryWithTotals<Check>,
  facts: ShownFacts = {},
): ItemStates {
  const { status, lastDownStartAtSeconds: from, lastDownEndAtSeconds: to } = entry;
  const isDown = status === 'down';
  return {
    ...itemStates(totals, sloCheck(entry), facts),
    lastListed: isDown ? undefined : endedOutage(from, to),
    isListedOver: status === 'up' || status === 'paused' || isClosed(isDown, facts),
    listedOpen: listedOpen(isDown, from, facts),
  };
}

/** The states of a transaction over 35 days. */
export function shownTransactionStates(
  { entry, totals }: EntryWithTotals<Transaction>,
  facts: ShownFacts = {},
): ItemStates {
  const { status, active, lastDowntimeStartAtSeconds: from, lastDowntimeEndAtSeconds: to } = entry;
  const isDown = status === 'failing' && active !== false;
  return {
    ...itemStates(totals, sloTransaction(entry, totals.states.state), facts),
    lastListed: status === 'failing' ? undefined : endedOutage(from, to),
    isListedOver: status === 'successful' || active === false || isClosed(isDown, facts),
    listedOpen: listedOpen(isDown, from, facts),
  };
}

/** An earlier list has closed the outage, and the item is not down again: it is unknown. */
function isClosed(isDown: boolean, { outage }: ShownFacts): boolean {
  return !isDown && outage?.open === false;
}

/** The outage of an item that is down, or is not known to be up again since it was down. */
function listedOpen(
  isDown: boolean,
  listedSince: number | undefined,
  { outage }: ShownFacts,
): KnownOutage | undefined {
  const open = outage?.open === true ? outage : undefined;
  const since = open?.sinceSeconds ?? (isDown ? listedSince : undefined);
  if (since !== undefined) return { fromSeconds: since };
  if (open?.seenAtSeconds === undefined) return undefined;
  return { fromSeconds: open.seenAtSeconds, beganBefore: true };
}

function endedOutage(fromSeconds?: number, toSeconds?: number): TimeRange | undefined {
  if (fromSeconds === undefined || toSeconds === undefined) return undefined;
  return fromSeconds < toSeconds ? { fromSeconds, toSeconds } : undefined;
}

function itemStates(
  known: StateTotals,
  entry: SloEntry,
  { nowSeconds = 0, listedAtSeconds }: ShownFacts,
) {
  const endSeconds = rangeEnd(known, entry, nowSeconds);
  return { known, createdAtSeconds: entry.createdAtSeconds, endSeconds, listedAtSeconds };
}
