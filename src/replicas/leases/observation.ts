import type { Claim } from './held-leases.ts';
import type { Lease, LeaseReport, LeaseTimes, SeenReplica } from './lease.ts';

interface Seen<T> {
  readonly row: T;
  /** The monotonic time at which these tokens were first read. */
  readonly since: number;
}

interface SeenReplicaRow extends Seen<SeenReplica> {
  /** Its token changed while it was observed, so it was alive then. */
  readonly hasChanged: boolean;
}

/** The rows of dead replicas are deleted after this many times to live. */
const deadAfter = 10;

/** When a lease can be taken. */
export type Availability =
  /** It was never taken, or was released. */
  | { readonly kind: 'free'; readonly forMilliseconds: number }
  /** Its holder has not renewed it for long enough. */
  | { readonly kind: 'expired'; readonly claim: Claim; readonly forMilliseconds: number };

/**
 * The leases and the other replicas as this replica has read them, timed by its monotonic clock. No
 * clock of another machine decides.
 */
export class Observation {
  readonly #waitMilliseconds: number;
  readonly #ttlMilliseconds: number;
  #leases = new Map<string, Seen<Lease>>();
  /**
   * Accounts whose rows were read and are no longer there, and since when (monotonic). A failover or
   * a restore has lost them, and their holders may still trust them.
   */
  readonly #lost = new Map<string, number>();
  #replicas = new Map<string, SeenReplicaRow>();
  #begunAt = 0;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor({ ttlMilliseconds, marginMilliseconds }: LeaseTimes) {
    this.#waitMilliseconds = ttlMilliseconds + marginMilliseconds;
    this.#ttlMilliseconds = ttlMilliseconds;
  }

  /** `now` is the monotonic time at which the response had arrived. */
  read({ leases, replicas }: LeaseReport, now: number): void {
    // After a long time without a reading, every observation begins again.
    const isContinued = now - this.#readAt <= this.#ttlMilliseconds;
    if (!isContinued) this.#begunAt = now;
    this.#readAt = now;
    const before = this.#leases;
    if (!isContinued) for (const account of this.#lost.keys()) this.#lost.set(account, now);
    for (const account of before.keys()) this.#lost.set(account, now);
    for (const { account } of leases) this.#lost.delete(account);
    this.#leases = new Map(
      leases.map((row) => {
        const seen = isContinued ? before.get(row.account) : undefined;
        const isSame = seen !== undefined && keyOf(seen.row) === keyOf(row);
        return [row.account, { row, since: isSame ? seen.since : now }];
      }),
    );
    this.#replicas = new Map(
      replicas.map((row) => {
        const before = isContinued ? this.#replicas.get(row.id) : undefined;
        const isSame = before?.row.token === row.token;
        const hasChanged = before !== undefined && (before.hasChanged || !isSame);
        return [row.id, { row, since: isSame ? before.since : now, hasChanged }];
      }),
    );
  }

  lease(account: string): Lease | undefined {
    return this.#leases.get(account)?.row;
  }

  /** Undefined while another replica may trust the lease. */
  availability(account: string, now: number): Availability | undefined {
    const seen = this.#leases.get(account);
    if (seen === undefined) {
      const lostAt = this.#lost.get(account);
      const freeAt = lostAt === undefined ? this.#begunAt : lostAt + this.#waitMilliseconds;
      return now < freeAt ? undefined : { kind: 'free', forMilliseconds: now - freeAt };
    }
    const { row, since } = seen;
    const quiet = now - since;
    if (row.isReleased && row.isCurrent) return { kind: 'free', forMilliseconds: quiet };
    if (quiet < this.#waitMilliseconds) return undefined;
    return { kind: 'expired', claim: row, forMilliseconds: quiet - this.#waitMilliseconds };
  }

  /** The ids of the replicas that are alive, with `self`, in order. */
  live(self: string, now: number): readonly string[] {
    const others = [...this.#replicas].filter(
      ([id, { hasChanged, since }]) =>
        id !== self && hasChanged && now - since < this.#waitMilliseconds,
    );
    return [self, ...others.map(([id]) => id)].sort();
  }

  /** The ids of replicas whose rows can be deleted. */
  dead(now: number): readonly string[] {
    const after = deadAfter * this.#ttlMilliseconds;
    return [...this.#replicas].flatMap(([id, { since }]) => (now - since > after ? id : []));
  }
}

/** A row that came back from a dump may have tokens that were seen before. */
function keyOf({ epoch, renewal, isReleased, isCurrent }: Lease): string {
  return `${epoch} ${renewal} ${isReleased} ${isCurrent}`;
}
