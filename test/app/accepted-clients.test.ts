import { expect, test } from 'vitest';
import { AcceptedClients } from '../../src/app/accepted-clients.ts';
import type { Client } from '../../src/http/access/client.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { Store, StoreChanges } from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { FailingStore } from '../support/failing-store.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const prometheus: Client = { address: '192.0.2.1', agent: 'Prometheus/3.5.0' };
const browser = (n: number): Client => ({ address: '192.0.2.1', agent: `browser ${n}` });

/** Counts what is committed. */
class CountingStore extends FailingStore {
  readonly commits: StoreChanges[] = [];

  override async commit(changes: StoreChanges): Promise<void> {
    this.commits.push(changes);
    await super.commit(changes);
  }
}

async function restored(store: Store, clock: VirtualClock): Promise<AcceptedClients> {
  const clients = new AcceptedClients(store, clock);
  await clients.restore();
  return clients;
}

const settled = () => new Promise(setImmediate);

test('a client is known at once, and after a crash, by its address and name', async () => {
  const [store, clock] = [new MemoryStore(), new VirtualClock()];
  const clients = await restored(store, clock);
  expect(clients.has(prometheus)).toBe(false);

  clients.accepted(prometheus);
  expect(clients.has(prometheus)).toBe(true);
  await settled();

  const again = await restored(store, clock);
  expect(again.has({ ...prometheus })).toBe(true);
  expect(again.has({ ...prometheus, agent: 'curl/8.5.0' })).toBe(false);
  expect(again.has({ ...prometheus, address: '192.0.2.2' })).toBe(false);
  await clients.stop();
});

test('the hundred that were accepted last are kept', async () => {
  const [store, clock] = [new MemoryStore(), new VirtualClock()];
  const clients = await restored(store, clock);
  clients.accepted(prometheus);
  for (let n = 0; n < 150; n++) {
    clients.accepted(browser(n));
    clients.accepted(prometheus);
  }
  await clients.stop();

  const again = await restored(store, clock);
  const known = Array.from({ length: 150 }, (_, n) => n).filter((n) => again.has(browser(n)));
  expect(known).toEqual(Array.from({ length: 99 }, (_, n) => n + 51));
  expect(again.has(prometheus)).toBe(true);
});

test('what is stored rarely changes: new clients once a minute, scrapes of the others once an hour', async () => {
  const [store, clock] = [new CountingStore(new MemoryStore()), new VirtualClock()];
  const clients = await restored(store, clock);
  for (let n = 0; n < 50; n++) clients.accepted(browser(n));
  await clock.advance(minute);
  expect(store.commits).toHaveLength(2);

  await clock.advance(hour);
  store.commits.length = 0;
  for (let scrape = 0; scrape < 120; scrape++) {
    clients.accepted(prometheus);
    await clock.advance(minute);
  }
  expect(store.commits).toHaveLength(2);
  await clients.stop();
});

test('nothing is stored but who and when', async () => {
  const [store, clock] = [new CountingStore(new MemoryStore()), new VirtualClock()];
  const clients = await restored(store, clock);

  clients.accepted({ ...prometheus, password: 'secret' } as Client);
  await clients.stop();

  const stored = store.commits.flatMap(({ documents }) => [...(documents ?? [])]);
  const [name, value] = stored[0] ?? [];
  expect(name).toBe('accepted clients');
  expect(value).toEqual([{ ...prometheus, atSeconds: Math.floor(clock.now() / 1000) }]);
});

test('a store that fails costs nothing but the order, and a later commit has it all', async () => {
  const memory = new MemoryStore();
  const [store, clock] = [new FailingStore(memory), new VirtualClock()];
  const clients = await restored(store, clock);
  store.failWith(new StoreError('full', 'no space left'));
  clients.accepted(prometheus);
  await settled();
  expect(clients.has(prometheus)).toBe(true);
  expect((await restored(memory, clock)).has(prometheus)).toBe(false);

  store.failWith(undefined);
  await clients.stop();

  expect((await restored(memory, clock)).has(prometheus)).toBe(true);
});
