import { History, type PlantedDisturbance } from '../simulation/history.ts';
import { Lags } from '../simulation/lags.ts';
import { testingOf } from '../simulation/monitored-check.ts';
import { Observer, TransactionObserver } from '../simulation/observer.ts';
import { recordedWire, type Wire } from '../wire.ts';
import { AccountReports } from './account-reports.ts';
import { numberedChecks, type SandboxCheck } from './checks.ts';
import { MaintenanceSchedule } from './maintenance-schedule.ts';
import { Numbered, tagCounter } from './numbered.ts';
import { People } from './people.ts';
import { plantDemoScenario, plantScenario, seedScenarioAt } from './seed-scenario.ts';
import { makeChecks } from './seeded-checks.ts';
import { seededWindows } from './seeded-maintenance.ts';
import { makePeople } from './seeded-people.ts';
import {
  firstTransactionId,
  makeTransactions,
  plantTransactionScenarios,
} from './seeded-transactions.ts';
import type { SandboxTransaction } from './transactions.ts';

/** Plans are sold in steps of this many checks. */
const planStep = 50;

interface WorldOptions {
  readonly seed: number;
  /** The number of checks of the account. */
  readonly checks: number;
  /** The number of transactions; by default a tenth of the number of checks, and at least 3. */
  readonly transactions?: number | undefined;
  /** UNIX seconds; the checks were created months before. */
  readonly startedAt: number;
  /** By default that of recorded responses. */
  readonly wire?: Wire;
  /** The recent history; `demo` is a day with many events. */
  readonly scenario?: 'demo' | undefined;
}

/**
 * The simulated account: its checks and what happens to them, a function of the options and the
 * time.
 */
export class World {
  readonly seed: number;
  /** May be changed at run time. */
  wire: Wire;
  readonly registry: Numbered<SandboxCheck>;
  /** The number of checks that the plan of the account allows. */
  readonly checkLimit: number;
  readonly history: History;
  readonly lags: Lags;
  readonly observer: Observer;
  readonly maintenance = new MaintenanceSchedule();
  readonly people: People;
  readonly transactions: Numbered<SandboxTransaction>;
  readonly transactionObserver: TransactionObserver;
  readonly accountReports: AccountReports;
  readonly #checkTags = tagCounter<SandboxCheck>(({ tags }) => tags.map(({ name }) => name));
  readonly #transactionTags = tagCounter<SandboxTransaction>(({ settings }) => settings.tags);

  constructor({ seed, checks, startedAt, ...options }: WorldOptions) {
    this.seed = seed;
    this.wire = options.wire ?? recordedWire;
    this.people = new People(makePeople(seed));
    const contactIds = this.people.people.all.map(({ id }) => id);
    const teamIds = this.people.teams.all.map(({ id }) => id);
    const recipients = { contactIds, teamIds };
    const plainNames = options.scenario === 'demo';
    this.registry = numberedChecks(
      seed,
      makeChecks({
        seed,
        count: checks,
        startedAt,
        recipients,
        testing: testingOf(this.wire),
        plainNames,
      }),
    );
    this.checkLimit = planStep * (Math.floor(checks / planStep) + 1);
    this.history = new History({ seed });
    this.lags = new Lags(this);
    this.observer = new Observer(this.history, this.wire);
    this.transactionObserver = new TransactionObserver(this.history);
    for (const [position, check] of this.checks.entries()) {
      plantScenario(this.history, seedScenarioAt(position), check, startedAt);
    }
    const ids = this.checks.slice(0, 24).map(({ id }) => id);
    const count = options.transactions ?? defaultTransactions(checks);
    const { lateTestSeconds } = this.wire;
    const ofTransactions = { seed, count, startedAt, contactIds, teamIds, lateTestSeconds };
    const transactions = makeTransactions(ofTransactions);
    plantTransactionScenarios(this.history, transactions, startedAt);
    this.transactions = new Numbered({ things: transactions, firstId: firstTransactionId });
    const tmsIds = transactions.map(({ id }) => id);
    this.accountReports = new AccountReports({ startedAt, checkIds: ids, contactIds });
    for (const window of seededWindows(startedAt, ids, tmsIds)) {
      this.maintenance.add(window);
    }
    if (options.scenario === 'demo') plantDemoScenario(this, startedAt);
  }

  /** Keyed by identifier. */
  get checks(): readonly SandboxCheck[] {
    return this.registry.all;
  }

  check(id: number): SandboxCheck | undefined {
    return this.registry.find(id);
  }

  /** The number of checks that have each tag. */
  get checkTags(): ReadonlyMap<string, number> {
    return this.#checkTags(this.checks);
  }

  /** The number of transactions that have each tag. */
  get transactionTags(): ReadonlyMap<string, number> {
    return this.#transactionTags(this.transactions.all);
  }

  /** Returns whether a check or a transaction has the identifier. */
  monitors(id: number): boolean {
    return (this.check(id) ?? this.transactions.find(id)) !== undefined;
  }

  /**
   * Imposes an outcome on the tests of a check or the runs of a transaction. Throws a `RangeError`
   * for an unknown check or transaction, or an empty span.
   */
  plant(disturbance: PlantedDisturbance): void {
    const { checkId, from, to } = disturbance;
    if (!this.monitors(checkId)) throw new RangeError(`no check has the identifier ${checkId}`);
    if (to !== undefined && to <= from) {
      throw new RangeError(`a disturbance from ${from} cannot end at ${to}`);
    }
    this.history.plant(disturbance);
  }
}

function defaultTransactions(checks: number): number {
  return checks === 0 ? 0 : Math.max(3, Math.round(checks / 10));
}
