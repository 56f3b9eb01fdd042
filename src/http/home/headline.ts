import { formatDecimal, plural } from '../../lib/format-number.ts';
import { countStates, type Item } from '../common/items.ts';
import type { AccountStatus } from '../ports.ts';

const notAllKnown = 'Not everything is known';

/** The headline without any item. */
export function noItemsHeadline(accounts: readonly AccountStatus[]): string {
  const isOld = accounts.some(
    ({ snapshot }) => snapshot.checks !== undefined && snapshot.datasets.checks.stale,
  );
  if (isOld) return 'The last check list is too old to show';
  if (accounts.length === 0 || !accounts.every(hasNoItems)) return 'Nothing to show yet';
  if (accounts.some(({ snapshot }) => (snapshot.listedChecks ?? 0) > 0)) {
    return 'The filters select no checks';
  }
  return accounts.length === 1 ? 'The account has no checks' : 'The accounts have no checks';
}

/** Whether all lists of the account were read, and have nothing. */
export function hasNoItems({ snapshot }: AccountStatus): boolean {
  const { checks, transactions, datasets } = snapshot;
  const areTransactionsRead = transactions !== undefined || datasets.transactions === undefined;
  return checks?.length === 0 && areTransactionsRead && (transactions ?? []).length === 0;
}

/**
 * Returns one sentence about all items, of which there is at least one. `isPartial`: some lists are
 * unread, stale or incomplete, or cannot be read now. Without a failure, the sentence begins with
 * what is not known.
 */
export function headline(items: readonly Item[], isPartial: boolean): string {
  const { down, unconfirmed_down: unconfirmed, unknown, up } = countStates(items);
  const lastKnown = items.filter(({ isLastKnown }) => isLastKnown).length;
  if (lastKnown > 0) {
    const fresh = down === lastKnown ? '' : `${formatDecimal(down - lastKnown)} down, and `;
    return `${fresh}${formatDecimal(lastKnown)} down when last read`;
  }
  const total = formatDecimal(items.length);
  const rest = isPartial ? `; ${notAllKnown.toLowerCase()}` : '';
  if (down > 0) return `${formatDecimal(down)} of ${total} down${rest}`;
  if (unconfirmed > 0) return `${plural(unconfirmed, 'failure')} to be confirmed${rest}`;
  const noneDown = isPartial ? `${notAllKnown}: none of ${total} down` : 'None down';
  if (unknown > 0) return `${noneDown}, ${formatDecimal(unknown)} unknown`;
  if (isPartial || up !== items.length) return noneDown;
  return up === 1 ? '1 of 1 up' : `All ${total} up`;
}

/** Returns the title in the browser's tab, which begins with what is down or not known. */
export function titleOf(items: readonly Item[], isPartial: boolean): string {
  const { down } = countStates(items);
  if (down > 0) return `(${formatDecimal(down)} down) uptime-exporter`;
  return isPartial ? '(not all known) uptime-exporter' : 'uptime-exporter';
}
