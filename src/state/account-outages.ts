import { type Check, isDown } from '../domain/check.ts';
import type { Transaction } from '../domain/transaction.ts';
import {
  type FormerOutage,
  type LabelSources,
  noOutages,
  type OutageReading,
  type Outages,
  outagesAfter,
  retired,
} from '../windows/outages.ts';
import type { ShownOutage } from './snapshot.ts';

/** A check or a transaction of a list, as its outages see it. */
export interface OutageEntry {
  readonly id: number;
  readonly labels: LabelSources;
  readonly state: OutageReading['state'];
  readonly sinceSeconds?: number | undefined;
}

export interface OutageListing {
  readonly entries: Iterable<OutageEntry>;
  /** Whether an item is in maintenance. */
  readonly isInMaintenance: (id: number) => boolean;
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

  get current(): Outages {
    return this.#outages;
  }

  /** Those of a list; they hold when `adopt` is given them. */
  listed({ entries, isInMaintenance, isListed, nowSeconds }: OutageListing): Outages {
    const { items } = this.#outages;
    const readings: OutageReading[] = [];
    for (const { id, labels, state, sinceSeconds } of entries) {
      if (state !== 'down' && !items.has(id)) continue;
      const held = isInMaintenance(id) ? 'not down' : state;
      readings.push({ id, labels, state: held, sinceSeconds });
    }
    const gone = [...items.keys()].filter((id) => !isListed(id));
    return outagesAfter(this.#outages, readings, nowSeconds, gone);
  }

  /** Maintenance that has begun ends an outage, and 24 hours after its end it is forgotten. Whether anything changed. */
  move(isInMaintenance: (id: number) => boolean, nowSeconds: number): boolean {
    const readings: OutageReading[] = [];
    for (const [id, { open, labels }] of this.#outages.items) {
      if (open && isInMaintenance(id)) readings.push({ id, labels, state: 'not down' });
    }
    return this.adopt(outagesAfter(this.#outages, readings, nowSeconds));
  }

  adopt(outages: Outages): boolean {
    if (outages === this.#outages) return false;
    const shown = new Map<number, ShownOutage>();
    for (const [id, { open, sinceSeconds }] of outages.items) {
      const before = this.#outages.items.get(id) === outages.items.get(id);
      const same = before ? this.#shown.get(id) : undefined;
      shown.set(id, same ?? { open, ...(sinceSeconds !== undefined && { sinceSeconds }) });
    }
    this.#outages = outages;
    this.#shown = shown;
    return true;
  }

  of(id: number): ShownOutage | undefined {
    return this.#shown.get(id);
  }

  /** Everything is over, because the account is not watched any more. */
  retired(nowSeconds: number): readonly FormerOutage[] {
    return retired(this.#outages, nowSeconds);
  }
}

export function outageEntryOfCheck(check: Check, begunAtSeconds: number | undefined): OutageEntry {
  const { id, name, tags, hostname, type, status } = check;
  const labels = { name, tags, type, ...(hostname !== undefined && { hostname }) };
  const state = isDown(status) || status === 'unknown' ? 'unsure' : 'not down';
  return {
    id,
    labels,
    state: status === 'down' ? 'down' : state,
    sinceSeconds: check.lastDownStartAtSeconds ?? begunAtSeconds,
  };
}

export function outageEntryOfTransaction(
  transaction: Transaction,
  begunAtSeconds: number | undefined,
): OutageEntry {
  const { id, name, tags, status, active } = transaction;
  const states = { failing: 'down', successful: 'not down', unknown: 'unsure' } as const;
  return {
    id,
    labels: { name, tags },
    state: active === false ? 'not down' : states[status],
    sinceSeconds: transaction.lastDowntimeStartAtSeconds ?? begunAtSeconds,
  };
}
