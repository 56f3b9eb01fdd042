import type { Check } from '../../domain/check.ts';
import type { TimeRange } from '../../domain/interval.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { lastOutages, type OutageNote } from '../../slo/last-outages.ts';
import { type ItemStates, isListedFirst } from '../../slo/reported-states.ts';
import { union } from '../../tally/maintenance-tally.ts';
import type { CheckItemDetails } from '../items/check-items.ts';
import { checkStates, shownTransactionStates } from '../items/item-past.ts';
import type { ItemRecord } from '../items/item-rows.ts';
import type { CheckTotals, StateTotals } from '../items/totals.ts';
import type { TransactionItemDetails } from '../items/transaction-items.ts';
import type { RecentOutage, ShownOutage } from '../snapshot.ts';

/** The numbers of recent outages that are shown for an account, and for one item. */
export const recentOutagesOfAccount = 100;
export const recentOutagesOfItem = 10;

/** The data of a check or a transaction from which its outages are computed. UNIX seconds. */
export interface OutageSource {
  readonly id: number;
  readonly name: string;
  readonly states: ItemStates | undefined;
  readonly notes?: readonly OutageNote[] | undefined;
  readonly maintenance: readonly TimeRange[];
}

interface Besides {
  readonly open: ShownOutage | undefined;
  readonly maintenance: readonly TimeRange[];
}

/** False for a check that never failed, as most, so that its states need not be read. */
export function mayHaveFailed(
  { entry, totals: { states, log } }: ItemRecord<Check, CheckTotals, CheckItemDetails>,
  open: ShownOutage | undefined,
): boolean {
  const { lastDownEndAtSeconds = 0 } = entry;
  const isListed = lastDownEndAtSeconds > states.horizonSeconds;
  return log !== undefined || states.state === 'down' || isListed || open?.open === true;
}

export function outagesOfCheck(
  record: ItemRecord<Check, CheckTotals, CheckItemDetails>,
  { open, maintenance }: Besides,
): OutageSource {
  const { id, name } = record.entry;
  const states = checkStates(record, { outage: open });
  return { id, name, states, notes: record.details.notes?.value, maintenance };
}

export function outagesOfTransaction(
  record: ItemRecord<Transaction, StateTotals, TransactionItemDetails>,
  { open, maintenance }: Besides,
): OutageSource {
  const { id, name } = record.entry;
  return { id, name, states: shownTransactionStates(record, { outage: open }), maintenance };
}

interface ItemOutages {
  /** The inputs of the computation, which are compared by identity. */
  readonly inputs: readonly unknown[];
  readonly outages: readonly RecentOutage[];
}

/**
 * The newest outages of an account, newest first, including those in maintenance. Some were shown
 * by lists; others were found only afterwards, by a report or by results. An item that has never
 * failed needs no memory.
 */
export class RecentOutages {
  readonly #items = new Map<string, ItemOutages>();
  #shown: readonly RecentOutage[] | undefined;

  /** The outages to show. Returns the same array while nothing changes. */
  get shown(): readonly RecentOutage[] {
    this.#shown ??= [...this.#items.values()]
      .flatMap(({ outages }) => outages)
      .sort((a, b) => b.fromSeconds - a.fromSeconds || a.id - b.id)
      .slice(0, recentOutagesOfAccount);
    return this.#shown;
  }

  update(kind: RecentOutage['kind'], source: OutageSource): void {
    const { id, name, states, notes, maintenance } = source;
    const { log, states: tally } = states?.known ?? {};
    const isListed = states !== undefined && isListedFirst(states);
    const open = states?.listedOpen;
    if (log === undefined && tally?.state !== 'down' && !isListed && open === undefined) {
      this.forget(kind, id);
      return;
    }
    const previous = this.#items.get(`${kind} ${id}`);
    const inputs = [
      name,
      log,
      notes,
      maintenance,
      tally?.state,
      states?.isListedOver,
      states?.lastListed?.fromSeconds,
      states?.lastListed?.toSeconds,
      isListed,
      open?.fromSeconds,
      open?.isExact,
    ];
    const isOpen = previous?.outages.some(({ toSeconds }) => toSeconds === undefined);
    // While an outage is open, the share of it that is in maintenance changes with time.
    const canChange = isOpen && maintenance.length > 0;
    if (previous !== undefined && !canChange && isSame(previous.inputs, inputs)) return;
    const outages = outagesOf(kind, source);
    this.#items.set(`${kind} ${id}`, { inputs, outages });
    const before = (previous?.outages ?? []).map(fingerprint);
    if (!isSame(before, outages.map(fingerprint))) this.#shown = undefined;
  }

  forget(kind: RecentOutage['kind'], id: number): void {
    const previous = this.#items.get(`${kind} ${id}`);
    this.#items.delete(`${kind} ${id}`);
    if (previous !== undefined && previous.outages.length > 0) this.#shown = undefined;
  }
}

function outagesOf(kind: RecentOutage['kind'], source: OutageSource): readonly RecentOutage[] {
  const { id, name, states, notes, maintenance } = source;
  const known = states === undefined ? [] : lastOutages(states, notes);
  const planned = union(maintenance);
  const soFar = (fromSeconds: number) => Math.max(fromSeconds + 1, states?.endSeconds ?? 0);
  return known.slice(0, recentOutagesOfItem).map(
    ({ fromSeconds, beganBefore = false, toSeconds, endsLater, causes }): RecentOutage => ({
      kind,
      id,
      name,
      fromSeconds,
      beganBefore,
      causes,
      ...(toSeconds !== undefined && { toSeconds }),
      ...(endsLater && { endsLater }),
      maintenance: shareIn(planned, { fromSeconds, toSeconds: toSeconds ?? soFar(fromSeconds) }),
    }),
  );
}

/** How much of an outage is in maintenance. `planned` must not overlap. */
function shareIn(
  planned: readonly TimeRange[],
  { fromSeconds, toSeconds }: TimeRange,
): RecentOutage['maintenance'] {
  let seconds = 0;
  for (const one of planned) {
    seconds += Math.max(
      0,
      Math.min(toSeconds, one.toSeconds) - Math.max(fromSeconds, one.fromSeconds),
    );
  }
  if (seconds === 0) return 'none';
  return seconds < toSeconds - fromSeconds ? 'part' : 'whole';
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, at) => Object.is(one, b[at]));

const fingerprint = (outage: RecentOutage) => JSON.stringify(outage);
