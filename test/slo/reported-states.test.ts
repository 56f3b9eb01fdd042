import { describe, expect, test } from 'vitest';
import type { TalliedState } from '../../src/domain/interval.ts';
import {
  type ItemStates,
  type KnownOutage,
  knownUntil,
  outagesWithin,
  reportedSeconds,
} from '../../src/slo/reported-states.ts';
import { StateChanges } from '../../src/slo/state-changes.ts';
import { emptyLog, type HourSum, historySeconds } from '../../src/slo/state-log.ts';

const now = 1_700_000_000;
const hour = 3_600;

interface States {
  /** States, each from this many seconds before now on. The first begins the known time. */
  readonly changes?: readonly (readonly [state: TalliedState, secondsAgo: number])[];
  readonly hours?: readonly HourSum[];
  readonly created?: number;
  /** The last test. */
  readonly horizonAgo?: number;
  readonly state?: TalliedState;
}

function itemOf({ changes, hours = [], created, horizonAgo = 60, state }: States): ItemStates {
  const states = {
    startSeconds: now - 1_000 * hour,
    horizonSeconds: now - horizonAgo,
    state: state ?? changes?.at(-1)?.[0] ?? 'up',
  };
  const log = changes && {
    ...emptyLog(hours[0]?.fromSeconds ?? now - (changes[0]?.[1] ?? 0)),
    hours,
    changes: new StateChanges(
      changes.map(([inState]) => inState),
      changes.map(([, ago]) => now - ago),
    ),
  };
  return {
    known: log === undefined ? { states } : { states, log },
    createdAtSeconds: created,
    endSeconds: now,
  };
}

describe('the sums of a period', () => {
  test('of an item that was always up are the period, or its age', () => {
    expect(reportedSeconds(itemOf({}), 7 * hour)).toEqual({ up: 7 * hour, down: 0, outages: 0 });
    expect(reportedSeconds(itemOf({ created: now - hour }), 7 * hour)).toEqual({
      up: hour,
      down: 0,
      outages: 0,
    });
  });

  test('clip the outage in which the period begins, and leave out what is neither up nor down', () => {
    const item = itemOf({
      changes: [
        ['up', 20 * hour],
        ['down', 8 * hour],
        ['up', 6 * hour],
        ['unknown', 5 * hour],
        ['down', 4 * hour],
        ['unmonitored', 3 * hour],
        ['down', 2 * hour],
        ['up', hour],
      ],
    });
    expect(reportedSeconds(item, 7 * hour)).toEqual({ up: 2 * hour, down: 3 * hour, outages: 3 });
  });

  test('reach from the last test to the end in the state of that test', () => {
    const changes = [['up', 20 * hour] as const];
    expect(reportedSeconds(itemOf({ changes, state: 'down', horizonAgo: 300 }), hour)).toEqual({
      up: hour - 300,
      down: 300,
      outages: 1,
    });
  });

  test('are not known while a second since the creation is not', () => {
    const changes = [['up', 5 * hour] as const];
    expect(reportedSeconds(itemOf({ changes }), 7 * hour)).toBeUndefined();
    expect(reportedSeconds(itemOf({ changes }), 5 * hour)).toBeDefined();
    expect(reportedSeconds(itemOf({ changes, created: now - 4 * hour }), 7 * hour)).toBeDefined();
  });

  test('over folded hours have no outages, and a part of the first hour', () => {
    const seconds = { up: 2_400, down: 1_200, unknown: 0, unmonitored: 0 };
    const hours = [4, 3].map((ago) => ({
      fromSeconds: now - ago * hour,
      toSeconds: now - (ago - 1) * hour,
      seconds,
    }));
    const item = itemOf({ hours, changes: [['up', 2 * hour]] });

    expect(reportedSeconds(item, 3.5 * hour)).toEqual({ up: 2 * hour + 3_600, down: 1_800 });
    expect(reportedSeconds(item, 2 * hour)).toEqual({ up: 2 * hour, down: 0, outages: 0 });
  });
});

