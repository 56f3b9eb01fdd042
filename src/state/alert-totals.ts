import { type AlertMedium, type AlertStatus, alertMedia, alertStatuses } from '../domain/action.ts';
import { type EventTally, withLabels } from '../tally/event-tally.ts';
import type { CheckItems } from './check-items.ts';
import type { AlertTotal } from './snapshot.ts';

/** Under which label an alert is counted. */
export function alertLabel(checkId: number, via: AlertMedium, status: AlertStatus): string {
  return `${checkId} ${via} ${status}`;
}

/** Without the alerts of checks that are forgotten; the same object when there are none. */
export function alertsOfListed(tally: EventTally, checks: CheckItems): EventTally {
  return withLabels(tally, (label) => checks.isKept(checkIdOf(label)));
}

/** The alerts of the checks that there are. */
export function alertTotals({ counts }: EventTally, checks: CheckItems): AlertTotal[] {
  return Object.entries(counts).flatMap(([label, count]) => {
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
