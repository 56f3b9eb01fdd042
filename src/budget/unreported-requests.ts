import type { Flight } from './window-end.ts';

/** Whether there was a response, and whether it is of a kind that has limit headers. */
export type ResponseKind = 'good' | 'bad' | 'none';

/** A request that was given up may still reach the service within this time. */
const lostMilliseconds = 60_000;

interface UnreportedRequest {
  readonly releasedOrder: number;
  /** From this moment it cannot reach the service any more. */
  readonly provenAt: number;
}

/**
 * Requests whose own responses did not report the remaining requests. A later report may not count them yet. Times
 * are milliseconds of the monotonic clock.
 */
export class UnreportedRequests {
  #requests: UnreportedRequest[] = [];

  get count(): number {
    return this.#requests.length;
  }

  add({ releasedOrder, releasedAt }: Flight, answer: ResponseKind): void {
    const provenAt = releasedAt + (answer === 'none' ? lostMilliseconds : 0);
    this.#requests.push({ releasedOrder, provenAt });
  }

  /** These were stored before the process ended. They were given up at the latest now. */
  restore(count: number, now: number): void {
    const request = { releasedOrder: -1, provenAt: now + lostMilliseconds };
    this.#requests = new Array<UnreportedRequest>(count).fill(request);
  }

  /** Forgets the requests that the response to this flight counts. */
  reportedBy({ admittedOrder, admittedAt }: Flight): void {
    this.#requests = this.#requests.filter(
      ({ releasedOrder, provenAt }) => admittedOrder <= releasedOrder || admittedAt < provenAt,
    );
  }

  forgetUntil(oldest: number): void {
    this.#requests = this.#requests.filter(({ provenAt }) => provenAt > oldest);
  }

  /** The moments after `since` from which these requests cannot reach the service any more, the latest first. */
  provenAfter(since: number): number[] {
    const moments = this.#requests.map(({ provenAt }) => provenAt);
    return moments.filter((provenAt) => provenAt > since).sort((a, b) => b - a);
  }
}
