import { changedTransaction } from '../../sandbox/src/account/transactions.ts';
import type { FaultName } from '../../sandbox/src/faults/faults.ts';
import type { JournalEntry } from '../../sandbox/src/server/request-journal.ts';
import type { Wire } from '../../sandbox/src/wire.ts';
import type { AccountSettings } from '../../src/config/account.ts';
import { hashUnit } from '../../src/lib/random.ts';
import { type DocumentChanges, DocumentSet } from '../../src/store/format/document-set.ts';
import type { StoredAccount } from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import type { Samples } from './counter-watch.ts';
import { RestartableExporter } from './restartable-exporter.ts';
import { countersOnly } from './states-only.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

export interface MonthScenario {
  readonly seed: number;
  /** The account's limits in an hour and in 30 days. */
  readonly limits: { readonly shortLimit: number; readonly longLimit: number };
  readonly days: number;
  /** Where the service's responses differ from recorded ones. */
  readonly wire?: Partial<Wire>;
  /** The configuration of the account; by default of version 3.1. */
  readonly account?: Partial<AccountSettings>;
  /** Minutes between two runs of a transaction. If empty, the account has no transactions. */
  readonly transactionIntervals?: readonly TransactionInterval[];
  /** After every third crash, the process gets the store of the previous day. */
  readonly losesDays?: boolean;
  /** The share of the moments at which `atMoment` is called; 0.1 by default. */
  readonly momentShare?: number;
  /** Called at random moments with the latest page and the times of all lists. */
  readonly atMoment?: (
    exporter: RestartableExporter,
    samples: Samples,
    looks: readonly number[],
  ) => Promise<void>;
}

type TransactionInterval = 5 | 10 | 20 | 60 | 720 | 1440;

export interface Month {
  readonly exporter: RestartableExporter;
  /** The request times of the lists whose data are durable; UNIX seconds. */
  readonly looks: readonly number[];
  readonly crashes: number;
}

const faults: readonly FaultName[] = [
  'status-500',
  'status-503',
  'html',
  'empty-body',
  'truncated-json',
  'json-empty-object',
  'json-array',
  'corrupt-gzip',
  'truncated-gzip',
  'reset-before-headers',
  'reset-in-body',
  'unauthorized',
  'forbidden',
  'limit-exceeded',
  'limit-exceeded-without-headers',
  'malformed-entries',
  'duplicate-entry',
  'no-limit-headers',
];
const operations = [
  'list_checks',
  'list_outages',
  'list_results',
  'list_transaction_states',
  undefined,
];
const listWasRead =
  /msg=(?:refreshed|"refresh recovered"|"first refresh succeeded") .*dataset=checks /;
const isList = ({ operation }: JournalEntry) => operation === 'list_checks';
const resolutions = [1, 5, 15];
const often: readonly TransactionInterval[] = [5, 10, 20];

/**
 * A month of an account and its exporter. Checks fail, are paused and are changed; the service
 * sends wrong responses; other clients spend the budget; the disk is full; the process is killed at
 * any moment and is started again minutes or days later.
 */
export async function playMonth(scenario: MonthScenario): Promise<Month> {
  const { seed, days, account = {}, transactionIntervals = often, momentShare = 0.1 } = scenario;
  const chance = dice(seed);
  /** A response may take some time. A list shows the states at the time of its request. */
  let readings: { readonly askedAt: number; readonly durableAt: number }[] = [];
  const looks = () => readings.map(({ askedAt }) => askedAt);
  let crashes = 0;
  /** Commits until the process is killed during one. */
  let doom = Number.POSITIVE_INFINITY;
  const exporter: RestartableExporter = await RestartableExporter.create({
    seed,
    checks: 8,
    transactions: transactionIntervals.length === 0 ? 0 : 3,
    datasets: countersOnly,
    ...scenario.limits,
    ...(scenario.wire !== undefined && { wire: scenario.wire }),
    moments: {
      before: async () => {
        doom -= 1;
        if (doom >= 1 || chance() < 0.5) return 'go on';
        await heldUp(exporter);
        return 'crash';
      },
      after: async () => (doom >= 1 ? 'go on' : 'crash'),
    },
    onLog: (line) => {
      if (!listWasRead.test(line)) return;
      const asked = exporter.sandbox.journal.recent.findLast(isList);
      const shown = Math.floor((asked?.time ?? Number.NaN) / 1000);
      // A list that lags shows an earlier moment. If it is older than the previous list, it shows
      // nothing new.
      const askedAt = exporter.sandbox.world.lags.asOf('list_checks', 0, shown);
      if (askedAt < (readings.at(-1)?.askedAt ?? 0)) return;
      readings.push({ askedAt, durableAt: exporter.now });
    },
  });
  const { sandbox } = exporter;
  const end = exporter.now + days * day;
  plantDisturbances(exporter, end, chance);

  const endings: { at: number; undo: () => void }[] = [];
  const forAWhile = (longest: number, undo: () => void) =>
    endings.push({ at: exporter.now + chance() ** 3 * longest, undo });
  const away = async () => {
    await exporter.pass(minute + chance() ** 2 * 4 * day);
    doom = Number.POSITIVE_INFINITY;
    if (scenario.losesDays && crashes % 3 === 2 && kept !== undefined) {
      // The disk has room again after a store was restored.
      exporter.disk.failWith(undefined);
      await restore(exporter, kept.account);
      // A list in the second of the copy may have been read after it.
      readings = readings.filter(({ durableAt }) => durableAt < (kept?.at ?? 0));
    }
    await exporter.start(account);
    await exporter.scrape();
    // While the first lists are in flight, the next page would have data from before them, but
    // would be compared with the data after them.
    await exporter.pass(0);
  };
  let kept: { readonly at: number; readonly account: StoredAccount } | undefined;

  await exporter.start(account);
  while (exporter.now < end) {
    await exporter.pass(minute * (1 + chance() * 20));
    for (const ending of endings.splice(0)) {
      if (ending.at <= exporter.now) ending.undo();
      else endings.push(ending);
    }
    if (!exporter.running) {
      crashes += 1;
      await exporter.crash();
      await away();
    }
    const samples = await exporter.scrape();
    if (scenario.losesDays && exporter.now - (kept?.at ?? 0) > day) {
      kept = { at: exporter.now, account: await exporter.disk.load('shop') };
    }
    if (exporter.running && chance() < momentShare)
      await scenario.atMoment?.(exporter, samples, looks());
    const what = chance() * 1000;
    if (what < 24) doom = Math.ceil(chance() * 40);
    else if (what < 34) {
      crashes += 1;
      await exporter.crash();
      await away();
    } else if (what < 40) {
      await exporter.stop();
      await away();
    } else if (what < 80) {
      const kind = pick(faults, chance());
      const operation = pick(operations, chance());
      const id = sandbox.faults.inject({ kind, ...(operation !== undefined && { operation }) });
      forAWhile(12 * hour, () => sandbox.faults.clear(id));
    } else if (what < 90) {
      sandbox.limits.otherClientSpends(sandbox.limits.reading('short').remaining);
    } else if (what < 104) {
      exporter.disk.failWith(new StoreError('full', 'no space is left on the device'));
      forAWhile(6 * hour, () => exporter.disk.failWith(undefined));
    } else if (what < 150) {
      await changeCheck(exporter, chance);
    } else if (what < 160) {
      changeTransaction(exporter, transactionIntervals, chance);
    }
  }
  for (const { undo } of endings) undo();
  doom = Number.POSITIVE_INFINITY;
  if (!exporter.running) {
    await exporter.crash();
    await exporter.start(account);
  }
  return { exporter, looks: looks(), crashes };
}

