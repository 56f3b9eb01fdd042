import { compare } from 'bcryptjs';
import { describe, expect, test } from 'vitest';
import { AcceptedClients } from '../../../src/app/accepted-clients.ts';
import type { Client, KnownClients } from '../../../src/http/access/client.ts';
import { PasswordChecks } from '../../../src/http/access/password-checks.ts';
import { MemoryStore } from '../../../src/store/memory-store.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

/** A test vector of crypt_blowfish: the password is `U*U`. */
const knownHash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
const cheapHash = '$2b$04$gX3DT6nHqXnFf7OvucmvfOX5wNbvTQxf2LLxY9kJizKsMoaHfzDpi';
const users = new Map([
  ['alice', knownHash],
  ['bob', cheapHash],
]);

const prometheus = { address: '192.0.2.1', agent: 'Prometheus/3.5.0' };
const accepted = { kind: 'accepted' };
const busy = { kind: 'busy' };
const refused = (afterMilliseconds: number) => ({ kind: 'refused', afterMilliseconds });

/** Compares as told, and keeps what it was asked. */
function scripted(answer: (password: string) => boolean | Promise<boolean>, known?: KnownClients) {
  const asked: [password: string, hash: string][] = [];
  const clock = new VirtualClock();
  const checks = new PasswordChecks({
    compare: async (password, hash) => {
      asked.push([password, hash]);
      return answer(password);
    },
    concurrency: 1,
    clock,
    ...(known !== undefined && { known }),
  });
  return { checks, asked, clock };
}

/** Compares one password at a time when told to; the right one is `right`. */
function heldChecks(known?: KnownClients) {
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
    ...(known !== undefined && { known }),
  });
  const guess = (password: string, client: Client) =>
    checks.check(users, { user: 'bob', password }, client);
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
    expect(await checks.check(users, carol, prometheus)).toEqual(refused(1_000));
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

  test('is compared anew when the hash has changed', async () => {
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
  const guesser = (n: number): Client => ({ address: `203.0.113.${n}`, agent: 'guesser' });

  test('of one address hold up another address by two checks at most, however many wait', async () => {
    const { guess, step, order } = heldChecks();
    for (let n = 0; n < 60; n++) void guess(`guess ${n}`, guesser(1));

    const right = guess('right', prometheus);
    await step();
    await step();

    expect(await right).toEqual(accepted);
    expect(order.slice(0, 2)).toEqual(['guess 0', 'right']);
  });

  test('of the address of the scraper hold it up by two checks too, unless they call themselves the same', async () => {
    const { guess, step, order } = heldChecks();
    for (let n = 0; n < 60; n++) void guess(`guess ${n}`, { ...prometheus, agent: 'guesser' });

    void guess('right', prometheus);
    await step();

    expect(order).toEqual(['guess 0', 'right']);
  });

  test('that have failed come after those who have not', async () => {
    const { guess, step, order, clock } = heldChecks();
    for (let n = 0; n < 60; n++) void guess(`first of ${n}`, guesser(n));
    for (let n = 0; n < 60; n++) await step();
    await clock.advance(1_000);
    order.length = 0;
    for (let n = 0; n < 60; n++) void guess(`second of ${n}`, guesser(n));

    void guess('right', prometheus);
    await step();

    expect(order).toEqual(['second of 0', 'right']);
  });

  test('are answered later with each wrong password, and forgiven after ten quiet minutes', async () => {
    const { checks, clock } = scripted(() => false);
    let tries = 0;
    const guess = () => checks.check(users, { user: 'bob', password: `${tries++}` }, guesser(1));

    for (const seconds of [1, 2, 4, 8, 8]) expect(await guess()).toEqual(refused(seconds * 1_000));
    await clock.advance(10 * 60_000 + 1);
    expect(await guess()).toEqual(refused(1_000));
  });

  test('get the answer to a password that was wrong before at once, as does a scraper that has an old one', async () => {
    const { checks } = scripted(() => false);
    const old = { user: 'bob', password: 'old' };
    await checks.check(users, old, prometheus);

    expect(await checks.check(users, old, prometheus)).toEqual(refused(0));
  });

  test('that do not wait for answers have 64 passwords checked at a time, and other addresses go on', async () => {
    const { checks, asked, clock } = scripted((password) => password === 'right');
    const guess = (n: number) =>
      checks.check(users, { user: 'bob', password: `guess ${n}` }, guesser(1));

    const verdicts = [];
    for (let n = 0; n < 80; n++) verdicts.push(await guess(n));

    expect(verdicts.slice(64)).toEqual(Array.from({ length: 16 }, () => busy));
    expect(asked).toHaveLength(64);
    const right = { user: 'bob', password: 'right' };
    expect(await checks.check(users, right, prometheus)).toEqual(accepted);
    await clock.advance(8_000);
    expect((await guess(80)).kind).toBe('refused');
  });

  test('of a thousand addresses fill the queue, which is bounded', async () => {
    const { guess, order } = heldChecks();
    for (let n = 0; n < 1_025; n++) void guess(`${n}`, { address: `${n}`, agent: '' });

    expect(await guess('one more', prometheus)).toEqual(busy);
    expect(order).toEqual(['0']);
  });
});

