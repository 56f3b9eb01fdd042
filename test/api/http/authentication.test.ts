import { describe, expect, test } from 'vitest';
import { accountCredentials, bearerToken } from '../../../src/api/http/authentication.ts';
import { Scrubber, Secret } from '../../../src/lib/secret.ts';

describe('a bearer token', () => {
  const authentication = bearerToken(new Secret('tok-1'));

  test('is sent as API 3.1, section 5 says', () => {
    expect(authentication.headers()).toEqual({ authorization: 'Bearer tok-1' });
  });

  test('is the one secret', () => {
    expect(authentication.secrets.map((secret) => secret.reveal())).toEqual(['tok-1']);
  });
});

describe('account credentials', () => {
  const credentials = {
    email: 'me@example.com',
    password: new Secret('pässword'),
    appKey: new Secret('zoent8w9cbt810rsdkweir23vcxb87zrt5541'),
  };

  // The base64 text was computed with base64 of GNU coreutils.
  test('are sent with the application key as API 2.x, section 5 says', () => {
    expect(accountCredentials(credentials).headers()).toEqual({
      authorization: 'Basic bWVAZXhhbXBsZS5jb206cMOkc3N3b3Jk',
      'app-key': 'zoent8w9cbt810rsdkweir23vcxb87zrt5541',
    });
  });

  test('name the account to act on when there is one', () => {
    const authentication = accountCredentials({ ...credentials, accountEmail: 'acme@example.com' });

    expect(authentication.headers()).toMatchObject({ 'account-email': 'acme@example.com' });
  });

  test.each([
    ['the password', 'pässword'],
    ['the application key', 'zoent8w9cbt810rsdkweir23vcxb87zrt5541'],
    ['the header', 'Basic bWVAZXhhbXBsZS5jb206cMOkc3N3b3Jk'],
    ['the pair', 'me@example.com:pässword'],
  ])('let a scrubber remove %s', (_what, echoed) => {
    const scrubber = new Scrubber(accountCredentials(credentials).secrets);

    expect(scrubber.scrub(`bad ${echoed}`)).toMatch(/^bad (Basic )?<secret>$/);
  });
});
