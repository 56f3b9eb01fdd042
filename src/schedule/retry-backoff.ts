import { type Backoff, backoffMilliseconds } from '../lib/backoff.ts';
import type { Random } from '../lib/random.ts';

/** Whether a failure may pass by itself, or only a person can end it. */
export type FailureKind = 'transient' | 'persistent';

/** The status datasets are tried more often than others: they are what tells that the service is back. */
const backoffs: {
  readonly [S in 'status' | 'others']: { readonly [K in FailureKind]: Backoff };
} = {
  status: {
    transient: { baseMilliseconds: 60_000, capMilliseconds: 300_000 },
    persistent: { baseMilliseconds: 300_000, capMilliseconds: 900_000 },
  },
  others: {
    transient: { baseMilliseconds: 60_000, capMilliseconds: 3_600_000 },
    persistent: { baseMilliseconds: 300_000, capMilliseconds: 21_600_000 },
  },
};

/** Milliseconds until an item that failed so often in a row is tried again. */
export function retryMilliseconds(
  status: boolean,
  kind: FailureKind,
  failures: number,
  random: Random,
): number {
  return backoffMilliseconds(backoffs[status ? 'status' : 'others'][kind], failures, random);
}
