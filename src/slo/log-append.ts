import type { StateSpan } from '../domain/interval.ts';
import { present } from '../lib/present.ts';
import { addSpans, noSeconds, type StateTally } from '../tally/state-tally.ts';
import { bounded } from './log-bounds.ts';
import { type StateChange, StateChanges } from './state-changes.ts';
import {
  emptyLog,
  firstSightOf,
  historySeconds,
  isBeginning,
  isFirstTest,
  type KnownStates,
  keptFromSeconds,
  type StateLog,
  spanAfter,
} from './state-log.ts';

/**
 * Appends recorded spans, which fill the time from the horizon to that of `next`. The same object if
 * no state changes; undefined while the item was always up.
 */
export function append(
  known: KnownStates,
  recorded: readonly StateSpan[],
  next: Pick<StateTally, 'horizonSeconds' | 'state'>,
): StateLog | undefined {
  const { states, log } = known;
  const [first] = recorded;
  if (first === undefined) return log;
  if (log === undefined && recorded.every(({ state }) => state === 'up')) return undefined;
  const before = withoutEmptyState(log ?? upUntil(known), first);
  const { startSeconds, state: stateAtHorizon } = states;
  let { seconds, outages, lastOutageSeconds } = before;
  const fresh: StateChange[] = [];
  let last = before.changes.at(-1);
  const endOutage = (atSeconds: number) => {
    if (last?.state !== 'down' || !isBeginning(before, last.fromSeconds)) return;
    lastOutageSeconds = atSeconds - last.fromSeconds;
  };
  // A good test at the horizon has already ended the outage before it.
  const isGoodAtHorizon = stateAtHorizon === 'up';
  // An outage that was not open at first sight is not counted.
  const isEndedAtHorizon = isGoodAtHorizon || (stateAtHorizon !== 'down' && isFirstTest(states));
  for (const span of recorded) {
    const { state, fromSeconds } = span;
    const isEnded = span === first && isEndedAtHorizon;
    const isAnother = span === first && isGoodAtHorizon && state === 'down';
    if (last?.state === state && !isAnother) continue;
    if (!isEnded) endOutage(fromSeconds);
    if (last !== undefined) {
      seconds = addSpans(seconds, spanAfter(startSeconds, { ...last, toSeconds: fromSeconds }));
    }
    // An outage that is open at the start is not counted. It may have begun just then.
    if (state === 'down' && fromSeconds > startSeconds) outages += 1;
    last = { state, fromSeconds };
    fresh.push(last);
  }
  if (next.state === 'up') endOutage(next.horizonSeconds);
  const oldestSeconds = keptFromSeconds(known, next.horizonSeconds);
  if (fresh.length === 0 && lastOutageSeconds === before.lastOutageSeconds) {
    return bounded(before, oldestSeconds);
  }
  const counters = present({ seconds, outages, lastOutageSeconds });
  const changes = before.changes.with(fresh);
  return bounded({ ...before, ...counters, changes }, oldestSeconds);
}

/** A last state that begins where another one is recorded now has lasted for no time. */
function withoutEmptyState(log: StateLog, { state, fromSeconds }: StateSpan): StateLog {
  const { states, times } = log.changes;
  const isEmpty = (times.at(-1) ?? Number.NEGATIVE_INFINITY) >= fromSeconds;
  if (!isEmpty || states.at(-1) === state) return log;
  return { ...log, changes: new StateChanges(states.slice(0, -1), times.slice(0, -1)) };
}

/** The log of an item that was up until the horizon: since 35 days before first sight, or sealed. */
function upUntil(known: KnownStates): StateLog {
  const { startSeconds, horizonSeconds } = known.states;
  const fromSeconds = Math.max(
    keptFromSeconds(known, horizonSeconds),
    firstSightOf(known) - historySeconds,
  );
  return {
    ...emptyLog(fromSeconds),
    changes: new StateChanges(['up'], [fromSeconds]),
    seconds: { ...noSeconds, up: Math.max(0, fromSeconds - startSeconds) },
  };
}
