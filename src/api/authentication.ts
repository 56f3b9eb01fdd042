import type { Secret } from '../lib/secret.ts';

/** What every request carries to prove who asks; sent preemptively (API 3.1, section 5). */
export interface Authentication {
  /** Header names, in lower case, with their values. */
  headers(): Readonly<Record<string, string>>;
}

/** The primary scheme of version 3.1 (API 3.1, section 5). */
export function bearerToken(token: Secret): Authentication {
  return { headers: () => ({ authorization: `Bearer ${token.reveal()}` }) };
}
