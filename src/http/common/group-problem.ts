import type { AccountStatus, SharedAccountView } from '../ports.ts';
import { unknownText } from './query.ts';
import { QueryError } from './query-errors.ts';

/** Throws a `QueryError` for a group that no account has, if the groups of all are known. */
export function requireGroups(
  names: readonly string[],
  accounts: readonly AccountStatus[],
  elsewhere: readonly SharedAccountView[],
): void {
  for (const name of names) {
    const problem = groupProblem(name, accounts, elsewhere);
    if (problem !== undefined) throw new QueryError(problem);
  }
}

/** Why there is no group of this name; undefined if there is one, or may be one. */
export function groupProblem(
  name: string,
  accounts: readonly AccountStatus[],
  elsewhere: readonly unknown[],
): string | undefined {
  const snapshots = accounts.map(({ snapshot }) => snapshot);
  if (elsewhere.length > 0 || snapshots.some(({ checks }) => checks === undefined))
    return undefined;
  if (isLeftOut(name, accounts)) return leftOutText(name);
  const existing = new Set(snapshots.flatMap(({ groups = [] }) => groups.map((one) => one.name)));
  return existing.has(name) ? undefined : unknownText('group', name, [...existing]);
}

/** Whether the group is one of more than the configuration allows. */
export function isLeftOut(name: string, accounts: readonly AccountStatus[]): boolean {
  return accounts.some(({ snapshot }) => snapshot.groupsLeftOut?.includes(name));
}

export function leftOutText(name: string): string {
  return `the group ${JSON.stringify(name)} is left out: there are more groups than max_groups of the configuration`;
}
