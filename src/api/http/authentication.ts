import { present } from '../../lib/present.ts';
import { Secret } from '../../lib/secret.ts';

/** The credentials of every request; sent preemptively (API 3.1, section 5). */
export interface Authentication {
  /** Header names, in lower case, with their values. */
  headers(): Readonly<Record<string, string>>;
  /** All texts that must never be shown, for the `Scrubber`. */
  readonly secrets: readonly Secret[];
}

/** The primary scheme of version 3.1 (API 3.1, section 5). */
export function bearerToken(token: Secret): Authentication {
  return {
    headers: () => ({ authorization: `Bearer ${token.reveal()}` }),
    secrets: [token],
  };
}

interface AccountCredentials {
  /** E-mail address of the user. */
  readonly email: string;
  readonly password: Secret;
  /** Key of the application, shared by all its users. */
  readonly appKey: Secret;
  /** E-mail address of the account to act on, for a user of several accounts. */
  readonly accountEmail?: string;
}

/** The scheme of versions 2.x (API 2.x, section 5): basic credentials and an application key. */
export function accountCredentials(credentials: AccountCredentials): Authentication {
  const { email, password, appKey, accountEmail } = credentials;
  // In base64 the pair differs from its parts, so it is a separate secret.
  const pair = new Secret(`${email}:${password.reveal()}`);
  return {
    headers: () => ({
      authorization: `Basic ${Buffer.from(pair.reveal()).toString('base64')}`,
      'app-key': appKey.reveal(),
      ...present({ 'account-email': accountEmail }),
    }),
    secrets: [password, appKey, pair],
  };
}
