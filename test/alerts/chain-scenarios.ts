import { defaultSloPolicy, GroupPolicy } from '../../src/slo/groups.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { AlertChain, ChainExporter } from '../support/alert-chain.ts';
import type { ChainAccount } from '../support/chain-account.ts';
import { SharedMemory } from '../support/shared-memory.ts';

/** An event in one account and its exporter; `name` is its row in docs/alerting.md. */
export interface ChainScenario {
  readonly name: string;
  /**
   * The times of scrapes decide how these are divided among messages, so this is an upper bound.
   * The row has their sum.
   */
  readonly mostMessages?: number;
  prepare(chain: AlertChain, id: string): Promise<PreparedScenario>;
}

export interface PreparedScenario {
  /** The events, by minute. */
  readonly steps: Readonly<Record<number, (chain: AlertChain) => void | Promise<void>>>;
  readonly minutes: number;
  /** Accounts and instances whose messages belong to this scenario. */
  readonly owners: readonly string[];
}

interface Watched {
  readonly account: ChainAccount;
  readonly exporter: ChainExporter;
  readonly owners: readonly string[];
}

/** An account with its own exporter, which runs. */
async function watched(chain: AlertChain, id: string, options = {}): Promise<Watched> {
  const account = await chain.account(`account-${id}`, options);
  const exporter = await chain.exporter(`exporter-${id}`, [account]);
  await exporter.start();
  return { account, exporter, owners: [account.name, exporter.instance] };
}

interface Blindness {
  readonly what: string;
  /** The minute in which the check goes down. */
  readonly begin: number;
  readonly blind: (one: Watched) => void | Promise<void>;
  readonly see: (one: Watched) => void | Promise<void>;
}

const blindnesses: readonly Blindness[] = [
  {
    what: 'the token is revoked',
    begin: 10,
    blind: ({ account: { sandbox } }) => void sandbox.faults.inject({ kind: 'unauthorized' }),
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
    begin: 33,
    blind: ({ account: { sandbox } }) => sandbox.limits.otherClientSpends(99_000),
    see: () => {},
  },
];

/** Down for 30 or 15 minutes, with the exporter blind in the middle. */
function blindScenario({ what, begin, blind, see }: Blindness, recovers: boolean): ChainScenario {
  return {
    name: `A check is down, ${what}; it ${recovers ? 'recovers meanwhile' : 'is down throughout'}`,
    prepare: async (chain, id) => {
      const one = await watched(chain, id);
      const { account, owners } = one;
      const some = account.checks.slice(0, 1);
      return {
        owners,
        minutes: begin + 50,
        steps: {
          [begin]: () => account.down(...some),
          [begin + 5]: () => blind(one),
          [begin + (recovers ? 15 : 30)]: () => account.up(...some),
          [begin + 25]: () => see(one),
        },
      };
    },
  };
}

export const blindScenarios: readonly ChainScenario[] = blindnesses.flatMap((blindness) =>
  [false, true].map((recovers) => blindScenario(blindness, recovers)),
);

function outages(
  name: string,
  minutes: number,
  steps: (account: ChainAccount) => PreparedScenario['steps'],
): ChainScenario {
  return {
    name,
    prepare: async (chain, id) => {
      const { account, owners } = await watched(chain, id);
      return { owners, minutes, steps: steps(account) };
    },
  };
}

const flapping = outages(
  'A check goes down for 5 minutes every 10 minutes, six times',
  115,
  flaps(6),
);

function flaps(times: number) {
  return (account: ChainAccount): PreparedScenario['steps'] => {
    const some = account.checks.slice(0, 1);
    const begins = Array.from({ length: times }, (_, time) => 10 * (time + 1));
    return Object.fromEntries(
      begins.flatMap((minute) => [
        [minute, () => account.down(...some)],
        [minute + 5, () => account.up(...some)],
      ]),
    );
  };
}

