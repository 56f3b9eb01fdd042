import type { Flight } from './window-end.ts';

/** Whether there was an answer to a request, and whether it was one that should bear the headers. */
export type AnswerKind = 'good' | 'bad' | 'none';

/** A request that was given up can still be on its way to the service for this long. */
const lostMilliseconds = 60_000;

interface UnreportedRequest {
  readonly settledOrder: number;
  /** From here on it cannot arrive at the service any more. */
  readonly provenAt: number;
}

/**
 * Requests whose own answer did not say what was left after them, so that a reading may not count them yet. Times are milliseconds
 * of the monotonic clock.
 */
export class UnreportedRequests {
  #requests: UnreportedRequest[] = [];

  get count(): number {
    return this.#requests.length;
  }

  add({ settledOrder, settledAt }: Flight, answer: AnswerKind): void {
    const provenAt = settledAt + (answer === 'none' ? lostMilliseconds : 0);
    this.#requests.push({ settledOrder, provenAt });
  }

  /** Stored before the process ended: until now, at the latest, they were not given up. */
  restore(count: number, now: number): void {
    const request = { settledOrder: -1, provenAt: now + lostMilliseconds };
    this.#requests = new Array<UnreportedRequest>(count).fill(request);
  }

  /** Forgets those that the answer to this request counts. */
  reportedBy({ admittedOrder, admittedAt }: Flight): void {
    this.#requests = this.#requests.filter(
      ({ settledOrder, provenAt }) => admittedOrder <= settledOrder || admittedAt < provenAt,
    );
  }

  forgetUntil(oldest: number): void {
    this.#requests = this.#requests.filter(({ provenAt }) => provenAt > oldest);
  }

  /** The moments after `since` from which they cannot arrive any more, the latest first. */
  provenAfter(since: number): number[] {
    const moments = this.#requests.map(({ provenAt }) => provenAt);
    return moments.filter((provenAt) => provenAt > since).sort((a, b) => b - a);
  }
}
