import { newTransaction } from '../../sandbox/src/account/transactions.ts';
import { defaultSloPolicy, GroupPolicy } from '../../src/slo/groups.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { SharedMemory } from '../replicas/support/shared-memory.ts';
import { type ChainAccount, specialChecks } from '../support/chain-account.ts';
import type { ChainConfiguration } from '../support/chain-programs.ts';
import { planMaintenance } from '../support/plan-maintenance.ts';
import type { ChainExporter, VirtualChain } from '../support/virtual-chain.ts';

/** An event in accounts and exporters; chain-messages.ts has what it leads to. */
export interface Script {
  readonly name: string;
  /** By default the delivered one for a single exporter. */
  readonly configuration?: ChainConfiguration;
  readonly minutes: number;
  /** The events by minute. */
  prepare(chain: VirtualChain): Promise<Steps>;
}

type Steps = Readonly<Record<number, () => unknown>>;

interface Watched {
  readonly chain: VirtualChain;
  readonly account: ChainAccount;
  readonly exporter: ChainExporter;
  /** The check of most scripts. */
  readonly down: () => void;
  readonly up: () => void;
}

interface WatchedOptions {
  readonly checks?: number;
  /** The first two checks are a group. */
  readonly isGrouped?: boolean;
  readonly disk?: MemoryStore;
  readonly instance?: string;
}

/** An account with its exporter, which runs. */
async function watched(
  chain: VirtualChain,
  { checks = 3, isGrouped = false, disk, instance = 'exporter:9158' }: WatchedOptions = {},
): Promise<Watched> {
  const account = accountOf(chain, 'account', checks);
  const exporter = chain.exporter(instance, [account], {
    ...(disk !== undefined && { disk }),
    ...(isGrouped && { slo: groupOf(account) }),
  });
  await exporter.start();
  return { chain, account, exporter, ...changesOf(account) };
}

const accountOf = (chain: VirtualChain, name: string, checks: number) =>
  chain.account(name, { checks: specialChecks + checks });

function changesOf(account: ChainAccount, count = 1) {
  const some = account.checks.slice(0, count);
  return { down: () => account.down(...some), up: () => account.up(...some) };
}

function groupOf({ checks }: ChainAccount) {
  const named = [{ name: 'Checkout', ids: checks.slice(0, 2).map(({ id }) => id) }];
  const fits = (pattern: string, text: string) => pattern === text;
  return { ...defaultSloPolicy(), groups: new GroupPolicy({ named, fits }) };
}

/** A script about one account and one exporter. */
function script(
  name: string,
  minutes: number,
  steps: (one: Watched) => Steps,
  options: WatchedOptions = {},
): Script {
  return { name, minutes, prepare: async (chain) => steps(await watched(chain, options)) };
}

interface Blindness {
  readonly what: string;
  /** The minute in which the check goes down. */
  readonly begin: number;
  readonly blind: (one: Watched) => unknown;
  readonly see: (one: Watched) => unknown;
}

const blindnesses: readonly Blindness[] = [
  {
    what: 'the token is revoked',
    begin: 10,
    blind: ({ account: { sandbox } }) => sandbox.faults.inject({ kind: 'unauthorized' }),
    see: ({ account: { sandbox } }) => sandbox.faults.clear(),
  },
  {
    what: 'the exporter is killed',
    begin: 10,
    blind: ({ exporter }) => exporter.kill(),
    see: ({ exporter }) => exporter.start(),
  },
  {
    // The first request window ends an hour after the account was first read.
    what: 'another client spends the requests',
    begin: 38,
    blind: ({ account: { sandbox } }) => sandbox.limits.otherClientSpends(99_000),
    see: () => {},
  },
];

/** Down for 30 or 15 minutes, with the exporter blind in the middle. */
function blindScript({ what, begin, blind, see }: Blindness, recovers: boolean): Script {
  return script(
    `A check is down, ${what}; it ${recovers ? 'recovers meanwhile' : 'is down throughout'}`,
    begin + 55,
    (one) => ({
      [begin]: one.down,
      [begin + 5]: () => blind(one),
      [begin + (recovers ? 15 : 30)]: one.up,
      [begin + 25]: () => see(one),
    }),
  );
}

function flaps({ down, up }: Watched, times: number): Steps {
  const begins = Array.from({ length: times }, (_, time) => 10 * (time + 1));
  return Object.fromEntries(
    begins.flatMap((minute) => [
      [minute, down],
      [minute + 5, up],
    ]),
  );
}

