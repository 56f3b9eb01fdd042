import type { LeaseTimes } from './lease.ts';

/** Returns the number of accounts that each replica holds at most, once they are balanced. */
export function fairShare(accounts: number, replicas: number): number {
  return Math.ceil(accounts / replicas);
}

/**
 * Decides when a replica that holds more than its share releases one account. The number of live
 * replicas must have been the same for twice the time to live, no lease may be without a holder,
 * and only the replica with the most accounts releases one, so that accounts move one by one.
 */
export class Balance {
  readonly #stableMilliseconds: number;
  #live = '';
  #since = 0;

  constructor({ ttlMilliseconds }: LeaseTimes) {
    this.#stableMilliseconds = 2 * ttlMilliseconds;
  }

  /**
   * `holders` has the holder of each account, undefined for an account without one; `live` has the
   * ids of the live replicas in order. `now` is monotonic, in milliseconds.
   */
  isSurplus(
    self: string,
    holders: readonly (string | undefined)[],
    live: readonly string[],
    now: number,
  ): boolean {
    const names = live.join(' ');
    if (names !== this.#live) {
      this.#live = names;
      this.#since = now;
    }
    if (now - this.#since < this.#stableMilliseconds) return false;
    const counts = new Map(live.map((id) => [id, 0]));
    for (const holder of holders) {
      if (holder === undefined || !counts.has(holder)) return false;
      counts.set(holder, (counts.get(holder) ?? 0) + 1);
    }
    const own = counts.get(self) ?? 0;
    if (own <= fairShare(holders.length, live.length)) return false;
    const most = Math.max(...counts.values());
    return own === most && live.find((id) => counts.get(id) === most) === self;
  }
}
