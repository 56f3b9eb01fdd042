import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { AccountStatus } from '../ports.ts';
import { kindNames } from './items.ts';

/** Returns whether no check list of the account was read yet. */
export function isUnread({ snapshot }: AccountStatus): boolean {
  return snapshot.checks === undefined;
}

/** Returns whether the check list, and with it the groups, are not shown: it is unread or stale. */
export function hidesChecks({ checks, datasets }: AccountSnapshot): boolean {
  return checks === undefined || datasets.checks.stale;
}

/** Returns whether a list of the account is not shown, because it is unread or stale. */
export function hidesItems({ snapshot }: AccountStatus): boolean {
  const { transactions = [], datasets } = snapshot;
  const hidesTransactions = transactions.length > 0 && datasets.transactions?.stale === true;
  return hidesChecks(snapshot) || hidesTransactions;
}

/** Returns whether the last attempt to read a list of the account has failed. */
export function isListFailing({ snapshot: { up, datasets } }: AccountStatus): boolean {
  return !up || datasets.transactions?.failure !== undefined;
}

/** The lists of the account whose last response had entries that cannot be read. */
export function incompleteLists({ snapshot: { datasets } }: AccountStatus): readonly string[] {
  return Object.values(kindNames)
    .map(({ list }) => list)
    .filter((list) => datasets[list]?.isIncomplete);
}
