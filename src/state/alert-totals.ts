import { type AlertMedium, type AlertStatus, alertMedia, alertStatuses } from '../domain/action.ts';
import { type EventTally, startEventTally, withLabels } from '../tally/event-tally.ts';
import { shownAsZeroMilliseconds } from './items/begun-counters.ts';
import type { CheckItems } from './items/check-items.ts';
import type { AlertTotal } from './snapshot.ts';

/** The label under which an alert is counted. */
export function alertLabel(checkId: number, via: AlertMedium, status: AlertStatus): string {
  return `${checkId} ${via} ${status}`;
}

/** Removes counts of checks without stored totals. The same object if there are none. */
export function alertsOfListed(tally: EventTally, checks: CheckItems): EventTally {
  return withLabels(tally, (label) => checks.isKept(checkIdOf(label)));
}

/** The alerts that were sent: the counted totals, and the totals that are shown. */
export class AlertTotals {
  readonly #checks: CheckItems;
  /** Undefined until the first response. Alerts are counted from that time on. */
  #tally: EventTally | undefined;
  #shown:
    | { readonly version: number; readonly until: number; readonly totals: readonly AlertTotal[] }
    | undefined;
  /** New labels, and when they were first shown (monotonic ms); undefined before. */
  readonly #new = new Map<string, number | undefined>();

  constructor(checks: CheckItems) {
    this.#checks = checks;
  }

  /** Continues from the stored tally. Its series may have been shown, so they are not new. */
  restore(tally: EventTally): void {
    this.#tally = tally;
    this.#shown = undefined;
  }

  /** Without a tally, one starts with the first response. */
  beginAgain(nowSeconds: number): void {
    if (this.#tally !== undefined) this.restore(startEventTally(nowSeconds));
  }

  set(tally: EventTally): void {
    const counted = this.#tally?.counts ?? {};
    for (const label of Object.keys(tally.counts)) {
      if (counted[label] === undefined) this.#new.set(label, undefined);
    }
    this.restore(tally);
  }

  /** Returns the tally. If there is none, a new one starts at `nowSeconds` (UNIX seconds). */
  tally(nowSeconds: number): EventTally {
    this.#tally ??= startEventTally(nowSeconds);
    return this.#tally;
  }

  /** The totals of listed checks, as an array that only changes with them. */
  shown(now: number): readonly AlertTotal[] {
    const version = this.#checks.labelsVersion;
    if (this.#shown?.version !== version || now >= this.#shown.until) {
      const until = this.#showNew(now);
      const totals = totalsOf(this.#tally, this.#checks, (label) => this.#new.has(label));
      this.#shown = { version, until, totals };
    }
    return this.#shown.totals;
  }

  /** Series shown as 0 long enough are not new. Returns when the next is due, or Infinity. */
  #showNew(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const [label, since = now] of this.#new) {
      const until = since + shownAsZeroMilliseconds;
      if (until <= now || this.#tally?.counts[label] === undefined) this.#new.delete(label);
      else {
        this.#new.set(label, since);
        next = Math.min(next, until);
      }
    }
    return next;
  }
}

function totalsOf(
  tally: EventTally | undefined,
  checks: CheckItems,
  isNew: (label: string) => boolean,
): AlertTotal[] {
  return Object.entries(tally?.counts ?? {}).flatMap(([label, count]) => {
    const [, via, status] = label.split(' ');
    const check = checks.get(checkIdOf(label));
    const medium = alertMedia.find((one) => one === via);
    const outcome = alertStatuses.find((one) => one === status);
    if (check === undefined || medium === undefined || outcome === undefined) return [];
    const { id: checkId, name: checkName } = check.entry;
    const shown = isNew(label) ? 0 : count;
    return [{ checkId, checkName, via: medium, status: outcome, count: shown }];
  });
}

function checkIdOf(label: string): number {
  return Number.parseInt(label, 10);
}
