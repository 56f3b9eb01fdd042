/** Limits spending to a rate, with bursts up to `burst`. Monotonic milliseconds. */
export class TokenBucket {
  #perMillisecond = 0;
  #burst = 0;
  #tokens = 0;
  #filledAt = 0;

  /** Sets the rate and the burst. Tokens beyond the new burst are lost. */
  configure(perSecond: number, burst: number, now: number): void {
    this.#fill(now);
    this.#perMillisecond = perSecond / 1000;
    this.#burst = burst;
    this.#tokens = Math.min(this.#tokens, burst);
  }

  get burst(): number {
    return this.#burst;
  }

  /** The available tokens; negative while the bucket is in debt. */
  level(now: number): number {
    this.#fill(now);
    return this.#tokens;
  }

  /** Continues from the level that a bucket with the same rate had at an earlier time `at`. */
  resume(level: number, at: number, now: number): void {
    this.#tokens = Math.min(this.#burst, level + Math.max(0, now - at) * this.#perMillisecond);
    this.#filledAt = now;
  }

  /**
   * Milliseconds until `cost` may be taken; Infinity if never. A cost above the burst needs only a
   * full bucket and leaves it in debt, so that costly refreshes do not starve.
   */
  waitFor(cost: number, now: number): number {
    this.#fill(now);
    if (this.#burst <= 0) return Number.POSITIVE_INFINITY;
    const missing = Math.min(cost, this.#burst) - this.#tokens;
    if (missing <= 0) return 0;
    return this.#perMillisecond > 0 ? missing / this.#perMillisecond : Number.POSITIVE_INFINITY;
  }

  take(cost: number): void {
    this.#tokens -= cost;
  }

  giveBack(cost: number): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + cost);
  }

  #fill(now: number): void {
    const grown = this.#tokens + Math.max(0, now - this.#filledAt) * this.#perMillisecond;
    this.#tokens = Math.min(this.#burst, grown);
    this.#filledAt = now;
  }
}
