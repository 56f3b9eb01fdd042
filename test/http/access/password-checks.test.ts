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
const accepted = { kind: 'accepted' };
const busy = { kind: 'busy' };
const refused = (afterMilliseconds: number) => ({ kind: 'refused', afterMilliseconds });

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
    const checks = new PasswordChecks({ compare, concurrency: 1, clock: new VirtualClock() });

    expect((await checks.check(users, { user, password }, prometheus)).kind).toBe(verdict);
  });

  test('of an unknown user is compared too, with the hash that costs most', async () => {
    const { checks, asked } = scripted(() => true);

    const carol = { user: 'carol', password: 'x' };
    expect(await checks.check(users, carol, prometheus)).toEqual(refused(2_000));
    expect(asked).toEqual([['x', knownHash]]);
  });

  test('is compared once, right or wrong', async () => {
    const { checks, asked } = scripted((password) => password === 'right');

    for (let round = 0; round < 3; round++) {
      const right = { user: 'bob', password: 'right' };
      expect(await checks.check(users, right, prometheus)).toEqual(accepted);
      const wrong = { user: 'bob', password: 'wrong' };
      expect((await checks.check(users, wrong, prometheus)).kind).toBe('refused');
    }
    expect(asked).toHaveLength(2);
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

    expect(verdicts).toEqual([accepted, accepted]);
    expect(asked).toHaveLength(1);
  });

  test('stays accepted while others are tried in thousands', async () => {
    const { checks, asked, clock } = scripted((password) => password === 'right');
    const right = { user: 'bob', password: 'right' };
    await checks.check(users, right, prometheus);
    for (let n = 0; n < 1_000; n++) {
      await checks.check(users, { user: 'bob', password: `${n}` }, prometheus);
      await clock.advance(8_000);
    }
    asked.length = 0;

    expect(await checks.check(users, right, prometheus)).toEqual(accepted);
    expect(asked).toEqual([]);
  });
});

describe('guessers', () => {
  const guesser = (n: number) => `203.0.113.${n}`;

  test('of one address delay another address by at most one comparison, however many wait', async () => {
    const { guess, step, order } = heldChecks();
    for (let n = 0; n < 16; n++) void guess(`guess ${n}`, guesser(1));

    const right = guess('right', prometheus);
    await step();
    await step();

    expect(await right).toEqual(accepted);
    expect(order.slice(0, 2)).toEqual(['guess 0', 'right']);
  });

  test('of sixty addresses that were served do not delay an address that was not', async () => {
    const { guess, step, order } = heldChecks();
    for (let n = 0; n < 60; n++) void guess(`first of ${n}`, guesser(n));
    for (let n = 0; n < 60; n++) await step();
    order.length = 0;
    for (let n = 0; n < 60; n++) void guess(`second of ${n}`, guesser(n));

    void guess('right', prometheus);
    await step();

    expect(order).toEqual(['second of 0', 'right']);
  });

  test('get the response to a new wrong password after two seconds', async () => {
    const { checks } = scripted(() => false);

    const guess = { user: 'bob', password: 'new' };
    expect(await checks.check(users, guess, guesser(1))).toEqual(refused(2_000));
  });

  test('get the response to a known wrong password at once, as does a scraper with an old one', async () => {
    const { checks } = scripted(() => false);
    const old = { user: 'bob', password: 'old' };
    await checks.check(users, old, prometheus);

    expect(await checks.check(users, old, prometheus)).toEqual(refused(0));
  });

  test('of one address have 16 passwords unanswered, until the responses are due', async () => {
    const { checks, clock } = scripted(() => false);
    const guess = (n: number) => checks.check(users, { user: 'bob', password: `${n}` }, guesser(1));
    for (let n = 0; n < 16; n++) expect((await guess(n)).kind).toBe('refused');

    expect(await guess(16)).toEqual(busy);
    await clock.advance(2_000);
    expect((await guess(17)).kind).toBe('refused');
  });

  test('of all addresses have 1,024 passwords waiting', async () => {
    const { guess } = heldChecks();
    for (let n = 0; n < 1_025; n++) void guess(`${n}`, `address ${n}`);

    expect(await guess('one more', 'another address')).toEqual(busy);
  });
});

describe('a password that was turned away', () => {
  test.each([
    ['its own address', () => prometheus, 16],
    ['a thousand addresses', (n: number) => `address ${n}`, 1_025],
  ])(
    'by guessers of %s goes first when it returns, however many more they tried',
    async (_who, addressOf, places) => {
      const { guess, step, order } = heldChecks();
      for (let n = 0; n < places; n++) void guess(`guess ${n}`, addressOf(n));
      expect(await guess('right', prometheus)).toEqual(busy);
      for (let n = 0; n < 5_000; n++) void guess(`more ${n}`, addressOf(n));

      const right = guess('right', prometheus);
      await step();
      await step();

      expect(order).toEqual(['guess 0', 'right', expect.stringContaining('guess')]);
      expect(await right).toEqual(accepted);
    },
  );

  test('goes first only once', async () => {
    const { guess, step, order } = heldChecks();
    for (let n = 0; n < 16; n++) void guess(`guess ${n}`, prometheus);
    await guess('wrong', prometheus);
    void guess('wrong', prometheus);
    for (let n = 0; n < 17; n++) await step();

    expect(order.filter((password) => password === 'wrong')).toHaveLength(1);
    expect(await guess('another', prometheus)).toEqual(busy);
  });
});
