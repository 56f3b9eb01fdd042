import { describe, expect, test } from 'vitest';
import {
  type MaintenanceOccurrence,
  type MaintenanceWindow,
  occurrencesWithin,
} from '../../src/domain/maintenance.ts';
import { present } from '../../src/lib/present.ts';
import { type StateChange, StateChanges } from '../../src/slo/state-changes.ts';
import { emptyLog } from '../../src/slo/state-log.ts';
import type { AccountState } from '../../src/state/account-state.ts';
import { MaintenanceCalendar, occurrencesByItem } from '../../src/state/maintenance.ts';
import { maintenanceAt } from '../../src/state/maintenance-now.ts';
import { noSeconds } from '../../src/tally/state-tally.ts';
import { checkId, startSeconds, watchCheck } from '../datasets/support/watched-check.ts';

function window(id: number, checkIds: number[], transactionIds: number[] = []): MaintenanceWindow {
  return { id, recurrence: 'none', checkIds, transactionIds };
}

function occurrence(
  maintenanceId: number,
  fromSeconds: number,
  toSeconds: number,
): MaintenanceOccurrence {
  return { id: fromSeconds, maintenanceId, fromSeconds, toSeconds };
}

const windows = [window(1, [10, 11], [90]), window(2, [11, 12])];
const occurrences = [occurrence(1, 100, 200), occurrence(1, 1_100, 1_200), occurrence(2, 150, 400)];

describe('maintenance at a moment', () => {
  test.each([
    [99, [], { active: false, nextStartAtSeconds: 100 }],
    [100, [1], { active: true, endAtSeconds: 200, nextStartAtSeconds: 150 }],
    [150, [1, 2], { active: true, endAtSeconds: 400, nextStartAtSeconds: 1_100 }],
    [200, [2], { active: true, endAtSeconds: 400, nextStartAtSeconds: 1_100 }],
    [400, [], { active: false, nextStartAtSeconds: 1_100 }],
    [1_200, [], { active: false }],
  ])('at %i the windows %j are in effect, and a check of both knows', (now, active, ofBoth) => {
    const maintenance = maintenanceAt(windows, occurrences, now);
    expect([...maintenance.shown.activeIds]).toEqual(active);
    expect(maintenance.check.get(11)).toEqual(ofBoth);
  });

  test.each([
    [0, [100, 150]],
    [199, [100, 150]],
    [200, [1_100, 150]],
    [400, [1_100, undefined]],
    [1_200, [undefined, undefined]],
  ])('at %i shows of each window the occurrence that lasts or comes next', (now, starts) => {
    const { next } = maintenanceAt(windows, occurrences.toReversed(), now).shown;
    expect(windows.map(({ id }) => next.get(id)?.fromSeconds)).toEqual(starts);
  });

  test('holds until something begins or ends', () => {
    const until = (now: number) => maintenanceAt(windows, occurrences, now).untilSeconds;
    expect([0, 100, 150, 200, 1_150, 1_200].map(until)).toEqual([
      100,
      150,
      200,
      400,
      1_200,
      Number.POSITIVE_INFINITY,
    ]);
  });

  test('takes work in proportion to what there is, however many windows share it', () => {
    let reads = 0;
    const many = Array.from({ length: 200 }, (_, id) => window(id, [id]));
    const daily = many.flatMap(({ id }) =>
      Array.from({ length: 31 }, (_, day) =>
        Object.defineProperty(occurrence(id, day * 100, day * 100 + 50), 'maintenanceId', {
          get: () => {
            reads++;
            return id;
          },
        }),
      ),
    );

    const { shown } = maintenanceAt(many, daily, 60);

    expect(shown.next.get(199)?.fromSeconds).toBe(100);
    expect(reads).toBeLessThan(5 * daily.length);
  });

  test('is told of transactions apart, and an item in no window has none', () => {
    const maintenance = maintenanceAt(windows, occurrences, 100);
    expect(maintenance.transaction.get(90)?.active).toBe(true);
    expect(maintenance.transaction.get(10)).toBeUndefined();
    expect(maintenance.check.get(99)).toBeUndefined();
  });
});

test('maintenance that a clock ahead of the service took for over is in effect when the clock goes back', () => {
  const ignored = {
    invalidate: () => undefined,
    invalidateAll: () => undefined,
    records: () => [],
  };
  const calendar = new MaintenanceCalendar({ check: ignored, transaction: ignored });
  calendar.set({ windows, occurrences }, 7_300);
  expect(calendar.at(7_300)?.check.get(10)).toEqual({ active: false });
  expect(calendar.at(150)?.check.get(10)).toEqual({
    active: true,
    endAtSeconds: 200,
    nextStartAtSeconds: 1_100,
  });
});

test('the occurrences of a check are those of all its windows', () => {
  const ofCheck = occurrencesByItem('check', { windows, occurrences });
  expect(ofCheck(11)).toEqual([
    { fromSeconds: 100, toSeconds: 200 },
    { fromSeconds: 1_100, toSeconds: 1_200 },
    { fromSeconds: 150, toSeconds: 400 },
  ]);
  expect(ofCheck(12)).toEqual([{ fromSeconds: 150, toSeconds: 400 }]);
  expect(ofCheck(1)).toEqual([]);
});

