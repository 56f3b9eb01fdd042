import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/src/running-sandbox.ts';
import { bearerToken } from '../../src/api/http/authentication.ts';
import { Exporter } from '../../src/app/exporter.ts';
import { runningConfiguration } from '../../src/app/reload.ts';
import type { AccountSettings } from '../../src/config/account.ts';
import { defaultServing } from '../../src/config/serving.ts';
import { ServedFamilies } from '../../src/exposition/catalogue/served-families.ts';
import { LabelPolicy, type Promotion } from '../../src/exposition/labels/label-policy.ts';
import { createLog } from '../../src/lib/log.ts';
import { Scrubber, Secret } from '../../src/lib/secret.ts';
import { defaultSloPolicy } from '../../src/slo/groups.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { StoreChanges } from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { CounterWatch } from '../support/counter-watch.ts';
import { CountedClient, PendingWork } from '../support/pending-work.ts';
import { statesOnly } from '../support/states-only.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { sampleValue } from '../support/watched-sandbox.ts';

const token = 'sandbox-token-1234567890';
const hour = 3_600_000;

/** A store that fails to read each of the named accounts once. */
class StoreWithGaps extends MemoryStore {
  readonly unreadable = new Set<string>();

  override async load(account: string) {
    if (this.unreadable.delete(account)) throw new StoreError('full', 'input/output error');
    return super.load(account);
  }
}

/** A store on a disk that is full while the test requires it. */
class FullStore extends MemoryStore {
  isFull = false;

  override async commit(changes: StoreChanges) {
    if (this.isFull) throw new StoreError('full', 'no space is left on the device');
    await super.commit(changes);
  }
}

/** Virtual time that waits for the requests of the exporter. */
class CountingClock extends VirtualClock {
  readonly work: PendingWork;

  constructor() {
    const work = new PendingWork();
    super(undefined, () => work.quiet());
    this.work = work;
  }
}

/** An exporter in virtual time. Each reload takes its accounts from the list. */
async function start(
  accounts: readonly AccountSettings[],
  clock: CountingClock,
  store = new MemoryStore(),
) {
  let wanted = accounts;
  let labels = new LabelPolicy({});
  const scrubber = new Scrubber();
  const log = createLog({
    level: 'error',
    format: 'logfmt',
    clock,
    scrubber,
    destination: { write: () => {} },
  });
  const read = () => ({
    serving: {},
    labels,
    served: ServedFamilies.full,
    slo: defaultSloPolicy(),
    links: {},
    accounts: wanted,
    shown: { accounts: wanted.map(({ digest }) => digest) },
  });
  const exporter = new Exporter({
    accounts,
    served: ServedFamilies.full,
    configuration: runningConfiguration({
      read,
      first: read(),
      serving: defaultServing,
      servingOf: () => defaultServing,
      log,
      scrubber,
    }),
    store,
    listenOn: ['127.0.0.1:0'],
    build: { version: '0.0.0' },
    clock,
    batchIntervalMilliseconds: 0,
    newClient: (client) => new CountedClient(client, clock.work),
    random: () => 0.5,
    scrubber,
    log,
  });
  const url = await exporter.start();
  onTestFinished(() => exporter.stop());
  const page = async () => (await request(`${url}/metrics`)).body.text();
  return {
    page,
    shown: async () => (await request(`${url}/config`)).body.text(),
    configure: async (settings: readonly AccountSettings[], promote: readonly Promotion[] = []) => {
      wanted = settings;
      labels = new LabelPolicy({ promote });
      await exporter.reload();
    },
    pass: (milliseconds: number) => clock.advance(milliseconds),
  };
}

async function account(
  name: string,
  seed: number,
  clock: VirtualClock,
  more: Partial<AccountSettings> = {},
) {
  const sandbox = await startSandbox({
    seed,
    checks: 3,
    shortLimit: 100_000,
    longLimit: 18_000_000,
    clock,
    limitsClock: clock,
    token,
    host: '127.0.0.1',
    port: 0,
  });
  onTestFinished(() => sandbox.close());
  const settings: AccountSettings = {
    name,
    baseUrl: sandbox.url,
    version: '3.1',
    authentication: bearerToken(new Secret(token)),
    digest: `first ${name}`,
    ...more,
  };
  return { sandbox, settings };
}