const twoAccounts: ChainScenario = {
  name: 'Two accounts of one exporter have a check down, and the token of one is revoked',
  prepare: async (chain, id) => {
    const accounts = await Promise.all(
      ['a', 'b'].map((part) => chain.account(`account-${id}-${part}`)),
    );
    const exporter = await chain.exporter(`exporter-${id}`, accounts);
    await exporter.start();
    const [revoked] = accounts;
    const each = (change: 'down' | 'up') => () => {
      for (const account of accounts) account[change](...account.checks.slice(0, 1));
    };
    return {
      owners: [...accounts.map(({ name }) => name), exporter.instance],
      minutes: 60,
      steps: {
        10: each('down'),
        15: () => void revoked?.sandbox.faults.inject({ kind: 'unauthorized' }),
        30: () => revoked?.sandbox.faults.clear(),
        40: each('up'),
      },
    };
  },
};

/** The first two checks of the account are a group. */
function groupOf({ checks }: ChainAccount) {
  const named = [{ name: 'Checkout', ids: checks.slice(0, 2).map(({ id }) => id) }];
  const fits = (pattern: string, text: string) => pattern === text;
  return { ...defaultSloPolicy(), groups: new GroupPolicy({ named, fits }) };
}

const group: ChainScenario = {
  name: 'One check of a group of two goes down and comes back after 25 minutes',
  prepare: async (chain, id) => {
    const account = await chain.account(`account-${id}`);
    const exporter = await chain.exporter(`exporter-${id}`, [account], { slo: groupOf(account) });
    await exporter.start();
    return {
      owners: [account.name, exporter.instance],
      minutes: 90,
      steps: {
        10: () => account.down(...account.checks.slice(0, 1)),
        35: () => account.up(...account.checks.slice(0, 1)),
      },
    };
  },
};

const oneAfterAnother: ChainScenario = {
  // 1 + T ÷ group interval for those that fire, and as many for those that resolve.
  mostMessages: 2 * (1 + 10),
  ...outages(
    'Ten checks go down one after another within 10 minutes, and come back likewise',
    60,
    (account) =>
      Object.fromEntries(
        account.checks.slice(0, 10).flatMap((check, place) => [
          [10 + place, () => account.down(check)],
          [35 + place, () => account.up(check)],
        ]),
      ),
  ),
};

const restartedWhileFlapping: ChainScenario = {
  name: 'A check has gone up and down three times, and Alertmanager is restarted',
  prepare: async (chain, id) => {
    const { account, owners } = await watched(chain, id);
    return {
      owners,
      minutes: 100,
      steps: {
        ...flaps(3)(account),
        48: () => chain.stopAlertmanager(),
        50: () => chain.startAlertmanager(),
      },
    };
  },
};

/**
 * The store is lost with the exporter, and the service does not respond to the new one at first.
 */
const lostStore: ChainScenario = {
  name: 'A check is down, the store is lost, and the service does not answer for 15 minutes',
  prepare: async (chain, id) => {
    const account = await chain.account(`account-${id}`);
    const instance = `exporter-${id}`;
    const first = await chain.exporter(instance, [account]);
    await first.start();
    const some = account.checks.slice(0, 1);
    return {
      owners: [account.name, instance],
      minutes: 70,
      steps: {
        10: () => account.down(...some),
        20: async () => {
          await first.kill();
          account.sandbox.faults.inject({ kind: 'status-500' });
          const second = await chain.exporter(instance, [account], { disk: new MemoryStore() });
          await second.start();
        },
        35: () => account.sandbox.faults.clear(),
        40: () => account.up(...some),
      },
    };
  },
};

const shortOutageOfGroup: ChainScenario = {
  name: 'One check of a group of two goes down for 3 minutes',
  prepare: async (chain, id) => {
    const account = await chain.account(`account-${id}`);
    const exporter = await chain.exporter(`exporter-${id}`, [account], { slo: groupOf(account) });
    await exporter.start();
    const some = account.checks.slice(0, 1);
    return {
      owners: [account.name, exporter.instance],
      minutes: 60,
      steps: { 10: () => account.down(...some), 13: () => account.up(...some) },
    };
  },
};