const outages: readonly Script[] = [
  script('One check goes down and comes back after 25 minutes', 60, ({ down, up }) => ({
    10: down,
    35: up,
  })),
  script(
    'Twelve checks of 40 go down at once and come back at once',
    60,
    ({ account }) => ({ 10: changesOf(account, 12).down, 35: changesOf(account, 12).up }),
    { checks: 40 },
  ),
  script('One check of low importance goes down for 25 minutes', 60, ({ account, down, up }) => {
    const [check] = account.checks;
    if (check === undefined) throw new Error('the account has no checks');
    account.sandbox.world.registry.put({ ...check, severity: 'low' });
    return { 10: down, 35: up };
  }),
  script('A transaction fails for 25 minutes', 75, ({ account }) => {
    const { world } = account.sandbox;
    const [first] = world.transactions.all;
    if (first === undefined) throw new Error('the account has no transactions');
    const made = account.now() - 40 * 86_400;
    const settings = {
      ...first.settings,
      active: true,
      interval: 5 as const,
      name: 'Buy a ticket',
    };
    const { id } = world.transactions.add((newId) =>
      newTransaction(newId, { ...settings, severity_level: 'high' }, made),
    );
    world.plant({ checkId: id, status: 'up', from: made });
    const plant = (status: 'up' | 'down') => () =>
      world.plant({ checkId: id, status, from: account.now() });
    return { 10: plant('down'), 35: plant('up') };
  }),
  script('A check goes down for 5 minutes every 10 minutes, six times', 115, (one) =>
    flaps(one, 6),
  ),
  script(
    'One check of a group of two goes down and comes back after 25 minutes',
    90,
    ({ down, up }) => ({ 10: down, 35: up }),
    { isGrouped: true },
  ),
  script(
    'One check of a group of two goes down for 3 minutes',
    60,
    ({ down, up }) => ({ 10: down, 13: up }),
    { isGrouped: true },
  ),
  script(
    'Four checks are down at the same time, and come back one after another',
    90,
    ({ account }) => {
      const change = (way: 'down' | 'up', place: number) => () =>
        account[way](...account.checks.slice(place, place + 1));
      return {
        10: change('down', 0),
        12: change('down', 1),
        14: change('down', 2),
        17: change('down', 3),
        30: change('up', 0),
        33: change('up', 1),
        36: change('up', 2),
        60: change('up', 3),
      };
    },
    { checks: 40 },
  ),
  script(
    'A check is down for 2 minutes beside one that stays down',
    60,
    ({ account, down, up }) => {
      const [, second] = account.checks;
      if (second === undefined) throw new Error('the account has one check');
      return { 10: down, 13: () => account.down(second), 15: () => account.up(second), 40: up };
    },
  ),
  script('A second check goes down one minute after the first', 60, ({ account, down, up }) => {
    const [, second] = account.checks;
    if (second === undefined) throw new Error('the account has one check');
    return { 10: down, 11: () => account.down(second), 35: up, 36: () => account.up(second) };
  }),
  script(
    'Twenty checks of 40 go down at once and come back in three steps',
    70,
    ({ account }) => {
      const up = (from: number, to: number) => () => account.up(...account.checks.slice(from, to));
      return { 10: changesOf(account, 20).down, 35: up(0, 7), 38: up(7, 14), 41: up(14, 20) };
    },
    { checks: 40 },
  ),
  script(
    'Ten checks go down one after another within 10 minutes, and come back likewise',
    70,
    ({ account }) =>
      Object.fromEntries(
        account.checks.slice(0, 10).flatMap((check, place) => [
          [10 + place, () => account.down(check)],
          [35 + place, () => account.up(check)],
        ]),
      ),
    { checks: 40 },
  ),
];

const shortMaintenance = [1, 5, 12].map((before) =>
  script(
    `Maintenance is made ${before} min before it begins, and the check goes down in it`,
    60,
    ({ account, down, up }) => {
      const begin = 20;
      const make = () => {
        const from = account.now() + before * 60;
        const uptimeids = account.checks.slice(0, 1).map(({ id }) => id);
        planMaintenance(account.sandbox.world, { from, to: from + 1800, uptimeids });
      };
      return { [begin - before]: make, [begin + 1]: down, [begin + 20]: up };
    },
  ),
);

/** The ticket about the other check is open when the end of the maintenance comes near. */
const longMaintenance: Script = {
  ...script(
    'A check is down until after the end of its maintenance, while the account has a ticket',
    200,
    ({ account, exporter, down, up }) => {
      const [check, other] = account.checks;
      if (check === undefined || other === undefined) throw new Error('the account has one check');
      const make = () => {
        const [from, to] = [account.now() + 600, account.now() + 4800];
        planMaintenance(account.sandbox.world, { from, to, uptimeids: [check.id] });
      };
      return {
        10: exporter.kill,
        12: () => account.down(other),
        22: () => account.up(other),
        40: exporter.start,
        100: make,
        115: down,
        190: up,
      };
    },
  ),
  configuration: { file: 'prometheus.yaml', with: ['housekeeping'] },
};