/** A check that has been watched for 33 nights, and was down for ten minutes in each. */
describe('the past of a nightly window', () => {
  const day = 86_400;
  const hour = 3_600;
  const begin = startSeconds - 34 * day;
  const first = startSeconds - 33 * day + 2 * hour;
  const nightly: MaintenanceWindow = {
    id: 5,
    recurrence: 'day',
    checkIds: [checkId, 99],
    transactionIds: [],
    startAtSeconds: first - 600,
    endAtSeconds: first + 3_000,
  };
  const inMaintenance = { ...noSeconds, up: 33 * 3_000, down: 33 * 600 };

  function watchNights(maintenance?: typeof noSeconds) {
    const watched = watchCheck({ baseUrl: 'https://api.example.com', get: async () => ({}) });
    const { state, list, totals } = watched;
    const changes: StateChange[] = [{ state: 'up', fromSeconds: begin }];
    for (let from = first; from < startSeconds; from += day) {
      changes.push({ state: 'down', fromSeconds: from }, { state: 'up', fromSeconds: from + 600 });
    }
    list(startSeconds, {}, (states) => ({
      states: { ...states, startSeconds: begin },
      log: { ...emptyLog(begin), changes: StateChanges.of(changes) },
      ...(maintenance !== undefined && { maintenance }),
    }));
    /** API 2.1 does not report occurrences. All follow from the windows as they are now. */
    const read = (windows: readonly MaintenanceWindow[], fromSeconds = begin) => {
      const period = { fromSeconds, toSeconds: startSeconds + 30 * day };
      const all = windows.flatMap((one) => occurrencesWithin(one, period));
      return state.setMaintenance({ windows, occurrences: all });
    };
    const budget = () => state.snapshot().checks?.[0]?.budget;
    const ratio = () => budget()?.errorRatios['30d'];
    return { ...watched, read, budget, ratio, counted: () => totals()?.maintenance };
  }

  function restarted({ maintenance, storedSuccesses }: AccountState, datasets = storedSuccesses) {
    const watched = watchNights();
    watched.state.restore({
      checks: [],
      checkTotals: new Map(),
      checkDetails: new Map(),
      transactions: [],
      transactionTotals: new Map(),
      transactionDetails: new Map(),
      accountData: present({ maintenance: maintenance.read }),
      datasets,
    });
    return watched;
  }

  const movedBy = (seconds: number): MaintenanceWindow => ({
    ...nightly,
    startAtSeconds: first - 600 + seconds,
    endAtSeconds: first + 3_000 + seconds,
  });

  test.each([
    ['loses the check', { ...nightly, checkIds: [99] }],
    ['is moved by four hours', movedBy(4 * hour)],
    ['is moved by less than its length', movedBy(hour / 2)],
    ['is repeated less often', { ...nightly, repeatEvery: 7 }],
    ['begins today', movedBy(33 * day)],
  ])('stays in ratios and counters as it was planned when the window %s', async (_, edited) => {
    const { read, budget, ratio, counted } = watchNights();
    await read([nightly]);
    expect([ratio(), counted()]).toEqual([0, inMaintenance]);

    await read([edited]);
    expect([ratio(), budget()?.remainingRatio, counted()]).toEqual([0, 1, inMaintenance]);
    await read([nightly]);
    await read([edited], begin + 2 * day);
    expect([ratio(), counted()]).toEqual([0, inMaintenance]);
  });

  test('does not become maintenance of a check that is added later, which has the coming nights', async () => {
    const { read, ratio, counted, state, clock } = watchNights();
    const others = { ...nightly, checkIds: [99] };
    await read([others]);
    const before = ratio();
    expect(before).toBeGreaterThan(0.006);

    await read([nightly]);
    await read([nightly, { ...nightly, id: 6, checkIds: [98] }], begin + 2 * day);
    expect([ratio(), counted()]).toEqual([before, undefined]);
    expect(state.maintenance.occurrencesOf.check(checkId)[0]?.fromSeconds).toBe(
      first - 600 + 33 * day,
    );

    // The night that ended between two reads may have been planned in time.
    await read([others]);
    await clock.advance(day * 1000);
    await read([nightly]);
    expect(state.maintenance.occurrencesOf.check(checkId)[0]?.fromSeconds).toBe(
      first - 600 + 33 * day,
    );
  });

  test('does not become maintenance by an edit before or after a restart', async () => {
    const { read, state } = watchNights();
    const coming = first - 600 + 33 * day;
    const firstOccurrence = (of: AccountState) =>
      of.maintenance.occurrencesOf.check(checkId)[0]?.fromSeconds;
    await read([{ ...nightly, checkIds: [99] }]);
    state.succeeded('maintenance', 1);
    const after = restarted(state);
    await after.read([nightly]);
    expect(firstOccurrence(after.state)).toBe(coming);

    // The time of a read is stored later than what was read.
    const crashed = restarted(after.state, []);
    await crashed.read([nightly], begin + 2 * day);
    expect(firstOccurrence(crashed.state)).toBe(coming);
  });

  test('is not counted again when the stored maintenance is lost', async () => {
    const { read, ratio, counted } = watchNights(inMaintenance);

    await read([nightly]);
    expect([ratio(), counted()]).toEqual([0, inMaintenance]);
    await read([nightly, { ...movedBy(4 * hour), id: 6 }]);
    expect(counted()).toEqual(inMaintenance);
  });
});