export const outageScenarios: readonly ChainScenario[] = [
  lostStore,
  shortOutageOfGroup,
  outages('One check goes down and comes back after 25 minutes', 60, (account) => ({
    10: () => account.down(...account.checks.slice(0, 1)),
    35: () => account.up(...account.checks.slice(0, 1)),
  })),
  outages('Twelve checks of 40 go down at once and come back at once', 60, (account) => ({
    10: () => account.down(...account.checks.slice(0, 12)),
    35: () => account.up(...account.checks.slice(0, 12)),
  })),
  outages('One check of low importance goes down for 25 minutes', 60, (account) => {
    const [check] = account.checks;
    if (check === undefined) throw new Error('the sandbox has too few checks');
    account.sandbox.world.registry.put({ ...check, severity: 'low' });
    return { 10: () => account.down(check), 35: () => account.up(check) };
  }),
  outages('A transaction fails for 25 minutes', 75, (account) => {
    const { world } = account.sandbox;
    const [first] = world.transactions.all;
    if (first === undefined) throw new Error('the sandbox has no transactions');
    const made = account.now() - 40 * 86_400;
    const settings = {
      ...first.settings,
      active: true,
      interval: 5 as const,
      name: 'Buy a ticket',
    };
    const { id } = world.transactions.create({ ...settings, severity_level: 'high' }, made);
    world.plant({ checkId: id, status: 'up', from: made });
    const plant = (status: 'up' | 'down') => () =>
      world.plant({ checkId: id, status, from: account.now() });
    return { 10: plant('down'), 35: plant('up') };
  }),
  flapping,
  twoAccounts,
  group,
  oneAfterAnother,
  ...[1, 5, 12].map((before) =>
    outages(
      `Maintenance is made ${before} min before it begins, and the check goes down in it`,
      60,
      (account) => {
        const some = account.checks.slice(0, 1);
        const begin = 20;
        const make = () => {
          const from = account.now() + before * 60;
          account.sandbox.world.maintenance.add({
            description: 'Planned work',
            from,
            to: from + 1800,
            recurrencetype: 'none',
            repeatevery: 0,
            effectiveto: from + 1800,
            uptimeids: some.map(({ id }) => id),
            tmsids: [],
          });
        };
        return {
          [begin - before]: make,
          [begin + 1]: () => account.down(...some),
          [begin + 20]: () => account.up(...some),
        };
      },
    ),
  ),
  {
    name: 'A check goes down and comes back while the exporter is killed',
    prepare: async (chain, id) => {
      const { account, exporter, owners } = await watched(chain, id);
      const some = account.checks.slice(0, 1);
      return {
        owners,
        minutes: 90,
        steps: {
          10: exporter.kill,
          20: () => account.down(...some),
          30: () => account.up(...some),
          45: exporter.start,
        },
      };
    },
  },
  {
    name: 'Nothing is down and the exporter is restarted',
    prepare: async (chain, id) => {
      const { exporter, owners } = await watched(chain, id);
      return {
        owners,
        minutes: 40,
        steps: { 10: exporter.kill, 12: exporter.start },
      };
    },
  },
  {
    name: 'A check is down and the pod of the exporter is replaced',
    prepare: async (chain, id) => {
      const disk = new MemoryStore();
      const account = await chain.account(`account-${id}`);
      const instance = `exporter-${id}`;
      chain.relabel(instance);
      const first = await chain.exporter(`${instance}-a`, [account], { disk });
      await first.start();
      const some = account.checks.slice(0, 1);
      return {
        owners: [account.name, instance, `${instance}-a`, `${instance}-b`],
        minutes: 70,
        steps: {
          10: () => account.down(...some),
          20: async () => {
            await first.kill();
            await chain.forget(`${instance}-a`);
            const second = await chain.exporter(`${instance}-b`, [account], { disk });
            await second.start();
          },
          40: () => account.up(...some),
        },
      };
    },
  },
];

