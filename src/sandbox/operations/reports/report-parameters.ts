import { HttpError } from '../../server/http-error.ts';
import {
  enumParameter,
  type Inputs,
  integerListParameter,
  integerParameter,
} from '../../server/parameters.ts';

export const hour = 3600;
export const day = 24 * hour;
export const week = 7 * day;

/** UNIX seconds. Tests at either end are in the period; its duration is `to - from`. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * The period a report is asked about; it ends now at the latest, for there is nothing to report after
 * that. Throws a 400 for one that ends before it begins.
 */
export function periodOf(inputs: Inputs, now: number, defaultFrom: (to: number) => number): Period {
  const until = integerParameter(inputs, 'to', { min: 0 }) ?? now;
  const to = Math.min(until, now);
  const from = integerParameter(inputs, 'from', { min: 0 }) ?? Math.max(0, defaultFrom(to));
  if (from > until) {
    throw new HttpError(
      400,
      `Parameter from must not be later than parameter to: ${from}, ${until}`,
    );
  }
  return { from: Math.min(from, to), to };
}

/** The entries, which are oldest first, in the order asked for. */
export function inOrder<T>(inputs: Inputs, oldestFirst: readonly T[]): readonly T[] {
  const order = enumParameter(inputs, 'order', ['asc', 'desc']);
  return order === 'desc' ? oldestFirst.toReversed() : oldestFirst;
}

/** Whether a probe is one of those asked for; all are when none is named. */
export function probeSelection(inputs: Inputs): (probeId: number) => boolean {
  const ids = new Set(integerListParameter(inputs, 'probes'));
  return (probeId) => ids.size === 0 || ids.has(probeId);
}
