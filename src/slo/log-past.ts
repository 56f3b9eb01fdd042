import type { StateSpan } from '../domain/interval.ts';
import { bounded, folded } from './log-bounds.ts';
import { type StateChange, StateChanges } from './state-changes.ts';
import type { KnownStates, StateLog } from './state-log.ts';

/**
 * Prepends the states of the time before the log. They end where the log begins. What is counted
 * stays, because counters begin later. States that ended by `oldestSeconds` are removed.
 */
export function withPast(
  log: StateLog,
  past: readonly StateSpan[],
  oldestSeconds: number,
): StateLog {
  const [oldestSpan, last] = [past[0], past.at(-1)];
  if (oldestSpan === undefined || last === undefined) return log;
  const known = { ...log, knownFromSeconds: oldestSpan.fromSeconds };
  const older: StateChange[] = [];
  for (const { state, fromSeconds } of past) {
    if (older.at(-1)?.state !== state) older.push({ state, fromSeconds });
  }
  if (log.hours.length > 0) {
    return bounded(
      { ...known, hours: [...folded(StateChanges.of(older), last.toSeconds), ...log.hours] },
      oldestSeconds,
    );
  }
  const [next, ...rest] = log.changes;
  // The start of an open outage that was already known is inside the spans that were read.
  const first = next && { ...next, fromSeconds: Math.max(next.fromSeconds, last.toSeconds) };
  const isSame = first === undefined || first.state === older.at(-1)?.state;
  const changes = StateChanges.of([...older, ...(isSame ? [] : [first]), ...rest]);
  return bounded({ ...known, changes }, oldestSeconds);
}

/**
 * Replaces the states of the tail, which these fill, and the tail by what is left of it. Folded hours
 * keep what they have. Where nothing is recorded since first sight, the states end with the tail.
 */
export function withTail(
  known: KnownStates & { readonly log: StateLog },
  spans: readonly StateSpan[],
  left?: StateLog['tail'],
): StateLog {
  const { tail, ...log } = known.log;
  const changes = [...log.changes];
  if (tail === undefined || (changes[0]?.fromSeconds ?? tail.toSeconds) > tail.fromSeconds) {
    return log;
  }
  const { fromSeconds, toSeconds } = tail;
  const isRecorded = known.states.horizonSeconds > toSeconds;
  const next = isRecorded && changes.findLast((change) => change.fromSeconds <= toSeconds);
  const older = [
    ...changes.filter((change) => change.fromSeconds < fromSeconds),
    ...spans.map((span) => ({ state: span.state, fromSeconds: span.fromSeconds })),
    ...(next ? [{ ...next, fromSeconds: toSeconds }] : []),
  ];
  const isChange = (change: StateChange, place: number) => change.state !== older[place - 1]?.state;
  const newer = changes.filter((change) => change.fromSeconds > toSeconds);
  const states = StateChanges.of([...older.filter(isChange), ...newer]);
  return { ...log, changes: states, ...(left !== undefined && { tail: left }) };
}
