import { compare } from 'bcryptjs';
import { describe, expect, test } from 'vitest';
import { PasswordChecks } from '../../../src/http/access/password-checks.ts';

/** A test vector of crypt_blowfish: the password is `U*U`. */
const knownHash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
const cheapHash = '$2b$04$gX3DT6nHqXnFf7OvucmvfOX5wNbvTQxf2LLxY9kJizKsMoaHfzDpi';
const users = new Map([
  ['alice', knownHash],
  ['bob', cheapHash],
]);

/** Compares as told, and keeps what it was asked. */
function scripted(answer: (password: string) => boolean | Promise<boolean>) {
  const asked: [password: string, hash: string][] = [];
  const checks = new PasswordChecks(async (password, hash) => {
    asked.push([password, hash]);
    return answer(password);
  });
  return { checks, asked };
}

describe('a password', () => {
  test.each([
    ['alice', 'U*U', 'accepted'],
    ['alice', 'U*V', 'refused'],
    ['alice', '', 'refused'],
    ['bob', 'U*U', 'refused'],
    ['carol', 'U*U', 'refused'],
    ['', 'U*U', 'refused'],
  ])('of %j that is %j is %s', async (user, password, verdict) => {
    expect(await new PasswordChecks(compare).check(users, { user, password })).toBe(verdict);
  });

  test('of an unknown user is compared too, with the hash that costs most', async () => {
    const { checks, asked } = scripted(() => true);

    expect(await checks.check(users, { user: 'carol', password: 'x' })).toBe('refused');
    expect(asked).toEqual([['x', knownHash]]);
  });

  test('is compared once, right or wrong', async () => {
    const { checks, asked } = scripted((password) => password === 'right');

    for (let round = 0; round < 3; round++) {
      expect(await checks.check(users, { user: 'bob', password: 'right' })).toBe('accepted');
      expect(await checks.check(users, { user: 'bob', password: 'wrong' })).toBe('refused');
    }
    expect(asked).toHaveLength(2);
  });

  test('is compared anew when the hash has changed', async () => {
    const { checks, asked } = scripted(() => true);
    await checks.check(users, { user: 'bob', password: 'x' });

    await checks.check(new Map([['bob', knownHash]]), { user: 'bob', password: 'x' });

    expect(asked).toHaveLength(2);
  });

  test('that comes twice at once is compared once', async () => {
    const { checks, asked } = scripted(() => true);
    const credentials = { user: 'bob', password: 'x' };

    const verdicts = await Promise.all([
      checks.check(users, credentials),
      checks.check(users, credentials),
    ]);

    expect(verdicts).toEqual(['accepted', 'accepted']);
    expect(asked).toHaveLength(1);
  });

  test('stays accepted while others are tried in thousands', async () => {
    const { checks, asked } = scripted((password) => password === 'right');
    const right = { user: 'bob', password: 'right' };
    await checks.check(users, right);
    for (let n = 0; n < 1_000; n++) await checks.check(users, { user: 'bob', password: `${n}` });
    asked.length = 0;

    expect(await checks.check(users, right)).toBe('accepted');
    expect(asked).toEqual([]);
  });

  test('is turned away when too many wait', async () => {
    let release: (value: boolean) => void = () => undefined;
    const held = new Promise<boolean>((resolve) => {
      release = resolve;
    });
    const { checks } = scripted(() => held);
    const waiting = Array.from({ length: 17 }, (_, n) =>
      checks.check(users, { user: 'bob', password: `${n}` }),
    );

    expect(await checks.check(users, { user: 'bob', password: 'one more' })).toBe('busy');
    release(true);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['accepted']));
  });
});