interface Replicas {
  readonly account: ChainAccount;
  readonly first: ChainExporter;
  readonly second: ChainExporter;
  readonly owners: readonly string[];
}

/**
 * Two replicas that share an account, which the first owns, scraped as in the delivered example.
 */
function replicas(
  name: string,
  minutes: number,
  steps: (replicas: Replicas) => PreparedScenario['steps'],
): ChainScenario {
  return {
    name,
    prepare: async (chain, id) => {
      const account = await chain.account(`account-${id}`);
      const instance = `exporter-${id}`;
      chain.relabelReplicas(instance);
      const shared = new SharedMemory();
      const first = await chain.exporter(`${instance}-a`, [account], { shared });
      const second = await chain.exporter(`${instance}-b`, [account], { shared });
      await first.start();
      await second.start();
      const owners = [account.name, instance, first.instance, second.instance];
      return { owners, minutes, steps: steps({ account, first, second, owners }) };
    },
  };
}

/** In turn, the owner is stopped or killed, and started again later without the account. */
function absences(
  owners: readonly ChainExporter[],
  begins: readonly number[],
  { by, minutes }: { readonly by: 'stop' | 'kill'; readonly minutes: number },
): PreparedScenario['steps'] {
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

export const replicaScenarios: readonly ChainScenario[] = [
  replicas(
    'A check is down, the replica that owns its account is killed, and another one takes the account',
    70,
    ({ account, first }) => ({
      10: () => account.down(...account.checks.slice(0, 1)),
      20: () => first.kill(),
      22: () => first.start(),
      40: () => account.up(...account.checks.slice(0, 1)),
    }),
  ),
  replicas(
    'A check is down, the replica that owns its account is killed, and it recovers before another one takes the account',
    60,
    ({ account, first }) => ({
      10: () => account.down(...account.checks.slice(0, 1)),
      20: async () => {
        await first.kill();
        account.up(...account.checks.slice(0, 1));
      },
      22: () => first.start(),
    }),
  ),
  replicas(
    'A check is down while two replicas hand its account over eight times',
    65,
    ({ account, first, second }) => ({
      10: () => account.down(...account.checks.slice(0, 1)),
      ...absences([first, second], [14, 16, 18, 20, 22, 24, 26, 28], { by: 'stop', minutes: 1 }),
      35: () => account.up(...account.checks.slice(0, 1)),
    }),
  ),
  replicas(
    'Nothing is down while the replica that owns an account is killed four times',
    50,
    ({ first, second }) => absences([first, second], [10, 14, 18, 22], { by: 'kill', minutes: 2 }),
  ),
];

/** With newer servers, one of which is restarted. */
export const newerScenarios: readonly ChainScenario[] = [
  ...blindScenarios.slice(0, 4),
  twoAccounts,
  group,
  restartedWhileFlapping,
];

/** Needs separate servers. */
export const restartScenario: ChainScenario = {
  name: 'A check is down while Prometheus, Alertmanager and the exporter are restarted',
  prepare: async (chain, id) => {
    const { account, exporter, owners } = await watched(chain, id);
    const some = account.checks.slice(0, 1);
    return {
      owners,
      minutes: 60,
      steps: {
        10: () => account.down(...some),
        13: () => chain.stopPrometheus(),
        19: () => chain.startPrometheus(),
        22: () => chain.stopAlertmanager(),
        25: () => chain.startAlertmanager(),
        28: exporter.kill,
        30: exporter.start,
        // Alertmanager is stopped while it recovers.
        33: () => chain.stopAlertmanager(),
        34: () => account.up(...some),
        37: () => chain.startAlertmanager(),
      },
    };
  },
};
