/*
 * One of several replicas owns an account. Its lease is a row in the database. The protocol is
 * described and checked in docs/replicas/model.md.
 */

export interface LeaseTimes {
  /** The holder of a lease trusts it for `ttl - margin` after a renewal. */
  readonly ttlMilliseconds: number;
  /**
   * Another replica takes a lease that was not renewed for `ttl + margin`. The two margins cover
   * the difference between clocks, and a process that is suspended between a check and its effect.
   */
  readonly marginMilliseconds: number;
}

/** Returns the times of leases with this time to live. */
export function leaseTimes(ttlSeconds: number): LeaseTimes {
  const ttlMilliseconds = 1000 * ttlSeconds;
  return { ttlMilliseconds, marginMilliseconds: ttlMilliseconds / 6 };
}

/** A process that shares the accounts of a database with others. */
export interface Replica {
  /** A random id, different for each process. */
  readonly id: string;
  /** The name, as text for people. */
  readonly name: string;
  /** The address of its views, if one is configured. */
  readonly url?: string;
}

/** Tokens are random, because numbers repeat after a failover or a restore. */
export interface LeaseTokens {
  /** Changes with each take. */
  readonly epoch: string;
  /** Changes with each renewal. */
  readonly renewal: string;
}

/** A database session of a replica. The start time is needed because process numbers are reused. */
export interface SessionKey {
  readonly pid: number;
  readonly startedAt: string;
}

/** A lease as it was read. */
export interface Lease extends LeaseTokens {
  readonly account: string;
  readonly holder: Replica;
  /** Counts the takes, for people. It may repeat after a restore. */
  readonly number: number;
  /** UNIX time of the last take or release, by the clock of the database. */
  readonly sinceSeconds: number;
  readonly isReleased: boolean;
  /**
   * False if the row was restored from a dump, or written before a failover or the restore of a
   * backup. Then later writes of it may be lost, such as a take by a replica that still trusts it.
   */
  readonly isCurrent: boolean;
  /** The session with which the holder commits. */
  readonly session: SessionKey;
  /** Changes with each webhook that another replica has received; absent before the first. */
  readonly call?: string;
}

/** The row of a replica as it was read. */
export interface SeenReplica extends Replica {
  /** Changes with each beat. */
  readonly token: string;
}

export interface LeaseReport {
  readonly leases: readonly Lease[];
  readonly replicas: readonly SeenReplica[];
  /** The accounts whose renewal is acknowledged. */
  readonly renewed: ReadonlySet<string>;
}

export interface Renewal {
  readonly account: string;
  readonly epoch: string;
  /** The renewal tokens that the row may have. */
  readonly known: readonly string[];
  readonly next: string;
}

export interface Beat {
  readonly replica: Replica;
  readonly renewals: readonly Renewal[];
  /** Replicas that have not changed their token for a long time; their rows are deleted. */
  readonly dead: readonly string[];
}

/** The leases in the database. */
export interface LeaseDatabase {
  /**
   * Renews leases, registers this replica and reads all leases and replicas, on the primary, with a
   * connection of its own. Rejects if the outcome is not known.
   */
  beat(beat: Beat): Promise<LeaseReport>;
  /** Asks the holder of the account to read its check list now. */
  call(account: string): Promise<void>;
  /** Removes the row of this replica, so that others no longer count it. */
  leave(replica: Replica): Promise<void>;
  close(): Promise<void>;
}