const spentBudget = script(
  'A check that has used its error budget is in maintenance for an hour',
  300,
  ({ account, down, up }) => ({
    10: down,
    60: up,
    150: () => {
      const [from, to] = [account.now() + 600, account.now() + 4200];
      const uptimeids = account.checks.slice(0, 1).map(({ id }) => id);
      planMaintenance(account.sandbox.world, { from, to, uptimeids });
    },
  }),
);

const maintenance = [...shortMaintenance, longMaintenance, spentBudget];

const some = ({ checks }: ChainAccount) => checks.slice(0, 1);

interface LostStore {
  readonly before: (one: Watched) => Steps;
  readonly lostAt: number;
  readonly after: (one: Watched) => Steps;
}

/** The exporter is killed, and starts with an empty store. */
function lostStore(name: string, minutes: number, { before, lostAt, after }: LostStore): Script {
  return script(name, minutes, (one) => ({
    ...before(one),
    [lostAt]: async () => {
      await one.exporter.kill();
      await one.chain.exporter(one.exporter.instance, [one.account]).start();
    },
    ...after(one),
  }));
}

const absences: readonly Script[] = [
  script(
    'A check goes down and comes back while the exporter is killed',
    90,
    ({ exporter, down, up }) => ({ 10: exporter.kill, 20: down, 30: up, 45: exporter.start }),
  ),
  script('Nothing is down and the exporter is restarted', 40, ({ exporter }) => ({
    10: exporter.kill,
    12: exporter.start,
  })),
  {
    name: 'A check is down, the store is lost, and the service does not answer for 15 minutes',
    minutes: 70,
    prepare: async (chain) => {
      const { account, exporter, down, up } = await watched(chain);
      return {
        10: down,
        20: async () => {
          await exporter.kill();
          account.sandbox.faults.inject({ kind: 'status-500' });
          await chain.exporter(exporter.instance, [account]).start();
        },
        35: () => account.sandbox.faults.clear(),
        40: up,
      };
    },
  },
  script(
    'The service answers 500 for 20 minutes, and a check goes down meanwhile',
    70,
    ({ account: { sandbox }, down, up }) => ({
      10: () => sandbox.faults.inject({ kind: 'status-500' }),
      13: down,
      30: () => sandbox.faults.clear(),
      45: up,
    }),
  ),
  script(
    'The service answers 500 for 55 minutes while the exporter and Prometheus are restarted',
    90,
    ({ chain, account: { sandbox }, exporter }) => ({
      10: () => sandbox.faults.inject({ kind: 'status-500' }),
      25: exporter.kill,
      26: exporter.start,
      35: () => chain.stopPrometheus(),
      45: () => chain.startPrometheus(),
      65: () => sandbox.faults.clear(),
    }),
  ),
  lostStore('A check is down, and the store is lost', 60, {
    before: ({ down }) => ({ 10: down }),
    lostAt: 20,
    after: ({ up }) => ({ 35: up }),
  }),
  lostStore('A check is down, and the store is lost while its status is unknown', 60, {
    before: ({ account, down }) => ({ 10: down, 18: () => account.unknown(...some(account)) }),
    lostAt: 20,
    after: ({ down, up }) => ({ 27: down, 35: up }),
  }),
  lostStore(
    'An error budget is nearly used, and the store is lost while reports are refused',
    140,
    {
      before: ({ account, down, up }) => ({
        10: down,
        50: up,
        85: () => account.sandbox.faults.inject({ kind: 'status-500', operation: 'list_outages' }),
      }),
      lostAt: 90,
      after: ({ account }) => ({ 110: () => account.sandbox.faults.clear() }),
    },
  ),
  {
    name: 'A check is down and the pod of the exporter is replaced',
    // As the ServiceMonitor in deploy/kubernetes has it.
    configuration: {
      file: 'prometheus.yaml',
      relabelling: [
        {
          source_labels: ['account'],
          regex: '.+',
          target_label: 'instance',
          replacement: 'uptime-exporter',
        },
      ],
    },
    minutes: 70,
    prepare: async (chain) => {
      const disk = new MemoryStore();
      const { account, exporter, down, up } = await watched(chain, {
        disk,
        instance: '10.0.0.1:9158',
      });
      return {
        10: down,
        20: async () => {
          await exporter.kill();
          chain.forget(exporter.instance);
          await chain.exporter('10.0.0.2:9158', [account], { disk }).start();
        },
        40: up,
      };
    },
  },
  {
    name: 'Two accounts of one exporter have a check down, and the token of one is revoked',
    minutes: 60,
    prepare: async (chain) => {
      const accounts = [accountOf(chain, 'a', 3), accountOf(chain, 'b', 3)];
      await chain.exporter('exporter:9158', accounts).start();
      const [revoked] = accounts;
      const each = (change: 'down' | 'up') => () => {
        for (const account of accounts) changesOf(account)[change]();
      };
      return {
        10: each('down'),
        15: () => revoked?.sandbox.faults.inject({ kind: 'unauthorized' }),
        30: () => revoked?.sandbox.faults.clear(),
        40: each('up'),
      };
    },
  },
  {
    name: 'Two exporters of one job have a check down each, and one of them is killed',
    minutes: 60,
    prepare: async (chain) => {
      const accounts = [accountOf(chain, 'a', 3), accountOf(chain, 'b', 3)];
      const exporters = accounts.map((account) =>
        chain.exporter(`exporter-${account.name}:9158`, [account]),
      );
      for (const exporter of exporters) await exporter.start();
      const each = (change: 'down' | 'up') => () => {
        for (const account of accounts) changesOf(account)[change]();
      };
      return {
        10: each('down'),
        15: () => exporters[0]?.kill(),
        25: () => exporters[0]?.start(),
        40: each('up'),
      };
    },
  },
];

