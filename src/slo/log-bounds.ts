import type { TalliedState, TimeRange } from '../domain/interval.ts';
import { present } from '../lib/present.ts';
import { StateChanges } from './state-changes.ts';
import { givenUpKeptSeconds, type HourSum, type StateLog, spansOf } from './state-log.ts';

/** With more changes, the oldest are folded into sums by the hour. */
export const maxChanges = 4_000;
const hourSeconds = 3_600;

/**
 * Folds changes beyond `maxChanges` into hours, and removes states that ended by `oldestSeconds`. A
 * state is removed as a whole, so the start of the oldest one that stays is known. The last state,
 * which may be an open outage, always stays. The same object if there is nothing to do.
 */
export function bounded(log: StateLog, oldestSeconds: number): StateLog {
  const { hours, changes } = log.changes.length > maxChanges ? foldedToHours(log) : log;
  const oldHours = leading(hours, ({ toSeconds }) => toSeconds <= oldestSeconds);
  const { times } = changes;
  const oldChanges = leading(times, (_, place) => {
    const next = times[place + 1];
    return next !== undefined && next <= oldestSeconds;
  });
  const { tail, givenUp } = log;
  const isTailOld = tail !== undefined && tail.toSeconds <= oldestSeconds;
  const isOld = ({ toSeconds }: TimeRange) => toSeconds <= oldestSeconds - givenUpKeptSeconds;
  const oldGivenUp = givenUp === undefined ? 0 : leading(givenUp, isOld);
  const isBounded = oldHours === 0 && oldChanges === 0 && oldGivenUp === 0 && !isTailOld;
  if (changes === log.changes && isBounded) return log;
  const first = oldChanges === 0 ? times[0] : undefined;
  const begin = hours[oldHours]?.fromSeconds ?? first ?? log.knownFromSeconds;
  return present({
    ...log,
    tail: isTailOld ? undefined : tail,
    givenUp: givenUp && oldGivenUp < givenUp.length ? givenUp.slice(oldGivenUp) : undefined,
    knownFromSeconds: Math.max(log.knownFromSeconds, begin),
    hours: oldHours === 0 ? hours : hours.slice(oldHours),
    changes: changes.from(oldChanges),
  });
}

/** How many of the first elements match, up to the first one that does not. */
function leading<T>(all: readonly T[], matches: (one: T, place: number) => boolean): number {
  const first = all.findIndex((one, place) => !matches(one, place));
  return first === -1 ? all.length : first;
}

/** The oldest changes as hours. The last two changes, and so an open outage, are not folded. */
function foldedToHours({ hours, changes }: StateLog): Pick<StateLog, 'hours' | 'changes'> {
  const { states, times } = changes;
  const excess = times.at(-maxChanges) ?? 0;
  const newest = times.at(-2) ?? excess;
  const cut = Math.min(Math.ceil(excess / hourSeconds) * hourSeconds, newest);
  const kept = times.findLastIndex((fromSeconds) => fromSeconds <= cut);
  const state = states[kept] ?? 'unknown';
  const older = new StateChanges(states.slice(0, kept + 1), times.slice(0, kept + 1));
  return {
    hours: [...hours, ...folded(older, cut)],
    changes: StateChanges.of([{ state, fromSeconds: cut }, ...changes.from(kept + 1)]),
  };
}

/** Folds changes into sums by hour of UNIX time. */
export function folded(changes: StateChanges, untilSeconds: number): HourSum[] {
  const sums: { fromSeconds: number; toSeconds: number; seconds: Seconds }[] = [];
  for (const { state, fromSeconds, toSeconds } of spansOf(changes, untilSeconds)) {
    let from = fromSeconds;
    while (from < toSeconds) {
      const hourEnd = (Math.floor(from / hourSeconds) + 1) * hourSeconds;
      const to = Math.min(hourEnd, toSeconds);
      const sum = sums.at(-1);
      if (sum !== undefined && sum.toSeconds > hourEnd - hourSeconds) {
        sum.toSeconds = to;
        sum.seconds[state] += to - from;
      } else {
        const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
        seconds[state] = to - from;
        sums.push({ fromSeconds: from, toSeconds: to, seconds });
      }
      from = to;
    }
  }
  return sums;
}

type Seconds = { [S in TalliedState]: number };
