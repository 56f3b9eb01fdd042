/** Before anything is known nobody else is assumed to spend; that assumption weighs as a part of the memory. */
const priorShare = 1 / 12;

export interface OthersSnapshot {
  readonly requests: number;
  readonly seconds: number;
}

/** How fast the account's other clients spend: a mean whose older part counts less and less. Times are milliseconds. */
export class OthersMeter {
  #requests = 0;
  #milliseconds = 0;

  /** `requests` of others were counted in the last `milliseconds`; late answers may take some of them back. */
  add(requests: number, milliseconds: number, memoryMilliseconds: number): void {
    const kept = memoryMilliseconds > 0 ? Math.exp(-milliseconds / memoryMilliseconds) : 0;
    this.#requests = this.#requests * kept + requests;
    this.#milliseconds = this.#milliseconds * kept + memoryMilliseconds * (1 - kept);
  }

  /** So many that were counted had not been spent after all. */
  takeBack(requests: number): void {
    this.#requests = Math.max(Math.min(0, this.#requests), this.#requests - requests);
  }

  /** Requests per second. */
  rate(memoryMilliseconds: number): number {
    const observed = this.#milliseconds + memoryMilliseconds * priorShare;
    return observed > 0 ? (Math.max(0, this.#requests) * 1000) / observed : 0;
  }

  snapshot(): OthersSnapshot {
    return { requests: this.#requests, seconds: this.#milliseconds / 1000 };
  }

  restore({ requests, seconds }: OthersSnapshot): void {
    this.#requests = requests;
    this.#milliseconds = seconds * 1000;
  }
}
