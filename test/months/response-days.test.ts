import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import type { PerformanceInterval } from '../../src/domain/averages.ts';
import { type Month, MonthCalendar } from '../../src/lib/month-calendar.ts';
import { ResponseDays } from '../../src/months/response-days.ts';
import { isReadByDay, responseMonthOf } from '../../src/slo/response-months.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { shopState } from '../state/support/shop.ts';
import { checkWith } from '../support/snapshots.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const [hour, day] = [3_600, 86_400];
const calendar = new MonthCalendar('UTC');
const october = calendar.containing(Date.UTC(2026, 9, 15) / 1000);
const { signal } = new AbortController();

interface Given {
  /** They may change. */
  secondsToRead?: number;
  lastingSeconds?: number;
  readonly zoneSeconds?: number;
  readonly refuses?: boolean;
  readonly storeFails?: boolean;
  readonly createdAtSeconds?: number;
}

/** An account of three checks on the first of November, whose records of October are sealed. */
function anAccount(given: Given = {}) {
  const { zoneSeconds = 0, refuses, storeFails } = given;
  const { createdAtSeconds = october.fromSeconds - day } = given;
  const clock = new VirtualClock((october.toSeconds + hour) * 1000);
  const state = shopState({ baseUrl: 'https://api.example.com', clock });
  const first = { startSeconds: createdAtSeconds, horizonSeconds: october.toSeconds };
  const list = (...ids: readonly number[]) => {
    const checks = ids.map((id) => checkWith({ id, createdAtSeconds }));
    state.list('check', checks, () => ({
      states: { ...first, state: 'up' },
      results: { sinceSeconds: 0 } as never,
      analyses: {} as never,
      sealedUntilSeconds: october.toSeconds,
    }));
  };
  list(1, 2, 3);
  const asked: number[] = [];
  const performance = async ({ checkId }: { checkId: number }) => {
    asked.push(checkId);
    if (refuses) throw new ApiError({ reason: 'forbidden', operation: 'x', message: 'no' });
    const items = calendar.dayBegins(october).map(
      (begin): PerformanceInterval => ({
        startAtSeconds: begin - zoneSeconds,
        complete: true,
        averageResponseTimeSeconds: 0.2,
        ...{ upSeconds: day, downSeconds: 0, unmonitoredSeconds: 0 },
      }),
    );
    return { items, rejected: [] };
  };
  const notRead = new Map<string, string | undefined>();
  const notes: (readonly [string, string | undefined])[] = [];
  const stored = {
    indexed: (month: Month) => ({ ...month, isWhole: true, daysNotRead: notRead.get(month.name) }),
    noteDays: ({ name }: { name: string }, why: string | undefined) => {
      notRead.set(name, why);
      notes.push([name, why]);
    },
    record: async () => {
      if (storeFails) throw new StoreError('full', 'full');
      return undefined;
    },
  };
  const begin = () =>
    new ResponseDays(
      {
        state,
        service: { performance } as never,
        serviceClock: clock,
        policies: { calendar } as never,
        reads: () => true,
        isPastRead: true,
        secondsToRead: () => given.secondsToRead ?? hour,
        lastingSeconds: () => given.lastingSeconds ?? 19 * day,
      },
      stored as never,
      undefined as never,
    );
  const readAll = async (days: ResponseDays) => {
    for (let id = days.ids()[0]; id !== undefined; id = days.ids()[0]) {
      await days.read(id, signal).catch(() => undefined);
    }
  };
  return { clock, state, list, notes, asked, begin, readAll };
}

