import type { Clock } from '../../lib/clock.ts';
import { Turns } from '../../lib/turns.ts';
import { Balance, fairShare } from './balance.ts';
import type { HeldLeases } from './held-leases.ts';
import type { Lease, LeaseDatabase } from './lease.ts';
import { type Availability, Observation } from './observation.ts';
import { instantOf } from './trust.ts';

/** A fraction of the time to live, so that several renewals may fail before a lease is lost. */
const beatsPerTtl = 10;
/**
 * A longer time between beats would delay more than renewals: the next attempt after a failure, the
 * take of a released account, and webhooks that another replica has received.
 */
const longestBeatMilliseconds = 5_000;
/** The number of beats per margin. */
const pulses = 4;
const endMilliseconds = 3_000;

/** The reason why an account is no longer served. */
export type LossReason =
  /** The lease could not be renewed in time, or the process was suspended. */
  | 'expired'
  /** Another replica has taken it. */
  | 'taken';

/** The program's actions for an account. None of them rejects. */
export interface LeaseHandlers {
  /** Takes, reads and serves the account. Resolves with whether it is served. */
  acquire(account: string): Promise<boolean>;
  /** Stops serving the account at once. No more of its data may be stored. */
  lost(account: string, reason: LossReason): Promise<void>;
  /** Stops serving the account, stores its last state, and releases the lease. */
  handOver(account: string): Promise<void>;
  /** Another replica has received a webhook of the account. */
  called(account: string): void;
}

interface LeaseKeeperOptions {
  readonly leases: HeldLeases;
  readonly database: LeaseDatabase;
  readonly handlers: LeaseHandlers;
  readonly clock: Clock;
  /** Makes a random token. */
  readonly token: () => string;
  /** Called when a beat has ended, with its duration. */
  readonly onBeat: (seconds: number) => void;
  /** Called after each beat, with the error if it failed. */
  readonly onDatabase: (error: Error | undefined) => void;
}

/** An account and its holder, as this replica knows it. */
export interface LeaseView {
  readonly account: string;
  readonly isHeld: boolean;
  readonly lease: Lease | undefined;
  /** How often this replica has taken it from a holder that had not released it. */
  readonly expiredTakes: number;
}