describe('a client that was accepted before a restart', () => {
  const guesser = (n: number): Client => ({ address: `203.0.113.${n}`, agent: 'guesser' });
  const namesake = prometheus;
  const behindNat: Client = { ...prometheus, agent: 'guesser' };

  /** The checks of a process that was started after others were accepted. */
  async function restarted(...accepted: readonly Client[]) {
    const [store, clock] = [new MemoryStore(), new VirtualClock()];
    const before = new AcceptedClients(store, clock);
    const { checks } = scripted(() => true, before);
    for (const client of accepted) {
      await checks.check(users, { user: 'bob', password: 'right' }, client);
    }
    await before.stop();
    const after = new AcceptedClients(store, clock);
    await after.restore();
    return heldChecks(after);
  }

  test('is checked before all guessers that wait, whatever their address', async () => {
    const { guess, step, order } = await restarted(prometheus);
    for (let n = 0; n < 60; n++) void guess(`guess ${n}`, guesser(n));
    for (let n = 0; n < 60; n++) void guess(`neighbour ${n}`, behindNat);

    const right = guess('right', prometheus);
    await step();
    await step();

    expect(await right).toEqual(accepted);
    expect(order.slice(0, 2)).toEqual(['guess 0', 'right']);
  });

  test('is not turned away when guessers fill the places of its address and the whole queue', async () => {
    const { guess, step, order } = await restarted(prometheus);
    for (let n = 0; n < 64; n++) void guess(`neighbour ${n}`, behindNat);
    for (let n = 0; n < 1_000; n++) void guess(`${n}`, { address: `${n}`, agent: '' });
    expect(await guess('one more', behindNat)).toEqual(busy);

    void guess('right', prometheus);
    await step();

    expect(order).toEqual(['neighbour 0', 'right']);
  });

  test('is checked in its own turn when an unknown one waits with the same password', async () => {
    const { guess, step, order } = await restarted(prometheus);
    for (let n = 0; n < 60; n++) void guess(`guess ${n}`, guesser(n));
    void guess('right', guesser(61));

    void guess('right', prometheus);
    await step();

    expect(order).toEqual(['guess 0', 'right']);
  });

  test('waits for none whose name was taken by a guesser at another address', async () => {
    const other = { address: '192.0.2.2', agent: 'Prometheus/3.5.0' };
    const { guess, step, order } = await restarted(prometheus, other);
    for (let n = 0; n < 60; n++) void guess(`guess ${n}`, other);
    await step();
    order.length = 0;

    void guess('right', prometheus);
    await step();

    expect(order).toEqual(['right']);
  });

  test('takes turns with unknown ones once a guesser at its address took its name, and neither is kept out', async () => {
    const { guess, step, order } = await restarted(prometheus);
    for (let n = 0; n < 4; n++) void guess(`namesake ${n}`, namesake);
    for (let n = 0; n < 60; n++) void guess(`guess ${n}`, guesser(n));
    void guess('right', prometheus);

    for (let n = 0; n < 7; n++) await step();

    expect(order).toEqual([
      // Two start before the first is known to be wrong.
      ...['namesake 0', 'namesake 1', 'namesake 2', 'guess 0', 'namesake 3', 'guess 1'],
      'right',
      'guess 2',
    ]);
  });
});