describe('the days of an ended month', () => {
  test('are read once of each check, some hours after its end, also over a restart', async () => {
    const { clock, state, list, asked, begin, readAll } = anAccount();
    const days = begin();
    days.listed();
    expect(days.requests).toBe(0);
    await clock.advance(hour * 1000);
    days.listed();
    expect([days.requests, days.notRead(october)]).toEqual([3, 'not read yet']);
    await days.read(1, signal);
    expect([days.requests, days.ids()]).toEqual([3, [2, 3]]);

    const next = begin();
    next.listed();
    expect(next.ids()).toEqual([2, 3]);
    await readAll(next);
    expect([asked, next.requests, next.notRead(october)]).toEqual([[1, 2, 3], 0, undefined]);
    const times = state.checks.get(3)?.details.responseMonths?.value;
    expect(responseMonthOf(times, october)).toMatchObject({ hours: 31 * 24 });
    await clock.advance(hour * 1000);
    next.listed();
    expect(next.ids()).toEqual([]);
    list(1, 2, 3, 4);
    await clock.advance(hour * 1000);
    next.listed();
    expect(next.ids()).toEqual([4]);
  });

  test('count from the first one of which something is known', async () => {
    const { clock, state, begin, readAll } = anAccount({
      createdAtSeconds: october.fromSeconds + 9.5 * day,
    });
    await clock.advance(hour * 1000);
    const days = begin();
    days.listed();
    await readAll(days);
    const times = state.checks.get(1)?.details.responseMonths?.value;
    expect(responseMonthOf(times, october)?.hours).toBe(22 * 24);
  });

  test('are not read of a check that has left, or that was not read before the next month ended', async () => {
    const { clock, list, notes, begin } = anAccount();
    await clock.advance(day * 1000);
    const days = begin();
    days.listed();
    list(1, 2);
    await clock.advance(hour * 1000);
    list(1, 2);
    days.listed();
    expect(days.ids()).toEqual([1, 2]);
    await clock.advance(30 * day * 1000);
    days.listed();
    expect([days.ids(), notes.at(-1)]).toEqual([[], ['2026-10', 'too few requests']]);
  });

  test('are asked again if their record could not be stored', async () => {
    const { clock, asked, begin } = anAccount({ storeFails: true });
    await clock.advance(day * 1000);
    const days = begin();
    days.listed();
    await expect(days.read(1, signal)).rejects.toThrow('full');
    expect([asked, days.ids()]).toEqual([[1], [1, 2, 3]]);
  });

  test('are not read if hours are read often enough', async () => {
    const { clock, begin } = anAccount({ lastingSeconds: 6 * day });
    await clock.advance(day * 1000);
    const days = begin();
    days.listed();
    expect([days.ids(), days.notRead(october)]).toEqual([[], undefined]);
  });

  test('are not read if not all can be before the present month ends', async () => {
    const { clock, begin } = anAccount({ secondsToRead: 29.5 * day });
    await clock.advance(day * 1000);
    const days = begin();
    days.listed();
    expect([days.ids(), days.notRead(october)]).toEqual([[], 'too few requests']);
  });

  test('are read, and said to be, once the limits leave enough, also if hours are now read often', async () => {
    const given: Given = { secondsToRead: 29.5 * day };
    const { clock, begin, readAll } = anAccount(given);
    await clock.advance(day * 1000);
    const days = begin();
    days.listed();
    Object.assign(given, { secondsToRead: hour, lastingSeconds: day });
    await clock.advance(hour * 1000);
    days.listed();
    expect([days.ids(), days.notRead(october)]).toEqual([[1, 2, 3], 'not read yet']);
    await readAll(days);
    expect(days.notRead(october)).toBeUndefined();
  });

  test('are not said to be too many once the hours of all checks were read', async () => {
    const { clock, state, begin } = anAccount({ secondsToRead: 29.5 * day });
    await clock.advance(day * 1000);
    const days = begin();
    days.listed();
    expect(days.notRead(october)).toBe('too few requests');
    const { fromSeconds, toSeconds } = october;
    const all = { fromSeconds, hours: 744, tests: 744, milliseconds: 744 * 200 };
    const read = { untilSeconds: toSeconds, months: [all], day: { ...all, place: 30 } };
    for (const id of [1, 2, 3]) state.setDetail('check', id, 'responseMonths', read);
    await clock.advance(hour * 1000);
    days.listed();
    expect([days.ids(), days.notRead(october)]).toEqual([[], undefined]);
  });

  test('are asked of one check if they are of another time zone', async () => {
    const { clock, state, asked, begin, readAll } = anAccount({ zoneSeconds: hour });
    await clock.advance(day * 1000);
    const days = begin();
    days.listed();
    await readAll(days);
    expect([asked, days.notRead(october)]).toEqual([[1], 'other time zone']);
    expect(isReadByDay(state.checks.get(1)?.details.responseMonths?.value, october)).toBe(false);
    begin().listed();
    expect(begin().ids()).toEqual([]);
  });

  test('are not asked again where the service refuses them', async () => {
    const { clock, asked, begin, readAll } = anAccount({ refuses: true });
    await clock.advance(day * 1000);
    const days = begin();
    days.listed();
    await readAll(days);
    await clock.advance(2 * hour * 1000);
    days.listed();
    expect([asked, days.ids()]).toEqual([[1, 2, 3], []]);
  });
});
