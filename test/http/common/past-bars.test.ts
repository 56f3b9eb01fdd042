import { describe, expect, test } from 'vitest';
import { type Item, itemsOf } from '../../../src/http/common/items.ts';
import {
  addToBars,
  availabilityIn,
  barLook,
  describeBar,
  describeBars,
  emptyBars,
  type PastBar,
  pastBars,
  sumBars,
  uncountedFrom,
} from '../../../src/http/common/past-bars.ts';
import type { AccountStatus } from '../../../src/http/ports.ts';
import { StateChanges } from '../../../src/slo/state-changes.ts';
import { emptyLog, type StateLog } from '../../../src/slo/state-log.ts';
import type { ItemPast } from '../../../src/state/items/item-past.ts';
import { checkWith, datasetWith, healthyAccount, logOf, noon } from '../../support/snapshots.ts';

const [hour, day] = [3_600, 86_400];

interface KnownPast extends ItemPast {
  readonly log?: StateLog;
}

/**
 * One check with a past, counted up to noon, without a failure in the ranges of its error budget.
 */
function itemWith(past: KnownPast | undefined, created?: number, horizon = noon) {
  const objective = { ratio: 0.999, reason: 'default' };
  const budget = { objective, errorRatios: { '30d': 0 }, burnRates: {}, remainingRatio: 1 };
  const state = past?.log?.changes.at(-1)?.state ?? 'up';
  const tally = { startSeconds: noon - 100 * day, horizonSeconds: horizon, state };
  const known = { states: tally, ...(past?.log !== undefined && { log: past.log }) };
  const states = { known, endSeconds: horizon };
  const status: AccountStatus = {
    ...healthyAccount({
      checks: [
        {
          ...checkWith({ id: 1, ...(created !== undefined && { createdAtSeconds: created }) }),
          budget,
        },
      ],
    }),
    past: { ofCheck: () => past, ofTransaction: () => undefined },
    ...(past !== undefined && {
      states: { ofCheck: () => states, ofTransaction: () => undefined },
    }),
  };
  const [item] = itemsOf([status]);
  if (item === undefined) throw new Error('there is a check');
  return item;
}

function barsOf(
  past: KnownPast | undefined,
  range: '24h' | '7d' | '30d',
  created?: number,
  horizon?: number,
) {
  return pastBars(itemWith(past, created, horizon), range, noon);
}

const later = { fromSeconds: noon - 9.5 * hour, toSeconds: noon - 8 * hour };
const failed: KnownPast = {
  outages: [],
  log: logOf([
    { state: 'up', fromSeconds: noon - 35 * day },
    { state: 'down', fromSeconds: noon - 10 * hour },
    { state: 'up', fromSeconds: noon - 9 * hour + 60 },
    { state: 'unmonitored', fromSeconds: noon - 2 * hour },
    { state: 'unknown', fromSeconds: noon - hour },
  ]),
};

function lookOf(bar: PastBar, permitted?: number): string {
  const look = barLook(bar, permitted);
  if (typeof look === 'string') return look;
  return look.map(({ shows, degree }) => `${shows} ${degree}`).join(' + ');
}

describe('a strip of a group', () => {
  const since = (days: number): KnownPast => ({
    outages: [],
    log: logOf([{ state: 'up', fromSeconds: noon - days * day }]),
  });
  const stripOf = (...days: readonly number[]) => {
    const bars = emptyBars('30d', noon);
    for (const one of days) addToBars(bars, itemWith(since(one), noon - 100 * day), noon);
    return bars;
  };

  test('does not count a day as up of which much is not known', () => {
    const bars = stripOf(35, 5);
    const looks = bars.map((bar) => lookOf(bar));
    expect(looks).toEqual([...Array(25).fill('none'), ...Array(5).fill('up')]);
    expect(describeBar(bars[0] as PastBar)).toBe('no failure known, 1 d not known yet');
    expect(describeBar(bars[25] as PastBar)).toBe('up');
    expect(describeBars(bars, undefined)).toBe('no failure, in the 58 % of the time that is known');
  });

  test('counts a day as up of which little is not known, or before a check was created', () => {
    const bars = stripOf(...Array(20).fill(35), 5);
    addToBars(bars, itemWith(since(5), noon - 5 * day), noon);
    expect(bars.map((bar) => lookOf(bar))).toEqual(Array(30).fill('up'));
    expect(describeBars(bars, undefined)).toBe('no failure');
  });
});