const restarts: readonly Script[] = [
  script('A check has gone up and down three times, and Alertmanager is restarted', 100, (one) => ({
    ...flaps(one, 3),
    48: () => one.chain.stopAlertmanager(),
    50: () => one.chain.startAlertmanager(),
  })),
  script(
    'A check is down while Prometheus, Alertmanager and the exporter are restarted',
    60,
    ({ chain, exporter, down, up }) => ({
      10: down,
      13: () => chain.stopPrometheus(),
      19: () => chain.startPrometheus(),
      22: () => chain.stopAlertmanager(),
      25: () => chain.startAlertmanager(),
      28: exporter.kill,
      30: exporter.start,
      // Alertmanager is stopped while it recovers.
      33: () => chain.stopAlertmanager(),
      34: up,
      37: () => chain.startAlertmanager(),
    }),
  ),
];

interface Replicas {
  readonly account: ChainAccount;
  readonly first: ChainExporter;
  readonly second: ChainExporter;
}

/**
 * Two replicas that share an account, which the first owns, scraped as in the delivered example.
 */
function replicas(name: string, minutes: number, steps: (replicas: Replicas) => Steps): Script {
  return {
    name,
    minutes,
    configuration: { file: 'replicas.yaml' },
    prepare: async (chain) => {
      const account = accountOf(chain, 'account', 3);
      const shared = new SharedMemory();
      const first = chain.exporter('replica-a:9158', [account], { shared });
      const second = chain.exporter('replica-b:9158', [account], { shared });
      await first.start();
      await second.start();
      return steps({ account, first, second });
    },
  };
}

/** In turn, the owner is stopped or killed, and started again later without the account. */
function takeovers(
  owners: readonly ChainExporter[],
  begins: readonly number[],
  { by, minutes }: { readonly by: 'stop' | 'kill'; readonly minutes: number },
): Steps {
  return Object.fromEntries(
    begins.flatMap((begin, at) => {
      const owner = owners[at % owners.length];
      return [
        [begin, () => owner?.[by]()],
        [begin + minutes, () => owner?.start()],
      ];
    }),
  );
}

const shared: readonly Script[] = [
  replicas(
    'A check is down, the replica that owns its account is killed, and another one takes the account',
    70,
    ({ account, first }) => ({
      10: changesOf(account).down,
      20: first.kill,
      22: first.start,
      40: changesOf(account).up,
    }),
  ),
  replicas(
    'A check is down, the replica that owns its account is killed, and it recovers before another one takes the account',
    60,
    ({ account, first }) => ({
      10: changesOf(account).down,
      20: async () => {
        await first.kill();
        changesOf(account).up();
      },
      22: first.start,
    }),
  ),
  replicas(
    'A check is down while two replicas hand its account over eight times',
    65,
    ({ account, first, second }) => ({
      10: changesOf(account).down,
      ...takeovers([first, second], [14, 16, 18, 20, 22, 24, 26, 28], { by: 'stop', minutes: 1 }),
      35: changesOf(account).up,
    }),
  ),
  replicas(
    'Nothing is down while the replica that owns an account is killed four times',
    50,
    ({ first, second }) => takeovers([first, second], [10, 14, 18, 22], { by: 'kill', minutes: 2 }),
  ),
];

export const prometheusStops: Script = {
  ...script('Prometheus stops', 90, ({ chain }) => ({ 30: () => chain.stopPrometheus() })),
  configuration: { file: 'prometheus.yaml', hasHeartbeat: true },
};

export const scripts: readonly Script[] = [
  ...outages,
  ...blindnesses.flatMap((blindness) => [
    blindScript(blindness, false),
    blindScript(blindness, true),
  ]),
  ...absences,
  ...maintenance,
  ...restarts,
  ...shared,
];
