import { isDeepStrictEqual } from 'node:util';
import type { AccountSettings } from './account.ts';

/**
 * The names of accounts with equal address and credentials, for each such group of two or more. The
 * service knows them as one account, with one request budget.
 */
export function accountsWithEqualCredentials(
  accounts: readonly AccountSettings[],
): readonly (readonly string[])[] {
  const groups: AccountSettings[][] = [];
  for (const account of accounts) {
    const group = groups.find(
      ([first]) => first !== undefined && haveEqualCredentials(first, account),
    );
    if (group === undefined) groups.push([account]);
    else group.push(account);
  }
  return groups.filter(({ length }) => length > 1).map((group) => group.map(({ name }) => name));
}

/** Whether two accounts have equal address and credentials. */
export function haveEqualCredentials(a: AccountSettings, b: AccountSettings): boolean {
  const isSameAddress = a.baseUrl.replace(/\/+$/, '') === b.baseUrl.replace(/\/+$/, '');
  return isSameAddress && isDeepStrictEqual(a.authentication.headers(), b.authentication.headers());
}