/** Renews the leases of this replica, takes free ones, and releases those beyond its share. */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #observation: Observation;
  readonly #balance: Balance;
  readonly #beatMilliseconds: number;
  readonly #stopping = new AbortController();
  /** The accounts that are being acquired, dropped or handed over. */
  readonly #busy = new Turns();
  /** The accounts that are shared, in the order of the configuration. */
  #shared: readonly string[] = [];
  /** Further accounts that this replica wants, regardless of its share. */
  #extra: () => readonly string[] = () => [];
  /** The last call of each account that was read. */
  readonly #calls = new Map<string, string | undefined>();
  readonly #expiredTakes = new Map<string, number>();
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    const { times } = options.leases;
    this.#observation = new Observation(times);
    this.#balance = new Balance(times);
    this.#beatMilliseconds = Math.min(times.ttlMilliseconds / beatsPerTtl, longestBeatMilliseconds);
  }

  /** Resolves after the first beat, when the accounts that were free are served. */
  async start(shared: readonly string[], extra: () => readonly string[]): Promise<void> {
    this.#shared = shared;
    this.#extra = extra;
    this.#options.leases.pulse();
    const first = this.#beat();
    this.#running = Promise.all([first.then(() => this.#beats()), this.#pulses()]);
    await first;
    await this.settled();
  }

  /** The accounts of a new configuration. Others are handed over with the next beat. */
  configure(shared: readonly string[]): void {
    this.#shared = shared;
  }

  /** Removes this replica, so that others no longer count it, and hands over all accounts. */
  async stop(): Promise<void> {
    const { leases, database, clock } = this.#options;
    this.#stopping.abort();
    const hasLeft = new AbortController();
    // A database that does not respond delays the end no longer than this.
    const late = clock.sleep(endMilliseconds, hasLeft.signal).then(() => database.close());
    await Promise.race([this.#running.then(() => database.leave(leases.replica)), late]).catch(
      () => {},
    );
    hasLeft.abort();
    await this.settled();
    for (const account of leases.accounts) this.#handOver(account);
    await this.settled();
    await database.close();
  }

  /** Resolves when no account is being acquired, dropped or handed over. */
  async settled(): Promise<void> {
    await this.#busy.idle();
  }

  /** The fence of the account has another epoch than the lease of this replica. */
  fenced(account: string): void {
    const { leases } = this.#options;
    if (leases.numberOf(account) === undefined) return;
    leases.drop(account);
    this.#lost(account, 'taken');
  }

  /** Whether another replica had the lease when it was read last. */
  isElsewhere(account: string): boolean {
    const { leases } = this.#options;
    const lease = this.#observation.lease(account);
    return lease?.isReleased === false && lease.holder.id !== leases.replica.id;
  }

  views(): readonly LeaseView[] {
    const { leases } = this.#options;
    return this.#shared.map((account) => ({
      account,
      isHeld: leases.trusts(account),
      lease: this.#observation.lease(account),
      expiredTakes: this.#expiredTakes.get(account) ?? 0,
    }));
  }

  async #beats(): Promise<void> {
    await this.#repeat(this.#beatMilliseconds, () => this.#beat());
  }

  async #pulses(): Promise<void> {
    const { leases } = this.#options;
    await this.#repeat(leases.times.marginMilliseconds / pulses, async () => {
      for (const account of leases.pulse()) this.#lost(account, 'expired');
    });
  }

  async #repeat(milliseconds: number, work: () => Promise<void>): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await clock.sleep(milliseconds, signal).catch(() => {});
      if (!signal.aborted) await work();
    }
  }

  async #beat(): Promise<void> {
    const { leases, database, clock, token, onBeat, onDatabase } = this.#options;
    const now = clock.monotonic();
    const from = instantOf(clock);
    const renewals = leases.renewals(token);
    const dead = this.#observation.dead(now);
    try {
      const reading = await database.beat({ replica: leases.replica, renewals, dead });
      this.#observation.read(reading, clock.monotonic());
      for (const account of leases.renewed(renewals, reading.renewed, from)) {
        this.#lost(account, 'taken');
      }
    } catch (error) {
      onDatabase(error instanceof Error ? error : new Error(String(error)));
      return;
    } finally {
      onBeat((clock.monotonic() - now) / 1000);
    }
    onDatabase(undefined);
    if (this.#stopping.signal.aborted) return;
    this.#passCallsOn();
    this.#handOverUnwanted();
    this.#takeWhatIsFree(clock.monotonic());
    this.#releaseSurplus(clock.monotonic());
  }

  #passCallsOn(): void {
    const { leases, handlers } = this.#options;
    for (const account of this.#shared) {
      const call = this.#observation.lease(account)?.call;
      const isNew = this.#calls.has(account) && call !== this.#calls.get(account);
      this.#calls.set(account, call);
      if (isNew && leases.trusts(account)) handlers.called(account);
    }
  }

  #handOverUnwanted(): void {
    const wanted = new Set([...this.#shared, ...this.#extra()]);
    for (const account of this.#options.leases.accounts) {
      if (!wanted.has(account) && !this.#busy.isTaken(account)) this.#handOver(account);
    }
  }

  #takeWhatIsFree(now: number): void {
    const { leases } = this.#options;
    for (const account of this.#extra()) this.#takeIf(account, now, () => true);
    const held = new Set(leases.accounts);
    const isOwn = (account: string) => held.has(account) || this.#busy.isTaken(account);
    let own = this.#shared.filter(isOwn).length;
    const live = this.#observation.live(leases.replica.id, now);
    const share = fairShare(this.#shared.length, live.length);
    const isWanted = ({ forMilliseconds }: Availability) =>
      // A replica with other accounts in its configuration may not take its share.
      own < share || forMilliseconds > leases.times.ttlMilliseconds;
    // Each replica begins at another account, so that they do not wait for the same rows.
    const first = share * live.indexOf(leases.replica.id);
    for (const account of [...this.#shared.slice(first), ...this.#shared.slice(0, first)]) {
      if (this.#takeIf(account, now, isWanted)) own += 1;
    }
  }

  #takeIf(
    account: string,
    now: number,
    isWanted: (availability: Availability) => boolean,
  ): boolean {
    const { leases, handlers } = this.#options;
    if (leases.numberOf(account) !== undefined || this.#busy.isTaken(account)) return false;
    const availability = this.#observation.availability(account, now);
    if (availability === undefined || !isWanted(availability)) return false;
    const isExpired = availability.kind === 'expired';
    if (isExpired) leases.claim(account, availability.claim);
    this.#do(account, async () => {
      if (!(await handlers.acquire(account))) leases.drop(account);
      else if (isExpired) {
        this.#expiredTakes.set(account, (this.#expiredTakes.get(account) ?? 0) + 1);
      }
    });
    return true;
  }

  #releaseSurplus(now: number): void {
    const { leases } = this.#options;
    if (this.#busy.size > 0) return;
    const live = this.#observation.live(leases.replica.id, now);
    const holders = this.#shared.map((account) => this.#holderOf(account, now));
    if (!this.#balance.isSurplus(leases.replica.id, holders, live, now)) return;
    const last = this.#shared.findLast((account) => leases.trusts(account));
    if (last !== undefined) this.#handOver(last);
  }

  #holderOf(account: string, now: number): string | undefined {
    const { leases } = this.#options;
    if (leases.numberOf(account) !== undefined) return leases.replica.id;
    if (this.#observation.availability(account, now) !== undefined) return undefined;
    return this.#observation.lease(account)?.holder.id;
  }

  #lost(account: string, reason: LossReason): void {
    this.#do(account, () => this.#options.handlers.lost(account, reason));
  }

  #handOver(account: string): void {
    const { leases, handlers } = this.#options;
    this.#do(account, async () => {
      await handlers.handOver(account);
      leases.drop(account);
    });
  }

  #do(account: string, work: () => Promise<void>): void {
    void this.#busy.take([account], work);
  }
}
