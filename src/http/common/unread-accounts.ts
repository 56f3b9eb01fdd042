import type { AccountStatus, StatusSource } from '../ports.ts';
import { accountBadge, accountCondition } from './account-badge.ts';
import { serviceNow } from './items.ts';
import { atOneMoment } from './one-moment.ts';
import { otherAccounts } from './query.ts';

/** An account whose items may be missing wherever items are counted. */
export interface UnreadAccount {
  readonly account: string;
  /**
   * - `account`: it cannot be read, or not yet.
   * - `transactions`: only their list cannot be read.
   * - `elsewhere`: another replica has it.
   */
  readonly missing: 'account' | 'transactions' | 'elsewhere';
  /** Nothing has failed: its first check list since the start of the exporter is on its way. */
  readonly isStarting: boolean;
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
      missing: 'elsewhere' as const,
      isStarting: false,
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
        missing: 'transactions',
        isStarting: false,
        text: `The last refresh of their list failed (${failure.reason}).`,
        lastReadAtSeconds: lastReadOf(status, 'transactions'),
      }
    );
  }
  const { word, meaning, cause = meaning } = accountBadge(status);
  return {
    account,
    missing: 'account',
    isStarting: accountCondition(status) === 'starting',
    text: `${word}: ${cause}`,
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
