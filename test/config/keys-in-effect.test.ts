import { expect, onTestFinished, test } from 'vitest';
import { type Configuration, configurationSchema } from '../../src/config/configuration.ts';
import { ConfigurationError } from '../../src/config/problems.ts';
import { World } from '../life/world.ts';
import { countersOnly, statesOnly } from '../support/states-only.ts';
import { configurationWith } from './configured-keys.ts';
import { effects } from './effects.ts';

/** The sections that a running exporter reads again when it reloads, and the paths on which they are seen at once. */
const seenOn: Readonly<Record<string, readonly string[]>> = {
  labels: ['/metrics'],
  metrics: ['/metrics'],
  objectives: ['/report.json'],
  groups: ['/groups'],
  links: ['/accounts/shop/checks/3', '/accounts/shop/transactions/5'],
  pages: ['/status/status', '/status/news'],
  compat: ['/metrics?compat=kokuwaio&account=shop'],
};
/** The other sections, and why they are not seen at once after a reload. */
const notSeen: Readonly<Record<string, string>> = {
  web: 'needs a restart',
  storage: 'needs a restart',
  log: 'needs a restart',
  flapping: 'its limits are applied to the next list',
  report: 'a time zone is applied to the next month (report-time-zone.test.ts)',
  accounts: 'they are compared one by one, and started again',
};
const rows = effects.flatMap(({ key, value, beside }) => {
  const [section = ''] = key.split('.');
  const paths = seenOn[section];
  return paths === undefined ? [] : [{ key, value, beside, paths }];
});

const [minute, day] = [60, 86_400];

