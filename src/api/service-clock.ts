import type { ReadableClock } from '../lib/clock.ts';

/** The `Date` of a response (UNIX ms), and when it was requested and received (monotonic ms). */
export interface DatedResponse {
  /** The `Date` of the response, cut to the second (RFC 9110, section 6.6.1). */
  readonly date: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** A `Date` outside this range, from 2015 to the end of 2099, is a mistake. */
const earliest = Date.UTC(2015, 0);
const latest = Date.UTC(2100, 0);
const roundingMilliseconds = 1_000;
/** A larger change of the offset is a leap, which needs a second response that agrees. */
const leapMilliseconds = 60_000;
/** After a leap, another in its direction is accepted for this time: the clock has a new speed. */
const runMilliseconds = 300_000;
const maxOffsetSeconds = 60;

/** Returns whether the service's and this machine's clock differ enough to report it. */
export function isClockOff(offsetSeconds = 0): boolean {
  return Math.abs(offsetSeconds) > maxOffsetSeconds;
}

/**
 * The time of the service: the `Date` of its responses, advanced by the monotonic clock. It can be
 * ahead of the service only by the drift between two responses. Before the first response, it
 * continues another clock of the service, or is the wall clock of this machine.
 */
export class ServiceClock implements ReadableClock {
  readonly #clock: ReadableClock;
  /** The service's time minus the monotonic time, in milliseconds. */
  #offset: number | undefined;
  /** An offset that leaps away from the known one. It is used once a second response agrees. */
  #leap: number | undefined;
  /** The last accepted leap, in milliseconds, and its time by the monotonic clock. */
  #leapt = { by: 0, at: Number.NEGATIVE_INFINITY };

  constructor(clock: ReadableClock) {
    this.#clock = clock;
  }

  now(): number {
    if (this.#offset === undefined) return this.#clock.now();
    return Math.floor(this.#offset + this.#clock.monotonic());
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  /** The service's time minus this machine's, in whole seconds; undefined while that is not known. */
  get offsetSeconds(): number | undefined {
    if (this.#offset === undefined) return undefined;
    return Math.round((this.now() - this.#clock.now()) / 1000);
  }

  /** Takes over what another clock has learned of the same service. */
  continueFrom(other: ServiceClock): void {
    this.#offset = other.#offset;
  }

  responded({ date, sentAt, receivedAt }: DatedResponse): void {
    if (!(date >= earliest && date < latest)) return;
    const least = date - receivedAt;
    const most = date + roundingMilliseconds - sentAt;
    const current = this.#offset;
    if (current === undefined) {
      this.#offset = least;
      return;
    }
    const offset = current <= most ? Math.max(current, least) : least;
    const leaps = Math.abs(offset - current) > leapMilliseconds;
    const runs = this.#runs(offset - current, receivedAt);
    if (!leaps || runs || this.#agrees(current, offset)) {
      this.#offset = !leaps || runs ? offset : this.#nearer(current, offset);
      this.#leap = undefined;
      if (leaps) this.#leapt = { by: this.#offset - current, at: receivedAt };
    } else {
      this.#leap = offset;
    }
  }

  #runs(by: number, now: number): boolean {
    const { by: lastBy, at } = this.#leapt;
    return now - at < runMilliseconds && Math.sign(by) === Math.sign(lastBy);
  }

  /**
   * Returns whether a second response confirms a leap: it leaps in the same direction, at least as
   * far except for the tolerance. A clock that runs at another speed leaps further with every
   * response.
   */
  #agrees(current: number, offset: number): boolean {
    if (this.#leap === undefined) return false;
    return this.#leap > current
      ? offset > this.#leap - leapMilliseconds
      : offset < this.#leap + leapMilliseconds;
  }

  #nearer(current: number, offset: number): number {
    const leap = this.#leap ?? offset;
    return Math.abs(leap - current) < Math.abs(offset - current) ? leap : offset;
  }
}
