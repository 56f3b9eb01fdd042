import type { Clock } from '../lib/clock.ts';

/** When a reply was made by the service's clock, and when it was under way by the monotonic one; milliseconds. */
export interface DatedReply {
  /** The `Date` of the reply, which is cut to the second (RFC 9110, section 6.6.1). */
  readonly date: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** A `Date` outside of this span is a mistake: 2015 to 2100. */
const earliest = Date.UTC(2015, 0);
const latest = Date.UTC(2100, 0);
const roundingMilliseconds = 1_000;
/** Further away from what is known, another reply has to agree. */
const leapMilliseconds = 60_000;
/** Within so long of one leap, another that goes the same way needs no reply to agree: the service's time runs faster. */
const runMilliseconds = 300_000;
const maxOffsetSeconds = 60;

/** Whether the service's clock differs so much from that of this machine that somebody should know. */
export function isClockOff(offsetSeconds = 0): boolean {
  return Math.abs(offsetSeconds) > maxOffsetSeconds;
}

/**
 * The time of the service: the `Date` of its replies, carried on by the monotonic clock, and never ahead of
 * the service by more than the clocks drift apart between two replies. Before the first reply, the wall
 * clock of this machine has to do.
 */
export class ServiceClock implements Pick<Clock, 'now' | 'monotonic'> {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  /** The service's time less the monotonic one. */
  #offset: number | undefined;
  /** An offset that leaps, until another reply agrees. */
  #leap: number | undefined;
  /** The last leap that was believed, and when it was, by the monotonic clock. */
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

  /** The service's time less that of this machine, in whole seconds; undefined before the first reply. */
  get offsetSeconds(): number | undefined {
    if (this.#offset === undefined) return undefined;
    return Math.round((this.now() - this.#clock.now()) / 1000);
  }

  replied({ date, sentAt, receivedAt }: DatedReply): void {
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

  /** A service whose time runs faster leaps further with every reply. */
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
