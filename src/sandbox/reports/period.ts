import { type Inputs, integerParameter } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';

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
    throw new Refusal(400, `Parameter from must not be later than parameter to: ${from}, ${until}`);
  }
  return { from: Math.min(from, to), to };
}
