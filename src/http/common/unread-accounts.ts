import type { AccountStatus, StatusSource } from '../ports.ts';
import { accountBadge } from './account-badge.ts';
import { serviceNow } from './items.ts';
import { atOneMoment } from './one-moment.ts';
import { otherAccounts } from './query.ts';

/** An account whose items may be missing wherever items are counted. */
export interface UnreadAccount {
  readonly account: string;
  /** It cannot be read, or not yet. False if another replica has it, or if only `onlyList` is missing. */
  readonly isUnreadable: boolean;
  /** The list that cannot be read, while the check list can be. */
  readonly onlyList: 'transactions' | undefined;
  /** Why, as a sentence. */
  readonly text: string;
  /** When its list was last read, also before the start; undefined if it never was. UNIX seconds. */
  readonly lastReadAtSeconds: number | undefined;
}

/** The accounts that cannot be read, wholly or in part, or not yet, and those that another replica owns. */
export function unreadAccounts(source: StatusSource): readonly UnreadAccount[] {
  const status = atOneMoment(source);
  return [
    ...status.accounts().flatMap((account) => unreadAccount(account) ?? []),
    ...otherAccounts(status).map(({ account, holder }) => ({
      account,
      isUnreadable: false,
      onlyList: undefined,
      text:
        holder === undefined
          ? 'Another replica has it; its owner is not known.'
          : `The replica ${holder} has it.`,
      lastReadAtSeconds: undefined,
    })),
  ];
}

function unreadAccount(status: AccountStatus): UnreadAccount | undefined {
  const { account, up, datasets } = status.snapshot;
  if (up) {
    const { failure } = datasets.transactions ?? {};
    return (
      failure && {
        account,
        isUnreadable: false,
        onlyList: 'transactions',
        text: `The last refresh of their list failed (${failure.reason}).`,
        lastReadAtSeconds: lastReadOf(status, 'transactions'),
      }
    );
  }
  const { word, meaning } = accountBadge(status);
  return {
    account,
    isUnreadable: true,
    onlyList: undefined,
    text: `${word}: ${meaning}`,
    lastReadAtSeconds: lastReadOf(status, 'checks'),
  };
}

/** When a list was last read, by the service's clock; undefined if it never was. UNIX seconds. */
export function lastReadOf(
  status: AccountStatus,
  list: 'checks' | 'transactions',
): number | undefined {
  const last = status.snapshot.datasets[list]?.lastSuccessAtSeconds;
  return last === undefined ? undefined : Math.floor(serviceNow(status, last));
}
