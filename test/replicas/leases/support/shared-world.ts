import type { Clock } from '../../../../src/lib/clock.ts';
import { HeldLeases } from '../../../../src/replicas/leases/held-leases.ts';
import {
  type Beat,
  type Lease,
  type LeaseDatabase,
  type LeaseReport,
  leaseTimes,
  type SeenReplica,
} from '../../../../src/replicas/leases/lease.ts';
import { LeaseKeeper, type LossReason } from '../../../../src/replicas/leases/lease-keeper.ts';
import { instantOf } from '../../../../src/replicas/leases/trust.ts';

export const ttlSeconds = 30;
export const times = leaseTimes(ttlSeconds);

export const session = { pid: 1, startedAt: '2026-01-05 12:00:00+00' };

/** The rows of a database, without a database. */
export class LeaseRows {
  readonly leases = new Map<string, Lease>();
  readonly replicas = new Map<string, SeenReplica>();
  #tokens = 0;

  token(): string {
    this.#tokens += 1;
    return `token ${this.#tokens}`;
  }

  /** Restores a dump: later writes are lost, and no row is current. */
  restore(dump: ReadonlyMap<string, Lease>): void {
    this.leases.clear();
    for (const [account, lease] of dump) this.leases.set(account, { ...lease, isCurrent: false });
  }
}

/** The possible faults of a replica. Each field is true while the fault lasts. */
export interface Failures {
  /** The database does not receive the replica's requests. */
  isCut: boolean;
  /** The database receives requests, but responses are lost. */
  isDeaf: boolean;
  /** Every take of an account waits so long for its response. */
  takeMilliseconds: number;
}

/** One replica with its keeper. It runs an account while the keeper allows it. */
export class TestReplica {
  readonly leases: HeldLeases;
  readonly keeper: LeaseKeeper;
  readonly failures: Failures = { isCut: false, isDeaf: false, takeMilliseconds: 0 };
  readonly running = new Set<string>();
  readonly events: string[] = [];
  readonly call: (account: string) => Promise<void>;

  readonly #rows: LeaseRows;

  constructor(id: string, rows: LeaseRows, clock: Clock, leaseTtlSeconds = ttlSeconds) {
    this.#rows = rows;
    this.leases = new HeldLeases({
      replica: { id, name: id },
      times: leaseTimes(leaseTtlSeconds),
      clock,
    });
    const database: LeaseDatabase = {
      beat: (beat) => this.#send(() => this.#beat(beat)),
      call: async (account) => {
        const lease = rows.leases.get(account);
        if (lease !== undefined) rows.leases.set(account, { ...lease, call: rows.token() });
      },
      leave: async () => void rows.replicas.delete(id),
      close: async () => {},
    };
    this.call = (account) => database.call(account);
    this.keeper = new LeaseKeeper({
      leases: this.leases,
      database,
      clock,
      token: () => rows.token(),
      onBeat: () => {},
      onDatabase: () => {},
      handlers: {
        acquire: async (account) => {
          const from = instantOf(clock);
          await clock.sleep(this.failures.takeMilliseconds);
          const isTaken = await this.#send(async () => this.#take(account, from)).catch(
            () => false,
          );
          if (!isTaken) return false;
          this.running.add(account);
          this.events.push(`taken ${account}`);
          return true;
        },
        lost: async (account, reason: LossReason) => {
          if (!this.running.delete(account)) return;
          this.events.push(`lost ${account} ${reason}`);
        },
        handOver: async (account) => {
          this.running.delete(account);
          const lease = rows.leases.get(account);
          if (lease?.holder.id !== id || this.failures.isCut) return;
          rows.leases.set(account, { ...lease, isReleased: true, isCurrent: true });
          this.events.push(`released ${account}`);
        },
        called: (account) => this.events.push(`called ${account}`),
      },
    });
  }

  /** The accounts that this replica may serve at this moment. */
  get serves(): readonly string[] {
    return [...this.running].filter((account) => this.leases.trusts(account)).sort();
  }

  async #send<T>(work: () => Promise<T>): Promise<T> {
    if (this.failures.isCut) throw new Error('cut');
    const result = await work();
    if (this.failures.isDeaf) throw new Error('no response');
    return result;
  }

  async #beat({ replica, renewals, dead }: Beat): Promise<LeaseReport> {
    const { leases, replicas } = this.#rows;
    const renewed = new Set<string>();
    for (const { account, epoch, known, next } of renewals) {
      const lease = leases.get(account);
      if (lease?.epoch !== epoch || !known.includes(lease.renewal) || lease.isReleased) continue;
      leases.set(account, { ...lease, renewal: next, isCurrent: true });
      renewed.add(account);
    }
    replicas.set(replica.id, { ...replica, token: this.#rows.token() });
    for (const id of dead) replicas.delete(id);
    return { leases: [...leases.values()], replicas: [...replicas.values()], renewed };
  }

  #take(account: string, from: ReturnType<typeof instantOf>): boolean {
    const { leases } = this.#rows;
    const lease = leases.get(account);
    const claim = this.leases.claimOf(account);
    const isFree = lease === undefined || (lease.isReleased && lease.isCurrent);
    const isClaimed = lease?.epoch === claim?.epoch && lease?.renewal === claim?.renewal;
    if (!isFree && !isClaimed) return false;
    const tokens = { epoch: this.#rows.token(), renewal: this.#rows.token() };
    const number = (lease?.number ?? 0) + 1;
    const holder = this.leases.replica;
    const written = { account, ...tokens, number, holder, session, sinceSeconds: 0 };
    leases.set(account, { ...written, isReleased: false, isCurrent: true });
    this.leases.taken(account, tokens, number, from);
    return true;
  }
}
