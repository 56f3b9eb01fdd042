import { compare } from 'bcryptjs';
import { describe, expect, test } from 'vitest';
import { PasswordChecks } from '../../../src/http/access/password-checks.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

/** A test vector of crypt_blowfish: the password is `U*U`. */
const knownHash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
const cheapHash = '$2b$04$gX3DT6nHqXnFf7OvucmvfOX5wNbvTQxf2LLxY9kJizKsMoaHfzDpi';
const users = new Map([
  ['alice', knownHash],
  ['bob', cheapHash],
]);

const prometheus = '192.0.2.1';

/** Compares with `answer`, and records the comparisons. */
function scripted(answer: (password: string) => boolean | Promise<boolean>) {
  const asked: [password: string, hash: string][] = [];
  const clock = new VirtualClock();
  const checks = new PasswordChecks({
    compare: async (password, hash) => {
      asked.push([password, hash]);
      return answer(password);
    },
    concurrency: 1,
    clock,
  });
  return { checks, asked, clock };
}

/** Each `step` ends one comparison; the right password is `right`. */
function heldChecks() {
  const order: string[] = [];
  const pending: (() => void)[] = [];
  const clock = new VirtualClock();
  const checks = new PasswordChecks({
    compare: (password) => {
      order.push(password);
      return new Promise((resolve) => pending.push(() => resolve(password === 'right')));
    },
    concurrency: 1,
    clock,
  });
  const guess = (password: string, address: string) =>
    checks.check(users, { user: 'bob', password }, address);
  const step = async () => {
    await new Promise(setImmediate);
    pending.shift()?.();
    await new Promise(setImmediate);
  };
  return { guess, step, order, clock };
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
    const clock = { sleep: async () => {} };
    const checks = new PasswordChecks({ compare, concurrency: 1, clock });

    expect(await checks.check(users, { user, password }, prometheus)).toBe(verdict);
  });

  test('of an unknown user is compared too, with the hash that costs most', async () => {
    const { checks, asked, clock } = scripted(() => true);

    const verdict = checks.check(users, { user: 'carol', password: 'x' }, prometheus);
    await clock.advance(2_000);
    expect(await verdict).toBe('refused');
    expect(asked).toEqual([['x', knownHash]]);
  });

  test('that is right is compared once', async () => {
    const { checks, asked } = scripted(() => true);

    for (let round = 0; round < 3; round++) {
      const right = { user: 'bob', password: 'right' };
      expect(await checks.check(users, right, prometheus)).toBe('accepted');
    }
    expect(asked).toHaveLength(1);
  });

  test('is compared again when the hash has changed', async () => {
    const { checks, asked } = scripted(() => true);
    const credentials = { user: 'bob', password: 'x' };
    await checks.check(users, credentials, prometheus);

    await checks.check(new Map([['bob', knownHash]]), credentials, prometheus);

    expect(asked).toHaveLength(2);
  });

  test('that comes twice at once is compared once', async () => {
    const { checks, asked } = scripted(() => true);
    const credentials = { user: 'bob', password: 'x' };

    const verdicts = await Promise.all([
      checks.check(users, credentials, prometheus),
      checks.check(users, credentials, prometheus),
    ]);

    expect(verdicts).toEqual(['accepted', 'accepted']);
    expect(asked).toHaveLength(1);
  });

  test('stays accepted while others are tried in thousands', async () => {
    const { checks, asked, clock } = scripted((password) => password === 'right');
    const right = { user: 'bob', password: 'right' };
    await checks.check(users, right, prometheus);
    for (let n = 0; n < 1_000; n++) {
      const wrong = checks.check(users, { user: 'bob', password: `${n}` }, prometheus);
      await clock.advance(2_000);
      await wrong;
    }
    asked.length = 0;

    expect(await checks.check(users, right, prometheus)).toBe('accepted');
    expect(asked).toEqual([]);
  });
});

describe('guessers', () => {
  const guesser = (n: number) => `203.0.113.${n}`;

  test('of one address delay another address by 16 comparisons, however many they try', async () => {
    const { guess, step, order } = heldChecks();
    for (let n = 0; n < 5_000; n++) void guess(`guess ${n}`, guesser(1));

    const right = guess('right', prometheus);
    for (let n = 0; n < 17; n++) await step();

    expect(await right).toBe('accepted');
    expect(order.indexOf('right')).toBe(16);
  });

  test('get the response to a wrong password after two seconds, also to one that is known', async () => {
    const { checks, clock } = scripted(() => false);
    const guess = { user: 'bob', password: 'wrong' };
    for (let times = 0; times < 2; times++) {
      const answers: string[] = [];
      void checks.check(users, guess, guesser(1)).then((verdict) => answers.push(verdict));
      await clock.advance(1_999);
      expect(answers).toEqual([]);
      await clock.advance(1);
      expect(answers).toEqual(['refused']);
    }
  });

  test('of one address have 16 passwords unanswered, until the responses are due', async () => {
    const { checks, clock } = scripted(() => false);
    const guess = (n: number) => checks.check(users, { user: 'bob', password: `${n}` }, guesser(1));
    const first = Array.from({ length: 16 }, (_, n) => guess(n));

    expect(await guess(16)).toBe('busy');
    await clock.advance(2_000);
    expect(new Set(await Promise.all(first))).toEqual(new Set(['refused']));
    const next = guess(17);
    await clock.advance(2_000);
    expect(await next).toBe('refused');
  });

  test('of all addresses have 1,024 passwords waiting', async () => {
    const { guess } = heldChecks();
    for (let n = 0; n < 1_025; n++) void guess(`${n}`, `address ${n}`);

    expect(await guess('one more', 'another address')).toBe('busy');
  });
});
