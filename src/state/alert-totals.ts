import { type AlertMedium, type AlertStatus, alertMedia, alertStatuses } from '../domain/action.ts';
import { type EventTally, startEventTally, withLabels } from '../tally/event-tally.ts';
import { shownAsZeroMilliseconds } from './items/begun-counters.ts';
import type { CheckItems } from './items/check-items.ts';
import type { AlertTotal } from './snapshot.ts';

/** The label under which an alert is counted. */
export function alertLabel(checkId: number, via: AlertMedium, status: AlertStatus): string {
  return `${checkId} ${via} ${status}`;
}

/** Omits the alerts of checks whose totals are no longer kept; the same object when there are none. */
export function alertsOfListed(tally: EventTally, checks: CheckItems): EventTally {
  return withLabels(tally, (label) => checks.isKept(checkIdOf(label)));
}

/** The alerts that were sent, and their totals as they are shown. */
export class AlertTotals {
  readonly #checks: CheckItems;
  /** Undefined until the first response, from which alerts are counted. */
  #tally: EventTally | undefined;
  #shown:
    | { readonly version: number; readonly until: number; readonly totals: readonly AlertTotal[] }
    | undefined;
  /** New labels of this process, with the monotonic milliseconds at which they were first shown. */
  readonly #new = new Map<string, number | undefined>();

  constructor(checks: CheckItems) {
    this.#checks = checks;
  }

  /** Continues from the stored tally. Its series may have been shown, so they are not new. */
  restore(tally: EventTally): void {
    this.#tally = tally;
    this.#shown = undefined;
  }

  set(tally: EventTally): void {
    const known = this.#tally?.counts ?? {};
    for (const label of Object.keys(tally.counts)) {
      if (known[label] === undefined) this.#new.set(label, undefined);
    }
    this.restore(tally);
  }

  /** The tally, which starts at `nowSeconds` (UNIX seconds) if there is none. */
  tally(nowSeconds: number): EventTally {
    this.#tally ??= startEventTally(nowSeconds);
    return this.#tally;
  }

  /** The totals of listed checks; the same array while nothing changes. `now` is in monotonic milliseconds. */
  shown(now: number): readonly AlertTotal[] {
    const version = this.#checks.labelsVersion;
    if (this.#shown?.version !== version || now >= this.#shown.until) {
      const until = this.#showNew(now);
      const totals = totalsOf(this.#tally, this.#checks, (label) => this.#new.has(label));
      this.#shown = { version, until, totals };
    }
    return this.#shown.totals;
  }

  /** Shows the values of series that are no longer new. Returns when the next one is due. */
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
    const medium = alertMedia.find((known) => known === via);
    const outcome = alertStatuses.find((known) => known === status);
    if (check === undefined || medium === undefined || outcome === undefined) return [];
    const { id: checkId, name: checkName } = check.entry;
    const shown = isNew(label) ? 0 : count;
    return [{ checkId, checkName, via: medium, status: outcome, count: shown }];
  });
}

function checkIdOf(label: string): number {
  return Number.parseInt(label, 10);
}
