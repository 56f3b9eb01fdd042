import { hashUnit } from '../lib/hash.ts';
import { day } from '../lib/instant.ts';
import type { Wire } from '../wire.ts';
import type { History } from './history.ts';
import type { MonitoredCheck } from './monitored-check.ts';

const endSalt = 88;

/** The time in UNIX seconds from which on a report of this period has states; infinite if it has none. */
export function reportBegin(
  history: History,
  check: MonitoredCheck,
  { from, to }: { readonly from: number; readonly to: number },
  { reportsBegin }: Pick<Wire, 'reportsBegin'>,
): number {
  if (reportsBegin === 'period') return from;
  const [first] = history.results(check, from, to + 1);
  return first?.time ?? Number.POSITIVE_INFINITY;
}

/** So long before its period, in seconds, a state of a report may begin. */
const longestBefore = 40 * day;

/** The states of a report that begins at a time: cut there, or with the whole of the first one. */
export function fromBegin<S extends { readonly to: number }>(
  begin: number,
  { reportedStates, reportsBegin }: Pick<Wire, 'reportedStates' | 'reportsBegin'>,
  statesFrom: (seconds: number) => readonly S[],
): readonly S[] {
  if (reportedStates === 'cut' || reportsBegin === 'first-test') return statesFrom(begin);
  return statesFrom(begin - longestBefore).filter(({ to }) => to > begin);
}

/** The time in UNIX seconds up to which a report at `now` has states. */
export function reportEnd(
  history: History,
  check: MonitoredCheck,
  now: number,
  { reportsEnd }: Pick<Wire, 'reportsEnd'>,
): number {
  if (reportsEnd === 'now') return now;
  const pausedAt = pauseAfterTests(history, check, now);
  if (pausedAt !== undefined) return pausedAt;
  const lastTest = history.lastTest(check, now)?.time ?? 0;
  if (reportsEnd === 'last-test') return lastTest;
  const resolution = check.runs.findLast(({ from }) => from <= now)?.resolutionSeconds ?? 0;
  return Math.max(lastTest, now - Math.floor(hashUnit(check.id, now, endSalt) * resolution));
}

/**
 * When the pause began that ended the state of the last test: while a check is paused, and then until
 * its first test. UNIX seconds.
 */
export function pauseAfterTests(
  history: History,
  check: MonitoredCheck,
  now: number,
): number | undefined {
  const lastTest = history.lastTest(check, now)?.time ?? 0;
  return check.runs.find(({ to }) => to !== undefined && to > lastTest && to <= now)?.to;
}
