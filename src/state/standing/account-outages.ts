import type { Check } from '../../domain/check.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { present } from '../../lib/present.ts';
import type { OutagePolicy } from '../../slo/outage-policy.ts';
import {
  type AlertLabels,
  nextExpirySeconds,
  noOutages,
  type OutageEvidence,
  type Outages,
  outagesAfter,
  relabelled,
} from '../../slo/outages.ts';
import { type KnownStates, openOutage } from '../../slo/state-log.ts';
import { shownOutage } from '../items/ended-rows.ts';
import type { MaintenanceStates } from '../maintenance-now.ts';
import type { ShownOutage } from '../snapshot.ts';
import type { Policies } from './policies.ts';

interface OutageListing {
  /** The items as a list shows them, without regard to maintenance. */
  readonly entries: Iterable<OutageEvidence>;
  readonly maintenance: MaintenanceStates;
  /** True if every item of the account is in the list. */
  readonly isComplete: boolean;
  /** Returns whether an item is still part of the account. */
  readonly isListed: (id: number) => boolean;
  readonly nowSeconds: number;
}

export interface LeavingOutages {
  readonly ids: readonly number[];
  /** False if their dataset is switched off: then a missing entry does not mean no outage. */
  readonly isRead: boolean;
  readonly nowSeconds: number;
}

/**
 * The outages of an account's checks, or of its transactions. Only a list opens an outage. The end
 * of maintenance does not, because an item that was down when its maintenance began may be up when
 * it ends.
 */
export class AccountOutages {
  readonly #kind: 'check' | 'transaction';
  readonly #policies: Policies;
  #outages: Outages = noOutages;
  #openCount: number | undefined;
  /** The time at which the first closed outage expires, in UNIX seconds. */
  #expiresAtSeconds = Number.POSITIVE_INFINITY;
  #movedFor: MaintenanceStates | undefined;
  #labelledBy: OutagePolicy | undefined;

  constructor(kind: 'check' | 'transaction', policies: Policies) {
    this.#kind = kind;
    this.#policies = policies;
  }

  get current(): Outages {
    return this.#outages;
  }

  /** The number of open outages; undefined before the first complete or restored list. */
  get openCount(): number | undefined {
    return this.#openCount;
  }

  /** The outages after a list. They take effect with `apply`. */
  listed({ entries, maintenance, isComplete, isListed, nowSeconds }: OutageListing): Outages {
    const { items } = this.#outages;
    const { flapping, promotedOf } = this.#policies.outages;
    const evidence: OutageEvidence[] = [];
    for (const entry of entries) {
      if (entry.state !== 'down' && !items.has(entry.id)) continue;
      const isInMaintenance = maintenance.get(entry.id)?.active === true;
      const promoted = promotedOf(this.#kind, entry.labels);
      evidence.push({
        ...entry,
        labels: promoted === undefined ? entry.labels : { ...entry.labels, promoted },
        state: isInMaintenance ? 'ended' : entry.state,
      });
    }
    const removed = [...items.keys()].filter((id) => !isListed(id));
    return outagesAfter(this.#outages, { evidence, removed, isComplete }, nowSeconds, flapping);
  }

  /**
   * Applies changed labels of the configuration, closes outages and flapping of items whose
   * maintenance has begun, and drops closed outages after 24 hours. Calls `changed` for each item
   * whose outage changed. Returns whether anything changed.
   */
  move(maintenance: MaintenanceStates, nowSeconds: number, changed: (id: number) => void): boolean {
    const policy = this.#policies.outages;
    const isSamePolicy = this.#labelledBy === policy;
    if (isSamePolicy && this.#movedFor === maintenance && nowSeconds < this.#expiresAtSeconds) {
      return false;
    }
    const evidence: OutageEvidence[] = [];
    for (const [id, { labels, alertLabels }] of this.#outages.items) {
      if (maintenance.get(id)?.active !== true) continue;
      evidence.push({ id, labels, alertLabels, state: 'ended' });
    }
    const promotedOf = policy.promotedOf.bind(policy, this.#kind);
    const labelled = isSamePolicy
      ? this.#outages
      : relabelled(this.#outages, promotedOf, nowSeconds);
    const moved = outagesAfter(labelled, { evidence }, nowSeconds, policy.flapping);
    const isSame = moved === this.#outages;
    this.apply(moved, changed);
    this.#labelledBy = policy;
    this.#movedFor = maintenance;
    return !isSame;
  }

  /** Replaces the outages. Calls `changed` for each item whose outage changed. */
  apply(outages: Outages, changed: (id: number) => void): void {
    const before = this.#outages;
    if (outages === before) return;
    let openCount = 0;
    for (const [id, outage] of outages.items) {
      if (outage.open) openCount += 1;
      if (before.items.get(id) !== outage) changed(id);
    }
    for (const id of before.items.keys()) if (!outages.items.has(id)) changed(id);
    this.#outages = outages;
    this.#openCount = outages.isKnown ? openCount : undefined;
    this.#expiresAtSeconds = nextExpirySeconds(outages);
    this.#movedFor = undefined;
    this.#labelledBy = undefined;
  }

  of(id: number): ShownOutage | undefined {
    const outage = this.#outages.items.get(id);
    return outage && shownOutage(outage);
  }

  /** Closes the outages of items that have left. Returns whether there were any. */
  leave({ ids, isRead, nowSeconds }: LeavingOutages, changed: (id: number) => void): boolean {
    const before = this.#outages;
    const limits = this.#policies.outages.flapping;
    const closed = outagesAfter(before, { evidence: [], removed: ids }, nowSeconds, limits);
    this.apply(isRead || !closed.isKnown ? closed : { ...closed, isKnown: false }, changed);
    return this.#outages !== before;
  }
}

export function outageEntryOfCheck(check: Check, known: KnownStates): OutageEvidence {
  const { id, name, tags, hostname, type, status, severity } = check;
  return {
    id,
    labels: present({ name, tags, type, hostname }),
    alertLabels: { importance: importanceOf(severity), hostname: hostname ?? '' },
    state: checkStates[status],
    sinceSeconds: check.lastDownStartAtSeconds ?? openOutage(known)?.sinceSeconds,
    failedAtSeconds: check.lastErrorAtSeconds,
  };
}

const checkStates: Readonly<Record<Check['status'], OutageEvidence['state']>> = {
  up: 'up',
  down: 'down',
  unconfirmed_up: 'unsure',
  unconfirmed_down: 'unsure',
  unknown: 'unsure',
  paused: 'ended',
};

export function outageEntryOfTransaction(
  transaction: Transaction,
  known: KnownStates,
): OutageEvidence {
  const { id, name, tags, status, active, severity } = transaction;
  const states = { failing: 'down', successful: 'up', unknown: 'unsure' } as const;
  return {
    id,
    labels: { name, tags },
    alertLabels: { importance: importanceOf(severity), hostname: '' },
    state: active === false ? 'ended' : states[status],
    sinceSeconds: transaction.lastDowntimeStartAtSeconds ?? openOutage(known)?.sinceSeconds,
    failedAtSeconds: transaction.lastDowntimeStartAtSeconds,
  };
}

function importanceOf(severity: string | undefined): AlertLabels['importance'] {
  return severity?.toLowerCase() === 'low' ? 'low' : 'high';
}