/** An account with a check that has failed twice, one with tags, and a transaction. */
async function openWorld() {
  let configuration = configurationWith({});
  const world = World.inMemory({
    checks: 1,
    transactions: 1,
    datasets: statesOnly,
    startMilliseconds: Date.UTC(2026, 9, 31, 20),
    configured: () => {
      const { accounts: _, ...others } = configuration;
      return others;
    },
  });
  onTestFinished(() => world.stop());
  const { registry, transactions } = world.sandbox.world;
  const [[check], [transaction]] = [registry.all, transactions.all];
  if (check === undefined || transaction === undefined) throw new Error('the account is empty');
  transactions.put({ ...transaction, id: 5 });
  const [from, to] = [world.now - 40 * day, world.now + 40 * day];
  const plant = (checkId: number, status: 'up' | 'down', from: number, to: number) =>
    world.sandbox.world.plant({ checkId, status, from, to });
  const named = [
    { id: 1, name: 'blog', tags: [] },
    { id: 2, name: 'shop-1', tags: [] },
    { id: 3, name: 'lab', tags: ['critical', 'team:a', 'region:eu', 'k=v'] },
  ];
  for (const { id, name, tags } of named) {
    const run = { from, resolutionSeconds: minute, phaseSeconds: 7 * id };
    const given = tags.map((tag) => ({ name: tag, type: 'u' }) as const);
    const others = { created: from, resolutionMinutes: 1, runs: [run] };
    registry.put({ ...check, ...others, id, name, tags: given });
    plant(id, 'up', from, to);
  }
  for (const at of [5, 15]) {
    plant(2, 'down', world.now + at * minute, world.now + (at + 4) * minute);
  }
  return {
    world,
    configure: (next: Configuration) => {
      configuration = next;
    },
    /** Without the exporter's metrics of itself, which count starts and reloads. */
    seen: async (paths: readonly string[]) => {
      const texts: string[] = [];
      for (const path of paths) texts.push(await world.get(path));
      return texts.join('\n').replace(/^(?:# \w+ )?(?:uptime_exporter|process|nodejs)_.*\n/gm, '');
    },
  };
}

/** Undefined if such a configuration is refused, which effects.test.ts compares. */
function configurationOf(keys: Readonly<Record<string, unknown>>): Configuration | undefined {
  try {
    return configurationWith(keys);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return undefined;
  }
}

test('of each section it is known whether a reload shows it at once', () => {
  const sections = Object.keys(configurationSchema.shape);
  expect([...Object.keys(seenOn), ...Object.keys(notSeen)].sort()).toEqual(sections.sort());
});

test('each key changes what is shown, after a reload as after a start', async () => {
  const { world, configure, seen } = await openWorld();
  await world.start();
  await world.pass(25 * minute);
  const ignored: string[] = [];
  const notReloaded: string[] = [];
  const refused: string[] = [];
  for (const { key, value, beside, paths } of rows) {
    const changed = configurationOf({ ...beside, [key]: value });
    if (changed === undefined) {
      refused.push(key);
      continue;
    }
    configure(configurationOf(beside) ?? configurationWith({}));
    await world.reload({});
    const before = await seen(paths);
    configure(changed);
    await world.reload({});
    const reloaded = await seen(paths);
    await world.stop();
    await world.start();
    const started = await seen(paths);
    if (started === before) ignored.push(key);
    if (started !== reloaded) notReloaded.push(key);
  }
  expect({ ignored, notReloaded, refused }).toEqual({
    ignored: [],
    notReloaded: [],
    refused: ['pages.[].account'],
  });
});

test('limits of flapping apply from the start, and after a reload to the next list', async () => {
  const { world, configure, seen } = await openWorld();
  const isFlapping = async () => /^uptime_check_flapping\{.* 1$/m.test(await seen(['/metrics']));
  const soon = { 'flapping.outages': 2 };
  configure(configurationWith(soon));
  await world.start();
  await world.pass(22 * minute);
  expect(await isFlapping()).toBe(true);

  configure(configurationWith({ ...soon, 'flapping.up_for': '1m' }));
  await world.reload({});
  await world.pass(2 * minute);
  expect(await isFlapping()).toBe(false);
});

test('stored data of an account follow its changed settings', async () => {
  const { world, configure } = await openWorld();
  configure(configurationWith({ 'metrics.mode': 'full' }));
  const bounds = async () => {
    const page = await world.page();
    const found = page.matchAll(/^uptime_check_response_time_seconds_bucket\{.*,le="([^"]+)"/gm);
    return new Set([...found].map(([, bound]) => bound));
  };
  const account = { datasets: countersOnly, responseTimeBounds: [0.1, 0.5] };
  await world.start(account);
  await world.pass(20 * minute);
  expect(await bounds()).toEqual(new Set(['0.1', '0.5', '+Inf']));
  expect(await world.page()).toMatch(/^uptime_transaction_state_seconds_total\{/m);

  const transactions = { enabled: false };
  await world.reload({
    datasets: { ...countersOnly, transactions },
    responseTimeBounds: [0.2, 2.5],
  });
  expect(await bounds()).toEqual(new Set(['0.2', '2.5', '+Inf']));
  expect(await world.page()).not.toMatch(/^uptime_transaction_state_seconds_total\{/m);
});

test('the reserve of each window is its own', async () => {
  const world = World.inMemory({ checks: 1, shortLimit: 100, longLimit: 1_000 });
  onTestFinished(() => world.stop());
  await world.start({ reserve: { short: { requests: 70 }, long: { share: 0.5 } } });
  await world.pass(minute);
  const shown = await world.page();
  const reserves = shown.matchAll(
    /^uptime_exporter_rate_limit_reserve\{.*window="(\w+)"\} (\d+)$/gm,
  );
  expect(new Map([...reserves].map(([, window, reserve]) => [window, reserve]))).toEqual(
    new Map([
      ['short', '70'],
      ['long', '500'],
    ]),
  );
});

test('the outage of a check that is excluded keeps its promoted labels', async () => {
  const { world, configure, seen } = await openWorld();
  configure(
    configurationWith({
      'labels.promote.[].from': 'check_type',
      'labels.promote.[].as': 'protocol',
    }),
  );
  await world.start();
  await world.pass(8 * minute);
  await world.reload({ filter: ({ id }) => id !== 2 });
  expect(await seen(['/metrics'])).toMatch(
    /^uptime_check_outage_open\{.*check_id="2".*,protocol="http",.* 0$/m,
  );
});