/** A slow disk: other data arrive and are shown meanwhile, but only durable data. */
async function heldUp(exporter: RestartableExporter): Promise<void> {
  await exporter.clock.sleep(10 * minute * 1000);
  if (exporter.running) await exporter.scrape();
}

/** Planted at the beginning, because the service never changes past data. */
function plantDisturbances(
  { sandbox, now }: RestartableExporter,
  end: number,
  chance: () => number,
): void {
  const { checks, transactions } = sandbox.world;
  for (const { id } of [...checks, ...transactions.all]) {
    const plants = Math.floor(chance() * 12);
    for (let n = 0; n < plants; n++) {
      const from = Math.floor(now + chance() * (end - now));
      const to = from + 1 + Math.floor(chance() ** 4 * 3 * day);
      const status = pick(['down', 'down', 'unknown', 'up'] as const, chance());
      sandbox.world.plant({ checkId: id, status, from, to });
    }
  }
}

/** A user pauses or resumes a check, or changes the interval of its tests. */
async function changeCheck(exporter: RestartableExporter, chance: () => number): Promise<void> {
  const { sandbox, now } = exporter;
  const { id, runs } = pick(sandbox.world.checks, chance());
  const { to = Number.POSITIVE_INFINITY } = runs.at(-1) ?? {};
  const change =
    chance() < 0.25
      ? { resolution: pick(resolutions, chance()) }
      : { paused: to > now && chance() < 0.7 };
  // A fault may refuse it.
  await exporter.send('PUT', `/checks/${id}`, change).catch(() => undefined);
}

function changeTransaction(
  { sandbox, now }: RestartableExporter,
  intervals: readonly TransactionInterval[],
  chance: () => number,
): void {
  const { transactions } = sandbox.world;
  if (transactions.all.length === 0) return;
  const transaction = pick(transactions.all, chance());
  const { active } = transaction.settings;
  const change =
    chance() < 0.3
      ? { interval: pick(intervals, chance()) }
      : { active: !active || chance() < 0.3 };
  transactions.put(changedTransaction(transaction, change, now));
}

/** Restores an earlier state of the disk. */
async function restore({ disk }: RestartableExporter, before: StoredAccount): Promise<void> {
  const { items, documents } = await disk.load('shop');
  const undone = <K, V>(now: ReadonlyMap<K, V>, then: ReadonlyMap<K, V>) =>
    new Map<K, V | null>([...[...now.keys()].map((key) => [key, null] as const), ...then]);
  await disk.commit({
    account: 'shop',
    items: {
      check: undone(items.check, before.items.check),
      transaction: undone(items.transaction, before.items.transaction),
    },
    documents: restoredDocuments(documents, before.documents),
  });
}

function restoredDocuments(now: DocumentSet, then: DocumentSet): DocumentChanges {
  const changes: DocumentChanges = new DocumentSet();
  for (const [key] of now) changes.setRead(key, null);
  for (const [key, value] of then) changes.setRead(key, value);
  return changes;
}

function pick<T>(from: readonly T[], chance: number): T {
  return from[Math.floor(chance * from.length)] as T;
}

function dice(seed: number): () => number {
  let draws = 0;
  return () => hashUnit(seed, 7, ++draws);
}
