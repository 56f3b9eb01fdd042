import { expect, test } from 'vitest';
import {
  type Authentication,
  accountCredentials,
  bearerToken,
} from '../../src/api/http/authentication.ts';
import { reportShortSecrets } from '../../src/app/logging.ts';
import { Secret } from '../../src/lib/secret.ts';

test('each account with a short secret is named in a warning', () => {
  const warnings: object[] = [];
  const ignore = () => undefined;
  const warn = (fields: object) => warnings.push(fields);
  const account = (name: string, authentication: Authentication) => ({
    name,
    baseUrl: 'https://api.example.com',
    version: '3.1' as const,
    authentication,
  });
  const token = (value: string) => bearerToken(new Secret(value));
  const email = 'a@b.example';
  const password = new Secret('a long password');
  const accounts = [
    account('long', token('12345678')),
    account('short', token('1234567')),
    account('key', accountCredentials({ email, password, appKey: new Secret('17') })),
  ];

  reportShortSecrets({ debug: ignore, info: ignore, warn, error: ignore }, accounts);

  expect(warnings).toEqual([{ account: 'short' }, { account: 'key' }]);
});
