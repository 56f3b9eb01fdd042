import { createHash } from 'node:crypto';
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

type Credentials = Pick<AccountSettings, 'baseUrl' | 'authentication'>;

/** Whether two accounts have equal address and credentials. */
export function haveEqualCredentials(a: Credentials, b: Credentials): boolean {
  return isDeepStrictEqual(sentTo(a), sentTo(b));
}

/**
 * A mark by which other credentials are noticed after a restart. It is stored, so it has 16 bits of a
 * digest: too few to find the credentials by it.
 */
export function credentialsMark(credentials: Credentials): string {
  return createHash('sha256')
    .update(JSON.stringify(sentTo(credentials)))
    .digest('hex')
    .slice(0, 4);
}

function sentTo({ baseUrl, authentication }: Credentials) {
  return [baseUrl.replace(/\/+$/, ''), authentication.headers()];
}
