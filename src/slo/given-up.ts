import type { TimeRange } from '../domain/interval.ts';
import { union } from '../tally/maintenance-tally.ts';
import type { StateLog } from './state-log.ts';

/** Marks time of the log as not watched. The same object without any. */
export function withGivenUp(log: StateLog, ranges: readonly TimeRange[] = []): StateLog {
  if (ranges.length === 0) return log;
  return { ...log, givenUp: union([...(log.givenUp ?? []), ...ranges]) };
}