test('outages that touch a period are reported whole', () => {
  const item = itemOf({
    changes: [
      ['up', 20 * hour],
      ['down', 8 * hour],
      ['up', 6 * hour],
      ['down', 600],
    ],
  });
  const told = (fromAgo: number, toAgo: number) =>
    outagesWithin(item, { fromSeconds: now - fromAgo, toSeconds: now - toAgo }, now).map(
      (outage) => [now - outage.fromSeconds, outage.toSeconds && now - outage.toSeconds],
    );

  expect(told(7 * hour, 0)).toEqual([
    [8 * hour, 6 * hour],
    [600, undefined],
  ]);
  expect(told(6 * hour, 600)).toEqual([]);
  expect(told(20 * hour, 7 * hour)).toEqual([[8 * hour, 6 * hour]]);
});

test('an item that is down for the first time has an outage before anything of it is booked', () => {
  const range = { fromSeconds: now - hour, toSeconds: now };
  expect(outagesWithin(itemOf({ state: 'down' }), range, now)).toEqual([{ fromSeconds: now - 60 }]);
  expect(outagesWithin(itemOf({}), range, now)).toEqual([]);
});

describe('an outage that the list shows as open', () => {
  const since = (secondsAgo: number): KnownOutage => ({ fromSeconds: now - secondsAgo });
  const outagesOf = (changes: States['changes'], listedOpen: KnownOutage) =>
    outagesWithin(
      { ...itemOf({ ...(changes && { changes }) }), listedOpen },
      { fromSeconds: now - 30 * hour, toSeconds: now + 1 },
      now,
    );
  const open = { fromSeconds: now - hour };

  test('is known before anything is counted', () => {
    expect(outagesOf([['unknown', 0]], since(hour))).toEqual([open]);
    expect(outagesOf(undefined, since(hour))).toEqual([open]);
  });

  test('follows those that were counted before', () => {
    const changes = [
      ['down', 3 * hour],
      ['up', 2 * hour],
    ] as const;
    expect(outagesOf(changes, since(hour))).toEqual([
      { fromSeconds: now - 3 * hour, beganBefore: true, toSeconds: now - 2 * hour },
      open,
    ]);
  });

  test('is logged once, as it was counted', () => {
    expect(outagesOf([['down', 2 * hour]], since(hour))).toEqual([
      { fromSeconds: now - 2 * hour, beganBefore: true },
    ]);
    const over = [
      ['down', hour],
      ['up', hour / 2],
    ] as const;
    expect(outagesOf(over, since(hour))).toMatchObject([{ toSeconds: now - hour / 2 }]);
  });

  test('goes on where nothing is counted after what was counted of it, as at first sight', () => {
    const changes = [
      ['up', 2 * hour],
      ['down', hour],
    ] as const;
    const item = itemOf({ changes, horizonAgo: hour / 2, state: 'unknown' });
    const all = { fromSeconds: 0, toSeconds: now };

    expect(outagesWithin({ ...item, listedOpen: open }, all, now)).toEqual([open]);
    expect(outagesWithin(item, all, now)).toEqual([{ ...open, toSeconds: now - hour / 2 }]);
  });

  test('is known up to its list where the counted time ends before it', () => {
    const item = { ...itemOf({}), listedOpen: open, endSeconds: now - 2 * hour };
    const listedAtSeconds = now - hour / 2;
    expect(knownUntil({ ...item, listedAtSeconds }, open)).toBe(listedAtSeconds);
    expect(knownUntil(item, open)).toBe(now - hour);
    expect(knownUntil({ ...item, endSeconds: now }, open)).toBe(now);
    const { listedOpen: _, ...unlisted } = item;
    expect(knownUntil({ ...unlisted, listedAtSeconds }, { fromSeconds: 0 })).toBe(now - 2 * hour);
  });

  test('began before it was seen, where its start is not known', () => {
    const seen = { fromSeconds: now - hour, beganBefore: true } as const;
    expect(outagesOf(undefined, seen)).toEqual([seen]);
  });

  test('has the start of an outage that began before the known states', () => {
    const down = [['down', hour]] as const;
    const seen = { fromSeconds: now - hour, beganBefore: true } as const;
    expect(outagesOf(down, seen)).toEqual([seen]);
    expect(outagesOf(down, since(3 * hour))).toEqual([since(3 * hour)]);
  });

  test('is another one than the last that was counted, if it began later than that', () => {
    const item = { ...itemOf({ changes: [['down', 5 * hour]], horizonAgo: 3 * hour }) };
    const known = { ...item, listedOpen: since(hour), endSeconds: now - 3 * hour };
    expect(outagesWithin(known, { fromSeconds: 0, toSeconds: now }, now)).toEqual([
      {
        fromSeconds: now - 5 * hour,
        toSeconds: now - 3 * hour,
        beganBefore: true,
        endsLater: true,
      },
      open,
    ]);
  });

  test('lasts until now, however old its list is', () => {
    const item = { ...itemOf({}), listedOpen: since(hour), endSeconds: now - 2 * hour };
    const within = (fromSeconds: number, toSeconds: number) =>
      outagesWithin(item, { fromSeconds, toSeconds }, now);
    expect(within(now - 60, now)).toHaveLength(1);
    expect(within(now, now + hour)).toEqual([]);
    expect(within(0, now - hour)).toEqual([]);
  });
});