const seconds = (page: string, name: string) =>
  page
    .split('\n')
    .filter((line) => line.startsWith(`uptime_check_state_seconds_total{account="${name}"`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);

/** The series of single checks, except those that change with time. */
function ofChecks(page: string): string[] {
  return page.split('\n').filter((line) => /^uptime_check_[a-z_]+\{/.test(line));
}

test('what was counted is counted on when an account is changed, and when it goes and comes back', async () => {
  const clock = new CountingClock();
  const more = { datasets: statesOnly };
  const first = await account('first', 1, clock, more);
  const second = await account('second', 2, clock, more);
  const exporter = await start([first.settings, second.settings], clock);
  const watch = new CounterWatch();
  await exporter.pass(hour / 3);
  const before = await exporter.page();
  watch.scraped(before);

  await exporter.configure([first.settings, { ...second.settings, digest: 'changed' }]);
  watch.scraped(await exporter.page());
  await exporter.configure([first.settings]);
  watch.scraped(await exporter.page());
  await exporter.pass(hour / 3);
  await exporter.configure([second.settings, first.settings]);
  await exporter.pass(hour / 3);
  const after = await exporter.page();
  watch.scraped(after);

  expect(watch.backsteps).toEqual([]);
  // Three checks. The time without an exporter is read from the service.
  for (const name of ['first', 'second']) {
    expect(seconds(before, name)).toBeGreaterThan(3 * 1000);
    expect(seconds(after, name)).toBeGreaterThan(3 * 3400);
  }
});

test('nothing is asked again because of a reload, of changed accounts neither', async () => {
  const clock = new CountingClock();
  const { sandbox, settings } = await account('shop', 1, clock);
  const exporter = await start([settings], clock);
  // Between two lists, and before hourly data are due by their age.
  await exporter.pass(hour - 570_000);
  const { total } = sandbox.journal;
  expect(total).toBeGreaterThan(15);

  await exporter.configure([settings]);
  await exporter.configure([{ ...settings, digest: 'changed' }]);
  await exporter.page();

  expect(sandbox.journal.recent.slice(total)).toEqual([]);
  expect(sandbox.journal.total).toBe(total);
});

test('the recorded series of an account are removed with it, and its counters begin again when it returns', async () => {
  const clock = new CountingClock();
  const [first, second] = [await account('first', 1, clock), await account('second', 2, clock)];
  const exporter = await start([first.settings, second.settings], clock);
  await exporter.pass(60_000);
  const requests = 'uptime_exporter_api_requests_total{account="second"';
  expect(await exporter.page()).toContain(requests);

  await exporter.configure([first.settings]);
  const left = (await exporter.page())
    .split('\n')
    .filter((line) => !/^uptime_(check|transaction)_outage_open/.test(line))
    .filter((line) => line.includes('account="second"'));
  expect(left).toEqual(['uptime_exporter_account_removed{account="second"} 1']);
  await exporter.configure([first.settings, second.settings]);

  expect(await exporter.page()).not.toContain('uptime_exporter_account_removed');
  expect(await exporter.page()).toContain(
    'uptime_exporter_dataset_errors_total{account="second",dataset="checks",reason="timeout"} 0\n',
  );
});

test('an outage continues under newly promoted labels, and ends at once under the previous ones', async () => {
  const clock = new CountingClock();
  const { sandbox, settings } = await account('shop', 1, clock);
  const { world } = sandbox;
  const [check] = world.checks;
  if (check === undefined) throw new Error('the sandbox has no checks');
  const now = Math.floor(clock.now() / 1000);
  world.plant({ checkId: check.id, status: 'down', from: now - 600, to: now + 30 * 86_400 });
  const store = new MemoryStore();
  const exporter = await start([settings], clock, store);
  await exporter.pass(60_000);
  const shown = async () =>
    (await exporter.page())
      .split('\n')
      .filter((line) => line.startsWith('uptime_check_outage_open{'))
      .filter((line) => line.includes(`check_id="${check.id}"`))
      .map((line) => [/check_type="([^"]*)"/.exec(line)?.[1], Number(line.slice(-1))]);
  expect(await shown()).toEqual([[undefined, 1]]);

  await exporter.configure([settings], [{ from: 'check_type' }]);

  // No list is read between the reload and the scrape.
  expect(await shown()).toEqual([
    ['http', 1],
    [undefined, 0],
  ]);
  await exporter.configure([settings], []);
  expect(await shown()).toEqual([
    [undefined, 1],
    ['http', 0],
  ]);
  const stored = async () => {
    await exporter.pass(10_000);
    return (await store.load('shop')).documents.get('outages of checks');
  };
  await expect.poll(stored).toMatchObject({
    former: [{ id: check.id }, { id: check.id, labels: { promoted: { check_type: 'http' } } }],
  });
});

test('an account without a digest is unlike any other', async () => {
  const clock = new CountingClock();
  const { settings } = await account('shop', 1, clock);
  const { digest: _, ...plain } = settings;
  const exporter = await start([plain], clock);
  await exporter.pass(60_000);

  await exporter.configure([plain]);

  expect(sampleValue(await exporter.page(), 'uptime_up{account="shop"}')).toBe(1);
});

test('a reload of an account that could not be stored, on a full disk, loses nothing of what was shown', async () => {
  const clock = new CountingClock();
  const { sandbox, settings } = await account('shop', 1, clock);
  const { world } = sandbox;
  const [check, renamed] = world.checks;
  if (check === undefined || renamed === undefined) throw new Error('the sandbox has no check');
  const from = clock.now() / 1000 + 1200;
  world.plant({ checkId: check.id, status: 'up', from: from - 3600, to: from });
  world.plant({ checkId: check.id, status: 'down', from });
  const store = new FullStore();
  const exporter = await start([settings], clock, store);
  await exporter.pass(600_000);

  store.isFull = true;
  world.registry.put({ ...renamed, name: 'renamed on a full disk' });
  await exporter.pass(hour - 570_000);
  // A request for the list of this minute is in flight; the list is read before the reload.
  await exporter.pass(17_000);
  const shown = ofChecks(await exporter.page());
  await exporter.configure([{ ...settings, digest: 'changed shop' }]);

  expect(shown.join('\n')).toContain('renamed on a full disk');
  expect(shown.filter((line) => /^uptime_check_outage_open\{.* 1$/.test(line))).toHaveLength(1);
  const reloaded = await exporter.page();
  expect(reloaded).toContain('uptime_exporter_config_last_reload_successful 1\n');
  expect(ofChecks(reloaded)).toEqual(shown);

  // Once there is room again, everything is stored.
  store.isFull = false;
  const stored = async () => {
    await exporter.pass(10_000);
    const { documents } = await store.load('shop');
    const names = [...documents.all('check settings').values()].flatMap((settings) =>
      settings.map(({ name }) => name),
    );
    const open = documents.get('outages of checks')?.items.filter(([, outage]) => outage.open);
    return [names.includes('renamed on a full disk'), open?.map(([id]) => id)];
  };
  await expect.poll(stored).toEqual([true, [check.id]]);
});

test('a reload that cannot read the store changes nothing, and every account is polled on', async () => {
  const clock = new CountingClock();
  const more = { datasets: statesOnly };
  const accounts = [
    await account('first', 1, clock, more),
    await account('second', 2, clock, more),
  ];
  const settings = accounts.map((each) => each.settings);
  const changed = settings.map((each) => ({ ...each, digest: `changed ${each.name}` }));
  const store = new StoreWithGaps();
  const exporter = await start(settings, clock, store);
  const watch = new CounterWatch();
  await exporter.pass(hour / 3 + 30_000);
  watch.scraped(await exporter.page());
  const askedBefore = accounts.map(({ sandbox }) => sandbox.journal.total);

  store.unreadable.add('second');
  await exporter.configure(changed);

  const refused = await exporter.page();
  watch.scraped(refused);
  expect(refused).toContain('uptime_exporter_config_last_reload_successful 0\n');
  expect(await exporter.shown()).toContain('first first');
  expect(accounts.map(({ sandbox }) => sandbox.journal.total)).toEqual(askedBefore);
  await exporter.pass(hour / 3);
  const after = await exporter.page();
  watch.scraped(after);
  for (const [index, { sandbox, settings }] of accounts.entries()) {
    expect(sandbox.journal.total).toBeGreaterThan((askedBefore[index] ?? 0) + 15);
    expect(seconds(after, settings.name)).toBeGreaterThan(2 * 3400);
  }

  await exporter.configure(changed);
  watch.scraped(await exporter.page());
  expect(await exporter.shown()).toContain('changed first');
  await exporter.pass(hour / 3);
  watch.scraped(await exporter.page());
  expect(watch.backsteps).toEqual([]);
});
