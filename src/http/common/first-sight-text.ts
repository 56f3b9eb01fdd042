import { plural } from '../../lib/format-number.ts';
import type { AccountStatus } from '../ports.ts';
import { doneText } from './done-text.ts';
import { serviceNow } from './items.ts';

/** Returns the sentences about reports of the past and of an absence that are not read yet. */
export function firstSightText(status: AccountStatus, nowSeconds: number): string | undefined {
  const { pausesLeft = 0 } = status.firstSight ?? {};
  const absence =
    pausesLeft > 0 &&
    `${plural(pausesLeft, 'check')} may have been paused while no list was read: their counters wait for a report, for 25 minutes at most.`;
  return [pastsText(status, nowSeconds), absence].filter(Boolean).join(' ') || undefined;
}

/** Returns text such as `The past of 133 checks is being read, done about 14:30 UTC.`. */
function pastsText(status: AccountStatus, nowSeconds: number): string | undefined {
  const { firstSight, snapshot, budget } = status;
  if (firstSight === undefined || firstSight.pastsLeft === 0) return undefined;
  const { pastsLeft, isRead, isRefused } = firstSight;
  const whose = `The past of ${plural(pastsLeft, 'check')}`;
  if (isRefused) return `${whose} is not known: the service refuses to report it.`;
  if (!isRead) return `${whose} is not known: the dataset history is switched off.`;
  if (snapshot.datasets.checks.failure !== undefined || budget.paused) {
    return `${whose} is read when the account can be read again.`;
  }
  return `${whose} is being read${doneText(firstSight, serviceNow(status, nowSeconds))}.`;
}
