import type { Random } from '../lib/random.ts';
import { IndexedHeap } from './indexed-heap.ts';
import type { AgendaEntry } from './refresh-task.ts';
import { type FailedTask, FailureStreak, retryMilliseconds } from './retry-delay.ts';

export interface FailureFacts {
  /** The credentials or the whole service failed, so the next success ends the wait. */
  readonly ofService?: boolean;
  /** The service asks to wait at least so long. No success ends that. */
  readonly waitMilliseconds?: number;
}

type Failure = FailedTask & FailureFacts;

/** After so many failures in a row, an item lets others go first. */
const yieldingFailures = 3;

export function isYielding({ failures }: AgendaEntry): boolean {
  return failures >= yieldingFailures;
}

/**
 * The items that wait for their next attempt after a failure or a postponement. An item that failed
 * because of the credentials or the whole service waits for its retry, or for the success of any
 * item. Times are milliseconds of a monotonic clock.
 */
export class Retries {
  readonly #random: Random;
  readonly #enqueue: (entry: AgendaEntry) => void;
  readonly #waiting = new IndexedHeap<AgendaEntry>((a, b) => a.retryAt < b.retryAt);
  readonly #streak: FailureStreak;
  /** Those that were held by the service since the last success, also if they no longer are. */
  #held: AgendaEntry[] = [];

  /** `enqueue` receives an item whose wait has ended. */
  constructor(random: Random, enqueue: (entry: AgendaEntry) => void) {
    this.#random = random;
    this.#enqueue = enqueue;
    this.#streak = new FailureStreak(random);
  }

  get size(): number {
    return this.#waiting.size;
  }

  has(entry: AgendaEntry): boolean {
    return this.#waiting.has(entry);
  }

  delete(entry: AgendaEntry): void {
    this.#waiting.delete(entry);
    entry.isHeldByService = false;
  }

  /** Milliseconds until the wait of an item ends; Infinity if none waits. */
  dueIn(now: number): number {
    return (this.#waiting.peek()?.retryAt ?? Number.POSITIVE_INFINITY) - now;
  }

  /** Milliseconds in which only status datasets are refreshed; 0 unless every refresh fails. */
  millisecondsToHold(now: number, running: number): number {
    return this.#streak.millisecondsToHold(now, running);
  }

  /** Ends the waits that are over. */
  releaseDue(now: number): void {
    for (;;) {
      const entry = this.#waiting.peek();
      if (entry === undefined || entry.retryAt > now) return;
      this.#waiting.delete(entry);
      this.#enqueue(entry);
    }
  }

  /** A refresh succeeded: the service works for the items that waited for it. */
  refreshSucceeded(): void {
    this.#streak.succeeded();
    const held = this.#held;
    this.#held = [];
    for (const entry of held) {
      if (!entry.isHeldByService) continue;
      entry.isHeldByService = false;
      entry.released = true;
      if (!this.#waiting.has(entry)) continue;
      this.#waiting.delete(entry);
      entry.retryAt = 0;
      this.#enqueue(entry);
    }
  }

  /** The item itself was refreshed: it no longer waits for the service. */
  itemRefreshed(entry: AgendaEntry): void {
    entry.failures = 0;
    entry.released = false;
    entry.isHeldByService = false;
  }

  /** Ends all waits: a person may have removed the causes. */
  releaseAll(): void {
    this.#streak.succeeded();
    for (;;) {
      const entry = this.#waiting.peek();
      if (entry === undefined) return;
      this.delete(entry);
      entry.retryAt = 0;
      this.#enqueue(entry);
    }
  }

  /** A refresh failed; its item may be off the agenda meanwhile. */
  refreshFailed(now: number, { waitMilliseconds = 0 }: FailureFacts): void {
    this.#streak.failed(now, waitMilliseconds);
  }

  /** The item waits, longer after each failure. */
  addFailed(entry: AgendaEntry, failure: Failure, now: number): void {
    const { ofService = false, waitMilliseconds = 0 } = failure;
    const isHeld = ofService && (!entry.released || this.#streak.isOfAccount(now));
    if (isHeld && waitMilliseconds === 0) this.#hold(entry);
    entry.failures += 1;
    const wait = retryMilliseconds(failure, entry.failures, this.#random);
    this.add(entry, now + Math.max(wait, waitMilliseconds));
    if (entry.request === undefined || !isYielding(entry)) return;
    entry.request = { ...entry.request, dueBy: Number.POSITIVE_INFINITY, isUrgent: false };
  }

  #hold(entry: AgendaEntry): void {
    if (!entry.isHeldByService) this.#held.push(entry);
    entry.isHeldByService = true;
  }

  /** The item waits until a time. The request that it served waits with it. */
  add(entry: AgendaEntry, until: number): void {
    entry.request ??= entry.running?.request;
    entry.retryAt = until;
    this.#waiting.add(entry);
  }
}
