/** The prior assumption is that no other client spends. It weighs as much as this part of the memory. */
const priorShare = 1 / 12;

export interface OthersSnapshot {
  readonly requests: number;
  readonly seconds: number;
}

/**
 * The rate at which the account's other clients spend: a mean in which older requests weigh less and less. Times are
 * milliseconds.
 */
export class OthersMeter {
  #requests = 0;
  #milliseconds = 0;

  /** Others spent `requests` in the last `milliseconds`; late responses may take some of them back. */
  add(requests: number, milliseconds: number, memoryMilliseconds: number): void {
    const kept = memoryMilliseconds > 0 ? Math.exp(-milliseconds / memoryMilliseconds) : 0;
    this.#requests = this.#requests * kept + requests;
    this.#milliseconds = this.#milliseconds * kept + memoryMilliseconds * (1 - kept);
  }

  /** This many requests were counted but had not been spent by others. */
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
