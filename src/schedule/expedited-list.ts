import type { Spending } from '../budget/budget.ts';
import type { MonotonicClock } from '../lib/clock.ts';
import type { Agenda } from './agenda.ts';
import { TokenBucket } from './token-bucket.ts';

/** The minimum time between two such refreshes. */
const pauseMilliseconds = 10_000;
/** They may use this share of the sustainable rate, and this many requests in a burst. */
const [share, burst] = [0.1, 6];

interface ExpeditedListOptions {
  readonly agenda: Agenda;
  readonly budget: Spending;
  readonly clock: MonotonicClock;
}

/** The refreshes of the check list that are requested before they are planned, within limits. */
export class ExpeditedList {
  readonly #options: ExpeditedListOptions;
  readonly #tokens = new TokenBucket();
  #putAt = Number.NEGATIVE_INFINITY;
  /** The earliest time at which a list is wanted, in monotonic milliseconds. */
  #wantedAt: number | undefined;

  constructor(options: ExpeditedListOptions) {
    this.#options = options;
    const now = options.clock.monotonic();
    this.#tokens.configure(0, burst, now);
    this.#tokens.resume(burst, now, now);
  }

  /** Requests a list at `at`, in monotonic milliseconds. */
  ask(at: number): void {
    this.#wantedAt = Math.min(this.#wantedAt ?? at, at);
  }

  /** Milliseconds until the requested list is put on the agenda; Infinity without a request. */
  dueIn(): number {
    if (this.#wantedAt === undefined) return Number.POSITIVE_INFINITY;
    const { clock, budget } = this.#options;
    const now = clock.monotonic();
    this.#tokens.configure(budget.view().requestsPerSecond * share, burst, now);
    return Math.max(
      0,
      this.#wantedAt - now,
      this.#putAt + pauseMilliseconds - now,
      this.#tokens.waitFor(1, now),
    );
  }

  putWhenDue(): void {
    if (this.dueIn() > 0) return;
    const { agenda, clock } = this.#options;
    const now = clock.monotonic();
    if (!agenda.expedite({ dataset: 'checks', id: 'account' }, now)) return;
    this.#tokens.take(1);
    this.#putAt = now;
    this.#wantedAt = undefined;
  }
}
