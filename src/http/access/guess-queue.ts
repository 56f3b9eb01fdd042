import type { Clock } from '../../lib/clock.ts';
import { RecentMap } from '../../lib/recent-map.ts';

/** The maximum number of an address's passwords that wait, are compared, or await a response. */
const maxPendingOfAddress = 16;
/** The maximum number of waiting passwords, over all addresses. */
const maxWaiting = 1024;
/** The maximum number of waiting passwords that have returned; these need no place. */
const maxReturned = 64;
/** The delay after a wrong password. It limits an address to eight passwords a second. */
export const holdMilliseconds = 2_000;
const maxAddresses = 10_000;
/** The maximum number of remembered digests: about 10 MB, and only during an attack. */
const maxTurnedAway = 100_000;

/** A password that has not been compared yet. */
interface Guess {
  readonly address: string;
  /** Identifies user and password. */
  readonly digest: string;
}

interface Waiting {
  readonly address: string;
  readonly hasReturned: boolean;
  start(): void;
}

interface GuessQueueOptions {
  /** Comparisons at a time. */
  readonly concurrency: number;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/**
 * The order in which new passwords are compared. Addresses take turns, and each has a limited
 * number of places. A password that finds no place is turned away; when it returns, it goes first
 * and needs no place. Guessers try each password once, but a scraper returns with the same one. So
 * a scraper loses at most one scrape, even when guessers with its own address take all places.
 */
export class GuessQueue {
  readonly #concurrency: number;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #waiting: Waiting[] = [];
  /** The number of passwords per address that wait or are being compared. */
  readonly #open = new Map<string, number>();
  /** The times, per address, at which the responses to its wrong passwords are due. */
  readonly #holds = new RecentMap<string, readonly number[]>(maxAddresses);
  readonly #lastTurn = new RecentMap<string, number>(maxAddresses);
  readonly #turnedAway = new RecentMap<string, true>(maxTurnedAway);
  #turns = 0;
  #busy = 0;

  constructor({ concurrency, clock }: GuessQueueOptions) {
    this.#concurrency = concurrency;
    this.#clock = clock;
  }

  /** Runs the check in its turn. Resolves with undefined if the guess is turned away. */
  async run(
    { address, digest }: Guess,
    check: () => Promise<boolean>,
  ): Promise<boolean | undefined> {
    const hasReturned = this.#turnedAway.has(digest);
    if (!this.#admits(address, hasReturned)) {
      this.#turnedAway.set(digest, true);
      return undefined;
    }
    this.#turnedAway.delete(digest);
    this.#open.set(address, this.#openOf(address) + 1);
    await new Promise<void>((resolve) => {
      this.#waiting.push({ address, hasReturned, start: resolve });
      this.#startNext();
    });
    try {
      const isRight = await check();
      if (!isRight) this.#hold(address);
      return isRight;
    } finally {
      this.#busy--;
      const others = this.#openOf(address) - 1;
      if (others === 0) this.#open.delete(address);
      else this.#open.set(address, others);
      this.#startNext();
    }
  }

  #admits(address: string, hasReturned: boolean): boolean {
    if (hasReturned) {
      return this.#waiting.filter((waiting) => waiting.hasReturned).length < maxReturned;
    }
    const unanswered = this.#openOf(address) + this.#holdsOf(address).length;
    return this.#waiting.length < maxWaiting && unanswered < maxPendingOfAddress;
  }

  #startNext(): void {
    while (this.#busy < this.#concurrency && this.#waiting.length > 0) {
      const next = this.#waiting.reduce((first, other) =>
        this.#compare(other, first) < 0 ? other : first,
      );
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#turns++;
      this.#lastTurn.set(next.address, this.#turns);
      this.#busy++;
      next.start();
    }
  }

  /** Negative if `one` goes before `other`; equals keep the order of arrival. */
  #compare(one: Waiting, other: Waiting): number {
    return (
      Number(other.hasReturned) - Number(one.hasReturned) ||
      (this.#lastTurn.get(one.address) ?? 0) - (this.#lastTurn.get(other.address) ?? 0)
    );
  }

  /** A wrong password counts until its response is due, even after a disconnect. */
  #hold(address: string): void {
    const due = this.#clock.monotonic() + holdMilliseconds;
    this.#holds.set(address, [...this.#holdsOf(address), due]);
  }

  #holdsOf(address: string): readonly number[] {
    const now = this.#clock.monotonic();
    return (this.#holds.get(address) ?? []).filter((due) => due > now);
  }

  #openOf(address: string): number {
    return this.#open.get(address) ?? 0;
  }
}
