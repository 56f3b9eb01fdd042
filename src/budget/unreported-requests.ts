import type { Flight } from './window-end.ts';

/** A response: `good` if successful, which should have limits, `bad` otherwise, `none` if lost. */
export type ResponseKind = 'good' | 'bad' | 'none';

/** A request without a response may still reach the service within this time. */
const lostMilliseconds = 60_000;

interface UnreportedRequest {
  readonly releasedOrder: number;
  /** From this time on, the request cannot reach the service any more. */
  readonly provenAt: number;
}

/**
 * Requests whose own responses did not report the remaining requests. A later report may not
 * include them yet. Times are milliseconds of the monotonic clock.
 */
export class UnreportedRequests {
  #requests: UnreportedRequest[] = [];

  get count(): number {
    return this.#requests.length;
  }

  add({ releasedOrder, releasedAt }: Flight, response: ResponseKind): void {
    const provenAt = releasedAt + (response === 'none' ? lostMilliseconds : 0);
    this.#requests.push({ releasedOrder, provenAt });
  }

  /** Restores requests that were stored before a restart. None was sent later than now. */
  restore(count: number, now: number): void {
    const request = { releasedOrder: -1, provenAt: now + lostMilliseconds };
    this.#requests = new Array<UnreportedRequest>(count).fill(request);
  }

  /** Drops the requests that are included in the report of this flight. */
  reportedBy({ admittedOrder, admittedAt }: Flight): void {
    this.#requests = this.#requests.filter(
      ({ releasedOrder, provenAt }) => admittedOrder <= releasedOrder || admittedAt < provenAt,
    );
  }

  forgetUntil(oldest: number): void {
    this.#requests = this.#requests.filter(({ provenAt }) => provenAt > oldest);
  }

  /** The times after `since` when these requests can no longer reach the service, latest first. */
  provenAfter(since: number): number[] {
    const moments = this.#requests.map(({ provenAt }) => provenAt);
    return moments.filter((provenAt) => provenAt > since).sort((a, b) => b - a);
  }
}
