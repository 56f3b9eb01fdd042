import { type AlertMedium, type AlertStatus, alertMedia, alertStatuses } from '../domain/action.ts';
import { type EventTally, startEventTally, withLabels } from '../tally/event-tally.ts';
import type { CheckItems } from './items/check-items.ts';
import type { AlertTotal } from './snapshot.ts';

/** The label under which an alert is counted. */
export function alertLabel(checkId: number, via: AlertMedium, status: AlertStatus): string {
  return `${checkId} ${via} ${status}`;
}

/** Without the alerts of checks that are forgotten; the same object when there are none. */
export function alertsOfListed(tally: EventTally, checks: CheckItems): EventTally {
  return withLabels(tally, (label) => checks.isKept(checkIdOf(label)));
}

/** The alerts that were sent, and their totals as they are shown. */
export class AlertTotals {
  readonly #checks: CheckItems;
  /** Undefined until the first reply: alerts are counted from then on. */
  #tally: EventTally | undefined;
  #shown: { readonly version: number; readonly totals: readonly AlertTotal[] } | undefined;

  constructor(checks: CheckItems) {
    this.#checks = checks;
  }

  set(tally: EventTally): void {
    this.#tally = tally;
    this.#shown = undefined;
  }

  /** Counted from `nowSeconds` on, if they were not before; UNIX seconds. */
  tally(nowSeconds: number): EventTally {
    this.#tally ??= startEventTally(nowSeconds);
    return this.#tally;
  }

  /** Those of the listed checks; the same array while nothing changes. */
  shown(): readonly AlertTotal[] {
    const version = this.#checks.labelsVersion;
    if (this.#shown?.version !== version) {
      this.#shown = { version, totals: totalsOf(this.#tally, this.#checks) };
    }
    return this.#shown.totals;
  }
}

function totalsOf(tally: EventTally | undefined, checks: CheckItems): AlertTotal[] {
  return Object.entries(tally?.counts ?? {}).flatMap(([label, count]) => {
    const [, via, status] = label.split(' ');
    const check = checks.get(checkIdOf(label));
    const medium = alertMedia.find((known) => known === via);
    const outcome = alertStatuses.find((known) => known === status);
    if (check === undefined || medium === undefined || outcome === undefined) return [];
    const { id: checkId, name: checkName } = check.entry;
    return [{ checkId, checkName, via: medium, status: outcome, count }];
  });
}

function checkIdOf(label: string): number {
  return Number.parseInt(label, 10);
}
