import { describe, expect, test } from 'vitest';
import { type StateChange, StateChanges } from '../../../src/slo/state-changes.ts';
import { emptyLog } from '../../../src/slo/state-log.ts';
import type { StateTotals } from '../../../src/state/items/totals.ts';
import {
  type LastOutageItem,
  LastOutageStarts,
} from '../../../src/state/standing/last-outage-starts.ts';

const start = 1_767_225_607;
const [minute, hour, day] = [60, 3_600, 86_400];
const horizon = 3 * hour;

/** Changes at seconds after the start. */
type Changes = readonly (readonly [state: StateChange['state'], atSeconds: number])[];

function totalsOf(changes: Changes, fields: Partial<StateTotals['states']> = {}): StateTotals {
  return {
    states: {
      startSeconds: start,
      horizonSeconds: start + horizon,
      state: 'up' as const,
      ...fields,
    },
    log: {
      ...emptyLog(start),
      changes: new StateChanges(
        changes.map(([state]) => state),
        changes.map(([, at]) => start + at),
      ),
    },
  };
}

function lastOf(
  totals: StateTotals,
  now = horizon,
  maintenance: readonly (readonly [number, number])[] = [],
) {
  const starts = new LastOutageStarts();
  starts.move(start + now, [], () => {});
  const ranges = maintenance.map(([from, to]) => ({
    fromSeconds: start + from,
    toSeconds: start + to,
  }));
  const last = starts.of({ lastOutageUntilSeconds: undefined }, totals, ranges);
  return last === undefined ? undefined : last - start;
}

const tenMinutes: Changes = [
  ['up', 0],
  ['down', hour],
  ['up', hour + 10 * minute],
];

describe('the last outage', () => {
  test.each([
    ['is the one that has ended', tenMinutes, {}, hour],
    [
      'is the latest of several',
      [...tenMinutes, ['down', 2 * hour], ['up', 2 * hour + minute]],
      {},
      2 * hour,
    ],
    [
      'is the one before an outage that lasts',
      [...tenMinutes, ['down', 2 * hour]],
      { state: 'down' },
      hour,
    ],
    [
      'has ended when what follows is unknown',
      [
        ['up', 0],
        ['down', hour],
        ['unknown', 2 * hour],
      ],
      { state: 'unknown' },
      hour,
    ],
    [
      'has ended at the horizon',
      [
        ['up', 0],
        ['down', hour],
      ],
      {},
      hour,
    ],
    [
      'is none while the first one lasts',
      [
        ['up', 0],
        ['down', hour],
      ],
      { state: 'down' },
      undefined,
    ],
    [
      'is none that was open at first sight',
      [
        ['down', 0],
        ['up', hour],
      ],
      {},
      undefined,
    ],
  ] as const satisfies readonly (readonly [
    string,
    Changes,
    Partial<StateTotals['states']>,
    unknown,
  ])[])('%s', (_, changes, states, expected) => {
    expect(lastOf(totalsOf(changes, states))).toBe(expected);
  });

  test('is absent for an item that was always up', () => {
    const { states } = totalsOf([]);
    expect(lastOf({ states })).toBeUndefined();
  });

  test.each([
    ['lies in maintenance', [[hour, hour + 10 * minute]], undefined],
    [
      'lies in two windows that touch',
      [
        [hour - minute, hour + 5 * minute],
        [hour + 5 * minute, hour + 20 * minute],
      ],
      undefined,
    ],
    ['begins in maintenance and outlasts it', [[hour - minute, hour + 9 * minute]], hour],
    ['begins before maintenance', [[hour + 1, 2 * hour]], hour],
  ] as const)('that %s', (_, maintenance, expected) => {
    expect(lastOf(totalsOf(tenMinutes), horizon, maintenance)).toBe(expected);
  });

  test('is removed 24 hours after its end, and its item is reported', () => {
    const ended = hour + 10 * minute;
    expect(lastOf(totalsOf(tenMinutes), ended + day - 1)).toBe(hour);
    expect(lastOf(totalsOf(tenMinutes), ended + day)).toBeUndefined();
    const starts = new LastOutageStarts();
    const item: LastOutageItem = { lastOutageUntilSeconds: undefined };
    starts.move(start + horizon, [item], () => {});
    starts.of(item, totalsOf(tenMinutes), []);
    const expired: LastOutageItem[] = [];
    const moveTo = (seconds: number) =>
      starts.move(start + seconds, [item], (one) => expired.push(one));
    moveTo(ended + day - 1);
    expect(expired).toEqual([]);
    moveTo(ended + day);
    expect(expired).toEqual([item]);
    moveTo(ended + 2 * day);
    expect(expired).toEqual([item]);
  });
});
