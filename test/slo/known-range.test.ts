import { describe, expect, test } from 'vitest';
import type { TalliedState } from '../../src/domain/interval.ts';
import { withGivenUp } from '../../src/slo/given-up.ts';
import { unknownParts } from '../../src/slo/known-range.ts';
import { bounded } from '../../src/slo/log-bounds.ts';
import { logAtFirstSight } from '../../src/slo/past.ts';
import { StateChanges } from '../../src/slo/state-changes.ts';
import { emptyLog, type StateLog } from '../../src/slo/state-log.ts';

const day = 86_400;
const start = 1_767_225_600;
/** UNIX seconds, of days after first sight. */
const at = (days: number) => start + days * day;
const range = (from: number, to: number) => ({ fromSeconds: at(from), toSeconds: at(to) });
const states = { startSeconds: start, horizonSeconds: at(1), state: 'up' as const };
const read = { createdAtSeconds: at(-100), isPastRead: true };

/** A log with these states, each from a day on. */
function logOf(...changes: readonly (readonly [TalliedState, number])[]): StateLog {
  return {
    ...emptyLog(at(changes[0]?.[1] ?? 0)),
    changes: StateChanges.of(changes.map(([state, from]) => ({ state, fromSeconds: at(from) }))),
  };
}

describe('of a range is not known', () => {
  test('nothing, if the item has no log and was created before', () => {
    expect(unknownParts({ states }, read, range(-30, 1))).toEqual({ awaited: [], unwatched: [] });
  });

  test('what is more than 35 days before first sight, or all before it without a creation', () => {
    const { unwatched } = unknownParts({ states }, read, range(-60, 1));
    expect(unwatched).toEqual([range(-60, -35)]);
    const uncreated = unknownParts({ states }, { isPastRead: true }, range(-60, 1));
    expect(uncreated).toEqual({ awaited: [], unwatched: [range(-60, 0)] });
  });

  test('the past while it is read; what slides out of the reach of the report is not watched', () => {
    const known = { states, log: logOf(['up', 0]) };
    expect(unknownParts(known, read, range(-60, 1))).toEqual({
      awaited: [range(-34, 0)],
      unwatched: [range(-60, -34)],
    });
    const young = { ...read, createdAtSeconds: at(-3) };
    expect(unknownParts(known, young, range(-3, 1))).toEqual({
      awaited: [range(-3, 0)],
      unwatched: [],
    });
  });

  test('the past that is not read in this configuration', () => {
    const known = { states, log: logOf(['up', 0]) };
    const { awaited, unwatched } = unknownParts(known, { isPastRead: false }, range(-60, 1));
    expect({ awaited, unwatched }).toEqual({ awaited: [], unwatched: [range(-60, 0)] });
  });

  test('the past before an open outage whose start is listed', () => {
    const entry = { createdAtSeconds: at(-100), lastDownStartAtSeconds: at(-2) };
    const log = logAtFirstSight(entry, 'down', start) as StateLog;
    const parts = unknownParts({ states: { ...states, state: 'down' }, log }, read, range(-5, 1));
    expect(parts).toEqual({ awaited: [range(-5, -2)], unwatched: [] });
    expect(
      unknownParts({ states: { ...states, state: 'down' }, log }, read, range(-1, 1)).awaited,
    ).toEqual([]);
  });

  test('nothing from the time on that a paused check was not tested', () => {
    const known = { states, log: withGivenUp(logOf(['unmonitored', 0]), [range(0, 0.5)]) };
    const paused = { isPastRead: false, notTestedFromSeconds: at(-50) };
    expect(unknownParts(known, paused, range(-60, 1)).unwatched).toEqual([range(-60, -50)]);
  });

  test('the tail, and what was given up', () => {
    const log = logOf(['up', -35], ['unknown', -0.5], ['up', 0]);
    const known = { states, log: { ...log, tail: { ...range(-0.5, 0), askFromSeconds: start } } };
    expect(unknownParts(known, read, range(-1, 1)).awaited).toEqual([range(-0.5, 0)]);
    const refused = withGivenUp(log, [range(-9, -8), range(0, 0.25)]);
    expect(unknownParts({ states, log: refused }, read, range(-8.5, 1))).toEqual({
      awaited: [],
      unwatched: [range(-8.5, -8), range(0, 0.25)],
    });
  });
});

describe('time that was given up', () => {
  const log = logOf(['up', -40], ['unmonitored', -39], ['up', -10]);

  test('is joined', () => {
    const marked = withGivenUp(withGivenUp(log, [range(-20, -19)]), [range(-19, -18)]);
    expect(marked.givenUp).toEqual([range(-20, -18)]);
  });

  test('is kept for a year after its states are removed, and a tail is not', () => {
    const marked = {
      ...withGivenUp(log, [range(-39, -38), range(-36, -35), range(-20, -19)]),
      tail: { ...range(-39, -38), askFromSeconds: start },
    };
    const kept = bounded(marked, at(-37));
    expect(kept.givenUp).toEqual(marked.givenUp);
    expect(kept.tail).toBeUndefined();
    expect(bounded(kept, at(-37))).toBe(kept);
    expect(bounded(kept, at(365 - 35)).givenUp).toEqual([range(-20, -19)]);
    expect(bounded(kept, at(365)).givenUp).toBeUndefined();
  });
});
