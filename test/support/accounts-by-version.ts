import { accountCredentials } from '../../src/api/http/authentication.ts';
import type { AccountSettings } from '../../src/config/account.ts';
import type { ApiVersion } from '../../src/domain/version.ts';
import { Secret } from '../../src/lib/secret.ts';

/** The credentials of the simulated service in the versions 2.1 and 2.0. */
export const legacyCredentials = accountCredentials({
  email: 'demo@example.com',
  password: new Secret('demo'),
  appKey: new Secret('demo-app-key'),
});

/** The account of the simulated service in each version. */
export const accountsByVersion: { readonly [V in ApiVersion]: Partial<AccountSettings> } = {
  '3.1': { version: '3.1' },
  '2.1': { version: '2.1', authentication: legacyCredentials },
  '2.0': { version: '2.0', authentication: legacyCredentials },
};