test('an outage whose check is listed as up is over, though its end is not known', () => {
  const item = itemOf({
    changes: [
      ['up', 5 * hour],
      ['down', hour],
    ],
    horizonAgo: 600,
  });
  const period = { fromSeconds: now - 30 * hour, toSeconds: now };
  const [ongoing] = outagesWithin(item, period, now);
  expect(ongoing).toEqual({ fromSeconds: now - hour });
  expect(outagesWithin({ ...item, isListedOver: true }, period, now)).toEqual([
    { fromSeconds: now - hour, toSeconds: now - 600, endsLater: true },
  ]);
});

test('the last outage of the list is one more until it is counted', () => {
  const item = itemOf({
    changes: [
      ['up', 5 * hour],
      ['down', 4 * hour],
      ['up', 3 * hour],
    ],
    horizonAgo: hour,
  });
  const withListed = (fromAgo: number, toAgo: number) => {
    const lastListed = { fromSeconds: now - fromAgo, toSeconds: now - toAgo };
    return outagesWithin({ ...item, lastListed }, { fromSeconds: 0, toSeconds: now }, now);
  };
  const counted = { fromSeconds: now - 4 * hour, toSeconds: now - 3 * hour };
  expect(withListed(hour / 2, hour / 3)).toEqual([
    counted,
    { fromSeconds: now - hour / 2, toSeconds: now - hour / 3 },
  ]);
  // The list shows the first good test after a pause.
  expect(withListed(4 * hour, hour / 2)).toEqual([counted]);
});

test('the last outage of the list is one more if it ended before the known states, in the stored time', () => {
  const seconds = { up: hour, down: 0, unknown: 0, unmonitored: 0 };
  const item = itemOf({
    hours: [{ fromSeconds: now - 6 * hour, toSeconds: now - 5 * hour, seconds }],
    changes: [
      ['up', 5 * hour],
      ['down', 4 * hour],
      ['up', 3 * hour],
    ],
    horizonAgo: hour,
  });
  const isShown = (fromAgo: number, toAgo: number) => {
    const lastListed = { fromSeconds: now - fromAgo, toSeconds: now - toAgo };
    return outagesWithin({ ...item, lastListed }, { fromSeconds: 0, toSeconds: now }, now).some(
      ({ fromSeconds }) => fromSeconds === lastListed.fromSeconds,
    );
  };
  const storedAgo = historySeconds + hour;
  expect(isShown(7 * hour, 6 * hour)).toBe(true);
  expect(isShown(7 * hour, 6 * hour - 1)).toBe(false);
  expect(isShown(storedAgo - 1, 6 * hour)).toBe(true);
  expect(isShown(storedAgo, 6 * hour)).toBe(false);
});
