import type { AccountStatus } from '../ports.ts';
import { kindNames } from './items.ts';

/** Returns whether no check list of the account was read yet. */
export function isUnread({ snapshot }: AccountStatus): boolean {
  return snapshot.checks === undefined;
}

/** Returns whether a list of the account is not shown, because it is unread or stale. */
export function hidesItems({ snapshot }: AccountStatus): boolean {
  const { checks, transactions = [], datasets } = snapshot;
  if (checks === undefined || datasets.checks.stale) return true;
  return transactions.length > 0 && datasets.transactions?.stale === true;
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
