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
 * The requested period of a report, which ends now at the latest. Throws a 400 for a period that
 * ends before it begins.
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

/** The entries, given oldest first, in the requested order. */
export function inOrder<T>(inputs: Inputs, oldestFirst: readonly T[]): readonly T[] {
  const order = enumParameter(inputs, 'order', ['asc', 'desc']);
  return order === 'desc' ? oldestFirst.toReversed() : oldestFirst;
}

/** Returns whether a probe was requested. If none is named, all are. */
export function probeSelection(inputs: Inputs): (probeId: number) => boolean {
  const ids = new Set(integerListParameter(inputs, 'probes'));
  return (probeId) => ids.size === 0 || ids.has(probeId);
}
