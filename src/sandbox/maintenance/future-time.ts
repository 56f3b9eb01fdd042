import { type Inputs, integerParameter } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';

/**
 * A time that is not over: 1 means now (API 3.1, section 2.5). The time that stands already may stand
 * again, even if it is past. UNIX seconds.
 */
export function futureTime(
  inputs: Inputs,
  name: string,
  now: number,
  standing?: number,
): number | undefined {
  const time = integerParameter(inputs, name, { min: 1 });
  if (time === 1) return now;
  if (time === undefined || time >= now || time === standing) return time;
  throw new Refusal(
    400,
    `Parameter ${name} must be a time in the future, or 1 for now, not ${time}`,
  );
}

/** Throws a 400 unless the span from `from` to `to` holds some time. */
export function requireOrder(from: number, to: number): void {
  if (to > from) return;
  throw new Refusal(400, `Parameter to must be after parameter from, ${from}, not ${to}`);
}
