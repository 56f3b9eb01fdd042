import type { Clock } from '../../lib/clock.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import type { Client, KnownClients } from './client.ts';

/** Passwords of one party that wait, are being checked, or were wrong and are not answered yet. */
const maxUnansweredOfParty = 64;
/** Of all known clients, and of all other addresses. */
const maxWaiting = 1024;
const maxParties = 10_000;

/** A wrong password is answered after a second, the next one of the party after two, and so on up to this. */
const maxHoldMilliseconds = 8_000;
/** After this long without a wrong password a party is like any other. */
const forgivenAfterMilliseconds = 10 * 60_000;

/**
 * Whose wrong passwords are counted together: those of an address, except that a known client stands for itself, so that
 * nobody behind the same address uses up its places.
 */
interface Party {
  readonly known: boolean;
  readonly key: string;
}

interface Waiting {
  readonly client: Client;
  readonly party: Party;
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
  readonly known: Pick<KnownClients, 'has'>;
}

/**
 * The order in which passwords are checked that have not been seen before. Known clients go first. Then addresses with
 * fewer wrong passwords; among equals the address that was served longest ago, and of its programs the one that was. So a
 * known client waits for other known ones only, and anybody else who has the right password for one check of each other
 * address at most, however many guesses wait, and behind a shared address for one check of each other program there.
 *
 * Whoever shares the address of a known client can take its name. So one that got a password wrong comes after the known
 * ones that did not, and takes turns with the unknown: neither can keep the other out.
 */
export class GuessQueue {
  readonly #concurrency: number;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #known: Pick<KnownClients, 'has'>;
  readonly #waiting: Waiting[] = [];
  readonly #failures = new RecentMap<string, Failures>(maxParties);
  /** Ends of the holds of a party, and how many of its passwords are being checked. */
  readonly #holds = new RecentMap<string, readonly number[]>(maxParties);
  readonly #running = new Map<string, number>();
  /** The turns in which an address, and a program of an address, was last served. */
  readonly #lastServed = new RecentMap<string, number>(maxParties);
  #served = 0;
  #busy = 0;
  /** Whether, of known clients that failed and unknown ones, the known were served last. */
  #unknownAreNext = false;

  constructor({ concurrency, clock, known }: GuessQueueOptions) {
    this.#concurrency = concurrency;
    this.#clock = clock;
    this.#known = known;
  }

  /** Whether one more password of the client may wait. */
  admits(client: Client): boolean {
    const { known, key } = this.#partyOf(client);
    const alike = this.#waiting.filter(({ party }) => party.known === known);
    if (alike.length >= maxWaiting) return false;
    const waiting = alike.filter(({ party }) => party.key === key).length;
    const unanswered = waiting + (this.#running.get(key) ?? 0) + this.#heldOf(key).length;
    return unanswered < maxUnansweredOfParty;
  }

  /** Runs the check in its turn and resolves with its result. */
  async run(client: Client, check: () => Promise<boolean>): Promise<boolean> {
    const party = this.#partyOf(client);
    await new Promise<void>((resolve) => {
      this.#waiting.push({ client, party, start: resolve });
      this.#startNext();
    });
    try {
      return await check();
    } finally {
      this.#busy--;
      const others = (this.#running.get(party.key) ?? 1) - 1;
      if (others === 0) this.#running.delete(party.key);
      else this.#running.set(party.key, others);
      this.#startNext();
    }
  }

  /**
   * Notes a wrong password; returns the milliseconds after which to answer it. Until then it counts as unanswered, also
   * when the client does not wait for the answer.
   */
  failed(client: Client): number {
    const { key } = this.#partyOf(client);
    const now = this.#clock.monotonic();
    const count = this.#failuresOf(key) + 1;
    this.#failures.set(key, { count, lastAt: now });
    const milliseconds = Math.min(maxHoldMilliseconds, 1_000 * 2 ** (count - 1));
    this.#holds.set(key, [...this.#heldOf(key), now + milliseconds]);
    return milliseconds;
  }

  #startNext(): void {
    while (this.#busy < this.#concurrency && this.#waiting.length > 0) {
      const next = this.#waiting.reduce((first, other) =>
        this.#compare(other, first) < 0 ? other : first,
      );
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      const { client, party } = next;
      if (!party.known) this.#unknownAreNext = false;
      else if (this.#failuresOf(party.key) > 0) this.#unknownAreNext = true;
      this.#served++;
      this.#lastServed.set(client.address, this.#served);
      this.#lastServed.set(programOf(client), this.#served);
      this.#busy++;
      this.#running.set(party.key, (this.#running.get(party.key) ?? 0) + 1);
      next.start();
    }
  }

  /** Negative where `one` comes before `other`; equals are served in the order in which they came. */
  #compare(one: Waiting, other: Waiting): number {
    return (
      this.#rankOf(one.party) - this.#rankOf(other.party) ||
      this.#failuresOf(one.party.key) - this.#failuresOf(other.party.key) ||
      this.#lastTurnOf(one.client.address) - this.#lastTurnOf(other.client.address) ||
      this.#lastTurnOf(programOf(one.client)) - this.#lastTurnOf(programOf(other.client))
    );
  }

  #rankOf({ known, key }: Party): number {
    if (!known) return 2;
    if (this.#failuresOf(key) === 0) return 0;
    return this.#unknownAreNext ? 3 : 1;
  }

  #partyOf(client: Client): Party {
    const known = this.#known.has(client);
    return { known, key: known ? programOf(client) : client.address };
  }

  #lastTurnOf(key: string): number {
    return this.#lastServed.get(key) ?? 0;
  }

  #failuresOf(key: string): number {
    const failures = this.#failures.get(key);
    if (failures === undefined) return 0;
    const age = this.#clock.monotonic() - failures.lastAt;
    return age > forgivenAfterMilliseconds ? 0 : failures.count;
  }

  #heldOf(key: string): readonly number[] {
    const now = this.#clock.monotonic();
    const held = (this.#holds.get(key) ?? []).filter((end) => end > now);
    if (held.length === 0) this.#holds.delete(key);
    else this.#holds.set(key, held);
    return held;
  }
}

function programOf({ address, agent }: Client): string {
  return `${address} ${agent}`;
}
