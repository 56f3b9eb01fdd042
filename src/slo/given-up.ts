import type { TimeRange } from '../domain/interval.ts';
import { present } from '../lib/present.ts';
import { subtract, union } from '../tally/maintenance-tally.ts';
import type { StateLog } from './state-log.ts';

/** Marks time of the log as not watched. The same object without any. */
export function withGivenUp(log: StateLog, ranges: readonly TimeRange[] = []): StateLog {
  if (ranges.length === 0) return log;
  return { ...log, givenUp: union([...(log.givenUp ?? []), ...ranges]) };
}

/** A report has these ranges, so they are watched. The same object if nothing in them was given up. */
export function withoutGivenUp(log: StateLog, read: readonly TimeRange[]): StateLog {
  if (log.givenUp === undefined) return log;
  const givenUp = subtract(log.givenUp, read);
  return present({ ...log, givenUp: givenUp.length > 0 ? givenUp : undefined });
}
