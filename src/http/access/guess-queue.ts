import type { Clock } from '../../lib/clock.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import type { Client } from './client.ts';

/** Passwords of one address that wait, are being checked, or were wrong and are not answered yet. */
const maxUnansweredOfAddress = 64;
/** Of all addresses. */
const maxWaiting = 1024;
const maxAddresses = 10_000;

/** A wrong password is answered after a second, the next one of the address after two, and so on up to this. */
const longestHoldMilliseconds = 8_000;
/** After this long without a wrong password an address is like any other. */
const forgivenAfterMilliseconds = 10 * 60_000;

interface Waiting {
  readonly client: Client;
  start(): void;
}

interface Failures {
  readonly count: number;
  readonly lastAt: number;
}

export interface GuessQueueOptions {
  /** Checks at a time. */
  readonly concurrency: number;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/**
 * The order in which passwords are checked that have not been seen before. Addresses with fewer wrong passwords go first;
 * among equals the address that was served longest ago, and of its programs the one that was. So whoever has the right
 * password waits for one check of each other address at most, however many guesses wait, and behind a shared address for
 * one check of each other program there.
 */
export class GuessQueue {
  readonly #concurrency: number;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #waiting: Waiting[] = [];
  readonly #failures = new RecentMap<string, Failures>(maxAddresses);
  /** Ends of the holds of an address, and how many of its passwords are being checked. */
  readonly #holds = new RecentMap<string, readonly number[]>(maxAddresses);
  readonly #running = new Map<string, number>();
  /** The turns in which an address, and a program of an address, was last served. */
  readonly #lastTurns = new RecentMap<string, number>(maxAddresses);
  #turn = 0;
  #busy = 0;

  constructor({ concurrency, clock }: GuessQueueOptions) {
    this.#concurrency = concurrency;
    this.#clock = clock;
  }

  /** Whether one more password of the address may wait. */
  admits(address: string): boolean {
    if (this.#waiting.length >= maxWaiting) return false;
    const waiting = this.#waiting.filter(({ client }) => client.address === address).length;
    const unanswered = waiting + (this.#running.get(address) ?? 0) + this.#heldOf(address).length;
    return unanswered < maxUnansweredOfAddress;
  }

  /** Runs the check in its turn and resolves with its result. */
  async run(client: Client, check: () => Promise<boolean>): Promise<boolean> {
    await new Promise<void>((resolve) => {
      this.#waiting.push({ client, start: resolve });
      this.#startNext();
    });
    const { address } = client;
    try {
      return await check();
    } finally {
      this.#busy--;
      const others = (this.#running.get(address) ?? 1) - 1;
      if (others === 0) this.#running.delete(address);
      else this.#running.set(address, others);
      this.#startNext();
    }
  }

  /**
   * Notes a wrong password; returns the milliseconds after which to answer it. Until then it counts as unanswered, also
   * when the client does not wait for the answer.
   */
  failed(address: string): number {
    const now = this.#clock.monotonic();
    const count = this.#failuresOf(address) + 1;
    this.#failures.set(address, { count, lastAt: now });
    const milliseconds = Math.min(longestHoldMilliseconds, 1_000 * 2 ** (count - 1));
    this.#holds.set(address, [...this.#heldOf(address), now + milliseconds]);
    return milliseconds;
  }

  #startNext(): void {
    while (this.#busy < this.#concurrency && this.#waiting.length > 0) {
      const next = this.#waiting.reduce((first, other) =>
        this.#compare(other.client, first.client) < 0 ? other : first,
      );
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      const { client } = next;
      this.#turn++;
      this.#lastTurns.set(client.address, this.#turn);
      this.#lastTurns.set(programOf(client), this.#turn);
      this.#busy++;
      this.#running.set(client.address, (this.#running.get(client.address) ?? 0) + 1);
      next.start();
    }
  }

  /** Negative where `one` comes before `other`; equals are served in the order in which they came. */
  #compare(one: Client, other: Client): number {
    return (
      this.#failuresOf(one.address) - this.#failuresOf(other.address) ||
      this.#lastTurnOf(one.address) - this.#lastTurnOf(other.address) ||
      this.#lastTurnOf(programOf(one)) - this.#lastTurnOf(programOf(other))
    );
  }

  #lastTurnOf(key: string): number {
    return this.#lastTurns.get(key) ?? 0;
  }

  #failuresOf(address: string): number {
    const failures = this.#failures.get(address);
    if (failures === undefined) return 0;
    const age = this.#clock.monotonic() - failures.lastAt;
    return age > forgivenAfterMilliseconds ? 0 : failures.count;
  }

  #heldOf(address: string): readonly number[] {
    const now = this.#clock.monotonic();
    const held = (this.#holds.get(address) ?? []).filter((end) => end > now);
    if (held.length === 0) this.#holds.delete(address);
    else this.#holds.set(address, held);
    return held;
  }
}

function programOf({ address, agent }: Client): string {
  return `${address} ${agent}`;
}
