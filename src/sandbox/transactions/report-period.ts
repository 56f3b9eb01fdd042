import { type Inputs, textParameter } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import { parseDateTime } from './date-time.ts';

/** [from, to) in UNIX seconds. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** The period a report is asked for. Without `to` it ends now, without `from` it begins `defaultSeconds` before its end. */
export function reportPeriod(inputs: Inputs, now: number, defaultSeconds: number): Period {
  const to = dateTimeParameter(inputs, 'to') ?? now;
  const from = dateTimeParameter(inputs, 'from') ?? to - defaultSeconds;
  if (from > to) throw new Refusal(400, 'Parameter from must not be later than parameter to');
  return { from, to };
}

function dateTimeParameter(inputs: Inputs, name: string): number | undefined {
  const text = textParameter(inputs, name);
  if (text === undefined) return undefined;
  const time = parseDateTime(text);
  if (time === undefined) {
    throw new Refusal(
      400,
      `Parameter ${name} must be a date and time of RFC 3339, such as 2021-04-22T06:34:41Z, not "${text}"`,
    );
  }
  // Nothing was monitored before the epoch, and a report has an entry for every interval.
  return Math.max(0, time);
}