describe('a strip', () => {
  test('has a bar for each half an hour of a day, in the state that was', () => {
    const looks = barsOf(failed, '24h').map((bar) => lookOf(bar));

    expect(looks).toHaveLength(48);
    expect(looks.slice(0, 28)).toEqual(Array(28).fill('up'));
    expect(looks.slice(28, 32)).toEqual(['down whole', 'down whole', 'down slight', 'up']);
    expect(looks.slice(44)).toEqual(['paused', 'paused', 'unknown whole', 'unknown whole']);
  });

  test('holds every second of its window once', () => {
    for (const [window, seconds] of [
      ['24h', day],
      ['7d', 7 * day],
      ['30d', 30 * day],
    ] as const) {
      const { seconds: sum } = sumBars(barsOf(failed, window));
      expect(sum.down).toBeCloseTo(hour + 60, 6);
      expect(sum.up + sum.down + sum.unknown + sum.unmonitored).toBeCloseTo(seconds, 6);
    }
  });

  test('of a check that was always up begins with the check, and ends where it is counted', () => {
    const looks = barsOf({ outages: [] }, '24h', noon - 6 * hour, noon - hour).map((bar) =>
      lookOf(bar),
    );

    expect(looks.slice(0, 36)).toEqual(Array(36).fill('none'));
    expect(looks.slice(36, 46)).toEqual(Array(10).fill('up'));
    expect(looks.slice(46)).toEqual(['none', 'none']);
  });

  test('takes in hours that were folded', () => {
    const hours = [
      {
        fromSeconds: noon - 3 * hour,
        toSeconds: noon - 2 * hour,
        seconds: { up: 3_000, down: 600, unknown: 0, unmonitored: 0 },
      },
    ];
    const changes = new StateChanges(['up'], [noon - 2 * hour]);
    const past = { outages: [], log: { ...emptyLog(noon - 3 * hour), hours, changes } };
    const bars = barsOf(past, '24h');

    expect(bars.slice(42, 44).map(({ seconds }) => seconds.down)).toEqual([300, 300]);
    expect(bars.map((bar) => lookOf(bar)).slice(41, 45)).toEqual([
      'none',
      'down partial',
      'down partial',
      'up',
    ]);
  });

  test('says in words what it shows', () => {
    const bars = barsOf(failed, '24h');
    expect(describeBars(bars, 0.9537)).toBe('95.37 % up, down 1 h 1 min, unknown 1 h');
    expect(describeBars(bars, undefined)).toBe('down 1 h 1 min, unknown 1 h');
    expect(describeBars(barsOf(undefined, '24h'), undefined)).toBe('not known yet');
  });

  test('counts an outage in maintenance apart, as the availability leaves it out', () => {
    const maintenance = [{ fromSeconds: noon - 11 * hour, toSeconds: noon - 9.5 * hour }];
    const bars = barsOf({ ...failed, maintenance }, '24h');

    expect(bars.slice(27, 32).map((bar) => lookOf(bar))).toEqual([
      'up',
      'excused whole',
      'down whole',
      'down slight',
      'up',
    ]);
    expect(sumBars(bars).maintenance).toEqual({ known: 1.5 * hour, down: hour / 2 });
    expect(describeBars(bars, 0.9759)).toBe(
      '97.59 % up outside maintenance, down 31 min, down 30 min in maintenance, unknown 1 h',
    );
    expect(
      describeBars(barsOf({ ...failed, maintenance: [...maintenance, later] }, '24h'), 1),
    ).toBe('100 % up outside maintenance, down 1 h 1 min in maintenance, unknown 1 h');
  });

  test('shows that a part of a bar was unknown', () => {
    const log = logOf([
      { state: 'up', fromSeconds: noon - 35 * day },
      { state: 'unknown', fromSeconds: noon - 480 },
    ]);
    const lastLooks = (['24h', '7d', '30d'] as const).map((range) =>
      barsOf({ outages: [], log }, range)
        .slice(-1)
        .map((bar) => lookOf(bar)),
    );
    expect(lastLooks).toEqual([['unknown heavy'], ['unknown slight'], ['unknown slight']]);
  });

  test('shows as little downtime in maintenance as there was', () => {
    const maintenance = [{ fromSeconds: noon - 11 * hour, toSeconds: noon - 9.5 * hour }];
    const today = barsOf({ ...failed, maintenance: [...maintenance, later] }, '30d').slice(-1);

    expect(today.map((bar) => lookOf(bar))).toEqual(['excused slight + unknown partial']);
  });

  test.each([
    ['unknown', 'unknown whole'],
    ['down', 'down whole'],
    ['paused', 'paused'],
    ['up', 'none'],
  ] as const)('ends with the listed state %s after the counted time', (state, look) => {
    const item = itemWith({ outages: [] }, noon - day, noon - 2 * hour);
    const tally = { startSeconds: noon - day, horizonSeconds: noon - 2 * hour };
    const known = { states: { ...tally, state: 'up' as const } };
    const states = {
      ofCheck: () => ({ known, endSeconds: noon - 2 * hour }),
      ofTransaction: () => undefined,
    };
    const bars = pastBars({ ...item, state, status: { ...item.status, states } }, '24h', noon);

    expect(bars.slice(43).map((bar) => lookOf(bar))).toEqual(['up', ...Array(4).fill(look)]);
  });
});

