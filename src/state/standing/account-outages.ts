import { type Check, lastTestFailed } from '../../domain/check.ts';
import type { Transaction } from '../../domain/transaction.ts';
import {
  type FormerOutage,
  type LabelSources,
  noOutages,
  type OutageReading,
  type Outages,
  outagesAfter,
  overSeconds,
  retired,
} from '../../windows/outages.ts';
import { type KnownStates, openSince } from '../../windows/state-history.ts';
import { shownOutage } from '../items/former-rows.ts';
import type { MaintenanceStates } from '../maintenance.ts';
import type { ShownOutage } from '../snapshot.ts';

/** A check or a transaction of a list, as its outages see it. */
export interface OutageEntry {
  readonly id: number;
  readonly labels: LabelSources;
  readonly state: OutageReading['state'];
  /** When the outage began, where the list or a report tells. */
  readonly sinceSeconds?: number | undefined;
}

export interface OutageListing {
  readonly entries: Iterable<OutageEntry>;
  readonly maintenance: MaintenanceStates;
  /** Whether an item is still part of the account. */
  readonly isListed: (id: number) => boolean;
  readonly nowSeconds: number;
}

/**
 * The outages of the checks, or of the transactions, of an account. One opens when a list shows it, never
 * because of the calendar: an item that was down when its maintenance began may be up when it ends.
 */
export class AccountOutages {
  #outages: Outages = noOutages;
  #shown = new Map<number, ShownOutage>();
  /** When the first is to be forgotten, in UNIX seconds. */
  #expiresAtSeconds = Number.POSITIVE_INFINITY;
  #movedFor: MaintenanceStates | undefined;

  get current(): Outages {
    return this.#outages;
  }

  /** Those of a list; they hold when `apply` is given them. */
  listed({ entries, maintenance, isListed, nowSeconds }: OutageListing): Outages {
    const { items } = this.#outages;
    const readings: OutageReading[] = [];
    for (const { id, labels, state, sinceSeconds } of entries) {
      if (state !== 'down' && !items.has(id)) continue;
      const held = maintenance.get(id)?.active === true ? 'not down' : state;
      readings.push({ id, labels, state: held, sinceSeconds });
    }
    const gone = [...items.keys()].filter((id) => !isListed(id));
    return outagesAfter(this.#outages, readings, nowSeconds, gone);
  }

  /**
   * Maintenance that has begun ends an outage, and 24 hours after its end it is forgotten. Calls back with each item whose
   * outage changed; false when nothing changed. Costs nothing unless maintenance began or ended, or one is to be forgotten.
   */
  move(maintenance: MaintenanceStates, nowSeconds: number, changed: (id: number) => void): boolean {
    if (this.#movedFor === maintenance && nowSeconds < this.#expiresAtSeconds) return false;
    this.#movedFor = maintenance;
    const readings: OutageReading[] = [];
    for (const [id, { open, labels }] of this.#outages.items) {
      if (!open || maintenance.get(id)?.active !== true) continue;
      readings.push({ id, labels, state: 'not down' });
    }
    const moved = outagesAfter(this.#outages, readings, nowSeconds);
    if (moved === this.#outages) return false;
    this.apply(moved, changed);
    this.#movedFor = maintenance;
    return true;
  }

  /** Takes over outages. Calls back with each item whose outage changed. */
  apply(outages: Outages, changed: (id: number) => void): void {
    const before = this.#outages;
    if (outages === before) return;
    const shown = new Map<number, ShownOutage>();
    let expiresAtSeconds = Number.POSITIVE_INFINITY;
    for (const { untilSeconds } of outages.former) {
      expiresAtSeconds = Math.min(expiresAtSeconds, untilSeconds);
    }
    for (const [id, outage] of outages.items) {
      const { overAtSeconds } = outage;
      if (overAtSeconds !== undefined) {
        expiresAtSeconds = Math.min(expiresAtSeconds, overAtSeconds + overSeconds);
      }
      const same = before.items.get(id) === outage ? this.#shown.get(id) : undefined;
      shown.set(id, same ?? shownOutage(outage));
      if (same === undefined) changed(id);
    }
    for (const id of before.items.keys()) if (!outages.items.has(id)) changed(id);
    this.#outages = outages;
    this.#shown = shown;
    this.#expiresAtSeconds = expiresAtSeconds;
    this.#movedFor = undefined;
  }

  of(id: number): ShownOutage | undefined {
    return this.#shown.get(id);
  }

  /** Everything is over, because the account is no longer monitored. */
  retired(nowSeconds: number): readonly FormerOutage[] {
    return retired(this.#outages, nowSeconds);
  }
}

export function outageEntryOfCheck(check: Check, known: KnownStates): OutageEntry {
  const { id, name, tags, hostname, type, status } = check;
  const labels = { name, tags, type, ...(hostname !== undefined && { hostname }) };
  const state = lastTestFailed(status) || status === 'unknown' ? 'unsure' : 'not down';
  return {
    id,
    labels,
    state: status === 'down' ? 'down' : state,
    sinceSeconds: check.lastDownStartAtSeconds ?? openSince(known),
  };
}

export function outageEntryOfTransaction(
  transaction: Transaction,
  known: KnownStates,
): OutageEntry {
  const { id, name, tags, status, active } = transaction;
  const states = { failing: 'down', successful: 'not down', unknown: 'unsure' } as const;
  return {
    id,
    labels: { name, tags },
    state: active === false ? 'not down' : states[status],
    sinceSeconds: transaction.lastDowntimeStartAtSeconds ?? openSince(known),
  };
}
