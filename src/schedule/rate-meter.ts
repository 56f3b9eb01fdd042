/** An exponentially weighted mean of requests per second. Times are milliseconds of a monotonic clock. */
export class RateMeter {
  readonly #memoryMilliseconds: number;
  #perSecond = 0;
  #at = 0;

  constructor(memorySeconds: number) {
    this.#memoryMilliseconds = memorySeconds * 1000;
  }

  count(requests: number, now: number): void {
    this.#perSecond = this.read(now) + (requests * 1000) / this.#memoryMilliseconds;
    this.#at = now;
  }

  read(now: number): number {
    return this.#perSecond * Math.exp(-Math.max(0, now - this.#at) / this.#memoryMilliseconds);
  }
}