test('a strip does not count a day as up of which a list that is too old knows little', () => {
  const horizon = noon - 20 * hour;
  const item = itemWith({ outages: [] }, noon - 100 * day, horizon);
  const { snapshot } = item.status;
  const datasets = { ...snapshot.datasets, checks: datasetWith({ stale: true }) };
  const blind = { ...item, status: { ...item.status, snapshot: { ...snapshot, datasets } } };
  const lastOf = (one: Item) => pastBars(one, '30d', noon).slice(-2);
  expect(lastOf(blind).map((bar) => [lookOf(bar), describeBar(bar)])).toEqual([
    ['up', 'up'],
    ['none', 'no failure known, 20 h not known yet'],
  ]);
  expect(lastOf(item).map((bar) => lookOf(bar))).toEqual(['up', 'up']);
});

test('a check that was paused for two days claims no availability of the last 24 hours', () => {
  const paused = itemWith({
    outages: [],
    log: logOf([
      { state: 'up', fromSeconds: noon - 35 * day },
      { state: 'unmonitored', fromSeconds: noon - 2 * day },
    ]),
  });

  expect(availabilityIn(paused, '24h', noon)).toBeUndefined();
  expect(availabilityIn(paused, '7d', noon)).toBe(1);
  expect(availabilityIn(itemWith(undefined), '24h', noon)).toBe(1);
});

describe('the end of an availability that lacks the last outage', () => {
  const ended = (fromSeconds: number, state: 'up' | 'down', endSeconds: number) => {
    const item = itemWith({ outages: [{ fromSeconds, causes: [] }] });
    const states = { startSeconds: noon - day, horizonSeconds: noon, state };
    const known = { known: { states }, endSeconds };
    return uncountedFrom({
      ...item,
      status: {
        ...item.status,
        states: { ofCheck: () => known, ofTransaction: () => undefined },
      },
    });
  };

  test.each([
    ['it began before the last counted test', noon - 60, 'down', noon + 60, undefined],
    ['it began with the last counted test', noon, 'down', noon + 60, undefined],
    ['the counted states end with the test at which it began', noon, 'down', noon, noon],
    ['that test is counted as up', noon, 'up', noon + 60, noon],
    ['it began later', noon + 30, 'up', noon + 60, noon],
  ] as const)('if %s', (_, fromSeconds, state, endSeconds, expected) => {
    expect(ended(fromSeconds, state, endSeconds)).toBe(expected);
  });
});
