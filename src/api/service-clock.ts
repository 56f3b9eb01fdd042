import type { Clock } from '../lib/clock.ts';

/**
 * The date of a response by the service's clock, and when request and response were sent and received by the
 * monotonic clock; milliseconds.
 */
export interface DatedResponse {
  /** The `Date` of the response, cut to the second (RFC 9110, section 6.6.1). */
  readonly date: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** A `Date` outside of this range is a mistake: 2015 to 2100. */
const earliest = Date.UTC(2015, 0);
const latest = Date.UTC(2100, 0);
const roundingMilliseconds = 1_000;
/** An offset that differs more than this from the known one needs a second response that agrees. */
const leapMilliseconds = 60_000;
/**
 * Within this time after a leap, another leap in the same direction is believed at once: the service's time runs
 * faster.
 */
const runMilliseconds = 300_000;
const maxOffsetSeconds = 60;

/** Returns whether the service's clock differs so much from this machine's clock that the user should know. */
export function isClockOff(offsetSeconds = 0): boolean {
  return Math.abs(offsetSeconds) > maxOffsetSeconds;
}

/**
 * The time of the service: the `Date` of its responses, advanced by the monotonic clock. It is ahead of the service
 * at most by the drift between two responses. Before the first response, it is the wall clock of this machine.
 */
export class ServiceClock implements Pick<Clock, 'now' | 'monotonic'> {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  /** The service's time minus the monotonic time. */
  #offset: number | undefined;
  /** An offset that differs by a leap. It is not used until a second response agrees. */
  #leap: number | undefined;
  /** The last leap that was believed, with its time by the monotonic clock. */
  #leapt = { by: 0, at: Number.NEGATIVE_INFINITY };

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
  }

  now(): number {
    if (this.#offset === undefined) return this.#clock.now();
    return Math.floor(this.#offset + this.#clock.monotonic());
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  /** The service's time minus this machine's, in whole seconds; undefined before the first response. */
  get offsetSeconds(): number | undefined {
    if (this.#offset === undefined) return undefined;
    return Math.round((this.now() - this.#clock.now()) / 1000);
  }

  replied({ date, sentAt, receivedAt }: DatedResponse): void {
    if (!(date >= earliest && date < latest)) return;
    const least = date - receivedAt;
    const most = date + roundingMilliseconds - sentAt;
    const known = this.#offset;
    if (known === undefined) {
      this.#offset = least;
      return;
    }
    const offset = known <= most ? Math.max(known, least) : least;
    const leaps = Math.abs(offset - known) > leapMilliseconds;
    const runs = this.#runs(offset - known, receivedAt);
    if (!leaps || runs || this.#agrees(known, offset)) {
      this.#offset = !leaps || runs ? offset : this.#nearer(known, offset);
      this.#leap = undefined;
      if (leaps) this.#leapt = { by: this.#offset - known, at: receivedAt };
    } else {
      this.#leap = offset;
    }
  }

  #runs(by: number, now: number): boolean {
    const { by: before, at } = this.#leapt;
    return now - at < runMilliseconds && Math.sign(by) === Math.sign(before);
  }

  /** When the service's time runs faster, it leaps further with every response. */
  #agrees(known: number, offset: number): boolean {
    if (this.#leap === undefined) return false;
    return this.#leap > known
      ? offset > this.#leap - leapMilliseconds
      : offset < this.#leap + leapMilliseconds;
  }

  #nearer(known: number, offset: number): number {
    const leap = this.#leap ?? offset;
    return Math.abs(leap - known) < Math.abs(offset - known) ? leap : offset;
  }
}
