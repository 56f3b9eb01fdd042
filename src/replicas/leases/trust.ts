import type { ReadableClock } from '../../lib/clock.ts';
import type { LeaseTimes } from './lease.ts';

/** A moment on both clocks, in milliseconds. */
export interface Instant {
  readonly monotonic: number;
  readonly wall: number;
}

export function instantOf(clock: ReadableClock): Instant {
  return { monotonic: clock.monotonic(), wall: clock.now() };
}

/** The longer of the times that both clocks show since the instant. */
function millisecondsSince(instant: Instant, clock: ReadableClock): number {
  return Math.max(clock.monotonic() - instant.monotonic, clock.now() - instant.wall);
}

/**
 * Detects that the process was suspended. A process that is stopped between a check and its effect
 * cannot detect that with the check.
 */
export class Pulse {
  readonly #clock: ReadableClock;
  readonly #marginMilliseconds: number;
  #last: Instant;

  constructor(clock: ReadableClock, { marginMilliseconds }: LeaseTimes) {
    this.#clock = clock;
    this.#marginMilliseconds = marginMilliseconds;
    this.#last = instantOf(clock);
  }

  /**
   * Must be called several times in each margin. Returns whether the process was suspended before.
   */
  beat(): boolean {
    const stood = this.isStanding;
    this.#last = instantOf(this.#clock);
    return stood;
  }

  /** Whether the process is suspended, as far as it can know now. */
  get isStanding(): boolean {
    return millisecondsSince(this.#last, this.#clock) > this.#marginMilliseconds;
  }
}

/**
 * How long a holder trusts its lease. Both clocks decide: the monotonic clock stops while a machine
 * sleeps, and the wall clock can be set back.
 */
export class Trust {
  readonly #clock: ReadableClock;
  readonly #milliseconds: number;
  #from: Instant;

  /** `from` is the moment before the take was sent. */
  constructor(clock: ReadableClock, times: LeaseTimes, from: Instant) {
    this.#clock = clock;
    this.#milliseconds = times.ttlMilliseconds - times.marginMilliseconds;
    this.#from = from;
  }

  /** `from` is the moment before an acknowledged renewal was sent. */
  renewed(from: Instant): void {
    this.#from = from;
  }

  /** Zero or negative once the lease may no longer be trusted. */
  get remainingMilliseconds(): number {
    return this.#milliseconds - millisecondsSince(this.#from, this.#clock);
  }
}
