import { z } from 'zod';
import { amount, type TypeOf } from '../lib/schema.ts';

/**
 * The estimate starts from the assumption that no other client spends. That assumption counts like
 * an observation over this share of the memory.
 */
const priorShare = 1 / 12;

export const othersSnapshotSchema = z.object({ requests: z.number(), seconds: amount });
type OthersSnapshot = TypeOf<typeof othersSnapshotSchema>;

/** The spending rate of the account's other clients: an exponentially weighted mean, in ms. */
export class OthersMeter {
  #requests = 0;
  #milliseconds = 0;

  /** Adds `requests` that others spent in the last `milliseconds`; `takeBack` may correct them. */
  add(requests: number, milliseconds: number, memoryMilliseconds: number): void {
    const kept = memoryMilliseconds > 0 ? Math.exp(-milliseconds / memoryMilliseconds) : 0;
    this.#requests = this.#requests * kept + requests;
    this.#milliseconds = this.#milliseconds * kept + memoryMilliseconds * (1 - kept);
  }

  /** Subtracts requests that were added although others had not spent them. */
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
