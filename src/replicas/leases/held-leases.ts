import type { ReadableClock } from '../../lib/clock.ts';
import type { Lease, LeaseTimes, LeaseTokens, Renewal, Replica } from './lease.ts';
import { type Instant, Pulse, Trust } from './trust.ts';

/** A lease that was observed for long enough to be taken. */
export type Claim = Pick<Lease, 'epoch' | 'renewal' | 'session'>;

interface HeldLease {
  readonly epoch: string;
  readonly number: number;
  readonly trust: Trust;
  /** The renewal tokens that the row may have: the acknowledged one and those sent since. */
  known: readonly string[];
}

/**
 * The leases of this replica. The store adds the leases that it takes, and the keeper renews them.
 * Code that sends requests or serves scrapes asks it first.
 */
export class HeldLeases {
  readonly replica: Replica;
  readonly times: LeaseTimes;
  readonly #clock: ReadableClock;
  readonly #pulse: Pulse;
  readonly #held = new Map<string, HeldLease>();
  readonly #claims = new Map<string, Claim>();

  constructor(options: {
    readonly replica: Replica;
    readonly times: LeaseTimes;
    readonly clock: ReadableClock;
  }) {
    this.replica = options.replica;
    this.times = options.times;
    this.#clock = options.clock;
    this.#pulse = new Pulse(options.clock, options.times);
  }

  /** Allows the store to take a lease that is not released. Ends with the next take or reading. */
  claim(account: string, claim: Claim): void {
    this.#claims.set(account, claim);
  }

  claimOf(account: string): Claim | undefined {
    const claim = this.#claims.get(account);
    this.#claims.delete(account);
    return claim;
  }

  /** The take is acknowledged. `from` is the moment before it was sent. */
  taken(account: string, { epoch, renewal }: LeaseTokens, number: number, from: Instant): void {
    const trust = new Trust(this.#clock, this.times, from);
    this.#held.set(account, { epoch, number, trust, known: [renewal] });
  }

  /** The lease was lost, released or not taken. */
  drop(account: string): void {
    this.#held.delete(account);
    this.#claims.delete(account);
  }

  get accounts(): readonly string[] {
    return [...this.#held.keys()];
  }

  /**
   * Whether this replica may serve the account and send its requests. Must be called for every
   * request and every response.
   */
  trusts(account: string): boolean {
    return this.remainingMilliseconds(account) > 0;
  }

  /** 0 if the account is not held, or may not be trusted. */
  remainingMilliseconds(account: string): number {
    const lease = this.#held.get(account);
    if (lease === undefined || this.#pulse.isStanding) return 0;
    return Math.max(0, lease.trust.remainingMilliseconds);
  }

  numberOf(account: string): number | undefined {
    return this.#held.get(account)?.number;
  }

  /** Must be called several times in each margin. Removes leases that may no longer be trusted. */
  pulse(): readonly string[] {
    const stood = this.#pulse.beat();
    const lost = this.accounts.filter((account) => stood || !this.trusts(account));
    for (const account of lost) this.drop(account);
    return lost;
  }

  /** The renewals to send; `token` makes the next one of each. */
  renewals(token: () => string): readonly Renewal[] {
    return [...this.#held].map(([account, lease]) => {
      const next = token();
      const { epoch, known } = lease;
      lease.known = [...known, next];
      return { account, epoch, known, next };
    });
  }

  /**
   * The renewals of leases that the database still had are acknowledged. Removes the other leases
   * and returns them. `from` is the moment before the renewals were sent.
   */
  renewed(
    renewals: readonly Renewal[],
    accounts: ReadonlySet<string>,
    from: Instant,
  ): readonly string[] {
    const lost: string[] = [];
    for (const { account, epoch, next } of renewals) {
      const lease = this.#held.get(account);
      // It was lost or taken again meanwhile.
      if (lease?.epoch !== epoch) continue;
      if (accounts.has(account)) {
        lease.known = [next];
        lease.trust.renewed(from);
      } else {
        this.drop(account);
        lost.push(account);
      }
    }
    return lost;
  }
}
