import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../sandbox/src/sandbox.ts';
import type { Exporter } from '../../src/app/exporter.ts';
import { CrashingStore } from '../support/crashing-store.ts';
import { MemoryDispatcher } from '../support/memory-http.ts';
import { CountedClient, PendingWork } from '../support/pending-work.ts';
import {
  createSandboxExporter,
  sandboxAccount,
  sandboxOptions,
} from '../support/sandbox-exporter.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { SharedMemory } from './support/shared-memory.ts';

const minute = 60_000;
const scrapeMilliseconds = 15_000;

const before = { names: ['kept', 'leaves'], changedAtSeconds: 1_000 };
const after = { names: ['kept', 'comes'], changedAtSeconds: 2_000 };
type Configured = typeof before;

/** Three accounts, each with a check that is down from the beginning, and replicas that share them. */
function world() {
  const work = new PendingWork();
  const clock = new VirtualClock(undefined, () => work.quiet());
  const shared = new SharedMemory();
  const services = new Map<string, MemoryDispatcher>();
  for (const [place, name] of ['kept', 'leaves', 'comes'].entries()) {
    const sandbox = createSandbox({
      ...sandboxOptions({ checks: 2, transactions: 0, seed: place + 1 }),
      clock,
      limitsClock: work.handingOver(clock),
    });
    const now = clock.now() / 1000;
    const [first, second] = sandbox.world.checks.map(({ id }) => id);
    const always = { from: now - 3_600, to: now + 90 * 86_400 };
    sandbox.world.plant({ checkId: second ?? 0, status: 'up', ...always });
    sandbox.world.plant({ checkId: first ?? 0, status: 'down', ...always, from: now - 300 });
    sandbox.world.plant({ checkId: first ?? 0, status: 'up', ...always, to: now - 300 });
    services.set(urlOf(name), new MemoryDispatcher(sandbox.app));
  }
  const running = new Map<string, { exporter: Exporter; app: MemoryDispatcher; crash(): void }>();
  const log: string[] = [];

  const start = async (replica: string, { names, changedAtSeconds }: Configured) => {
    const connection = shared.connect(replica, clock);
    const goOn = async () => 'go on' as const;
    const store = new CrashingStore(connection.store, { before: goOn, after: goOn });
    const exporter = createSandboxExporter({
      accounts: names.map((name) => sandboxAccount({ url: urlOf(name) }, { name })),
      changedAtSeconds,
      store,
      clock,
      sharing: connection.sharing,
      batchIntervalMilliseconds: 1_000,
      write: (line) => log.push(`${replica} ${line}`),
      newClient: (client) => {
        const dispatcher = services.get(client.baseUrl);
        if (dispatcher === undefined) throw new Error(`there is no ${client.baseUrl}`);
        return new CountedClient({ ...client, dispatcher }, work);
      },
      listen: async (app) => {
        const crash = () => {
          store.crash();
          connection.cut();
        };
        running.set(replica, { exporter, app: new MemoryDispatcher(app), crash });
        return [];
      },
    });
    await exporter.start();
  };
  const stop = async (replica: string) => {
    const one = running.get(replica);
    running.delete(replica);
    await one?.exporter.stop();
  };
  onTestFinished(async () => {
    for (const replica of [...running.keys()]) await stop(replica);
  });

  /** What the union of all scrapes had: `ACCOUNT VALUE` of each outage, in the order of time. */
  const seen: string[] = [];
  let told = 0;
  const scrape = async () => {
    for (const { app } of running.values()) {
      const { body } = await request('http://replica/metrics', { dispatcher: app });
      const page = await body.text();
      for (const [, account, value] of page.matchAll(
        /^uptime_check_outage_open\{account="(\w+)".*\} (\d)$/gm,
      )) {
        seen.push(`${account} ${value}`);
      }
    }
  };
  return {
    start,
    stop,
    crash: async (replica: string) => {
      running.get(replica)?.crash();
      await stop(replica);
    },
    /** Lets time pass, with a scrape of every replica each 15 s. */
    pass: async (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += scrapeMilliseconds) {
        await clock.advance(scrapeMilliseconds);
        await scrape();
      }
    },
    /** What was seen of an account since this was called last, without repetitions. */
    seenOf: () => {
      const values = seen.slice(told);
      told = seen.length;
      return [...new Set(values)].sort();
    },
    seen,
    /** When an account was removed, as it is stored. */
    goneAt: async (account: string) => {
      const { documents } = await shared.reader().load(account);
      return documents.get('account')?.goneAtSeconds;
    },
    log,
  };
}

function urlOf(name: string): string {
  return `https://${name}.example.com`;
}

test('a rolling change of the configuration closes the outages of the account that leaves, once, and no others', async () => {
  const { start, stop, crash, pass, seenOf, seen, goneAt, log } = world();
  for (const replica of ['a', 'b', 'c']) await start(replica, before);
  await pass(3 * minute);
  expect(seenOf()).toEqual(['kept 1', 'leaves 1']);

  await stop('a');
  await start('a', after);
  await pass(2 * minute);
  expect(seenOf()).toEqual(['comes 1', 'kept 1', 'leaves 1']);

  // The only replica that knows the new account fails, and the others find its lease free.
  await crash('a');
  await pass(3 * minute);
  expect(seenOf()).toEqual(['kept 1', 'leaves 1']);
  await start('a', after);
  await pass(2 * minute);
  expect(seenOf()).toEqual(['comes 1', 'kept 1', 'leaves 1']);

  await stop('b');
  await start('b', after);
  await pass(2 * minute);
  seenOf();
  await stop('c');
  await start('c', after);
  await pass(2 * minute);
  expect(seenOf()).toEqual(['comes 1', 'kept 1', 'leaves 0']);
  expect(seen.lastIndexOf('leaves 1')).toBeLessThan(seen.indexOf('leaves 0'));
  expect(log.filter((line) => line.includes('account kept'))).not.toEqual([]);

  const removedAt = await goneAt('leaves');
  for (const replica of ['a', 'b', 'c']) {
    await stop(replica);
    await start(replica, after);
  }
  await pass(2 * minute);
  expect(await goneAt('leaves')).toBe(removedAt);
  expect(await goneAt('comes')).toBeUndefined();
});
