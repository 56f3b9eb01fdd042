import { describe, expect, test } from 'vitest';
import { ApiError, type ApiErrorReason } from '../../src/api/errors.ts';
import type { Reader, ReadRequest } from '../../src/api/reader.ts';
import { createService } from '../../src/api/versions.ts';
import { MaintenanceReport } from '../../src/datasets/maintenance.ts';
import type { RefreshContext } from '../../src/datasets/refresh-context.ts';
import { present } from '../../src/lib/present.ts';
import { checkId, startSeconds, watchCheck } from './support/watched-check.ts';

const { signal } = new AbortController();
const [second, minute] = [1_000, 60_000];
const [hour, day] = [3_600, 86_400];

/** A service with at most one window, which responds, fails for a reason, or never ends a response. */
class Windows implements Reader {
  readonly baseUrl = 'https://api.example.com';
  readonly requests: ReadRequest[] = [];
  does: 'respond' | 'hang' | ApiErrorReason = 'respond';
  /** UNIX seconds. */
  window: { readonly from: number; readonly to: number } | undefined;
  /** Whether a period has only the occurrences that begin and end in it. */
  listsWithin = false;

  async get(request: ReadRequest): Promise<unknown> {
    const { operation } = request;
    this.requests.push(request);
    if (this.does === 'hang') return new Promise(() => {});
    if (this.does !== 'respond') {
      throw new ApiError({ reason: this.does, operation, message: 'as the test wants it' });
    }
    const windows = this.window === undefined ? [] : [this.window];
    if (operation === 'list_occurrences') {
      const { from: earliest, to: latest } = request.query ?? {};
      const listed = windows.filter(
        ({ from, to }) => !this.listsWithin || (from >= Number(earliest) && to <= Number(latest)),
      );
      return { occurrences: listed.map((times) => ({ id: 8, maintenanceid: 5, ...times })) };
    }
    const once = { recurrencetype: 'none', repeatevery: 0, checks: { uptime: [checkId], tms: [] } };
    return { maintenance: windows.map((times) => ({ id: 5, ...times, ...once })) };
  }

  /** The number of times that the windows were read. */
  get reads(): number {
    return this.requests.filter(({ operation }) => operation === 'list_maintenance').length;
  }
}

function setUp(options: Partial<RefreshContext> = {}) {
  const service = new Windows();
  const { clock, state, context, list } = watchCheck(service);
  const all = { ...context, ...options };
  const report = new MaintenanceReport(all);
  return {
    ...{ service, clock, state, report },
    restarted: (changed: Partial<RefreshContext> = {}) =>
      new MaintenanceReport({ ...all, ...changed }),
    isKnown: (hasNewlyFailed = false) => report.isKnownFor(hasNewlyFailed, signal),
    /** A list that shows the check up or down. */
    show: async (status: 'up' | 'down') => {
      list(startSeconds, { status });
      await state.totals.commit(() => present({ outages: state.listedOutages('check', true) }));
    },
    isInMaintenance: () => state.snapshot().checks?.[0]?.maintenance?.active === true,
  };
}

test('maintenance is read before the first list counts time, and again after a gap of a quarter of an hour', async () => {
  const { service, clock, report, isKnown } = setUp();
  expect(report.knowledge).toMatchObject({ is: 'awaited' });
  expect([await isKnown(), service.reads]).toEqual([true, 1]);
  expect(report.knowledge).toEqual({ is: 'known' });
  await clock.advance(15 * minute);
  expect([await isKnown(), service.reads]).toEqual([true, 1]);
  await clock.advance(second);
  expect([await isKnown(), service.reads]).toEqual([true, 2]);
});

test('it is read before time is counted, although a machine that starts with a wrong clock takes it for new', async () => {
  const { service, state, isKnown } = setUp();
  const stored = { name: 'maintenance', atSeconds: startSeconds, items: 0 } as const;
  state.datasets.restore([{ ...stored, serviceAtSeconds: startSeconds - hour }]);
  expect([await isKnown(), service.reads]).toEqual([true, 1]);
});

test('the occurrences of the last 35 days and the next 30 are read, if there is a window', async () => {
  const { service, isKnown } = setUp();
  service.window = { from: startSeconds - 26 * hour, to: startSeconds - 25 * hour };
  await isKnown();
  expect(service.requests.map(({ operation }) => operation)).toEqual([
    'list_maintenance',
    'list_occurrences',
  ]);
  const { from, to } = service.requests[1]?.query ?? {};
  expect(Number(from)).toBeLessThanOrEqual(startSeconds - 35 * day);
  expect(to).toBe(startSeconds + 30 * day);
});

test('an occurrence longer than the period is known to a service that lists only what is within one', async () => {
  const { service, show, isKnown, isInMaintenance } = setUp();
  service.listsWithin = true;
  service.window = { from: startSeconds - 90 * day, to: startSeconds + 90 * day };
  await show('up');
  await isKnown();
  expect(isInMaintenance()).toBe(true);
});

test('a refresh right after another one sends no request', async () => {
  const { service, clock, report } = setUp();
  for (const [after, reads] of [
    [0, 1],
    [29 * second, 1],
    [second, 2],
  ] as const) {
    await clock.advance(after);
    await report.refresh('account', signal);
    expect(service.reads).toBe(reads);
  }
});

test('after a restart, what was stored is used until it is a minute old', async () => {
  const { service, clock, state, restarted } = setUp();
  state.succeeded('maintenance', 0);
  const report = restarted();
  await clock.advance(minute);
  expect([await report.isKnownFor(false, signal), service.reads]).toEqual([true, 0]);
  await clock.advance(second);
  expect([await report.isKnownFor(false, signal), service.reads]).toEqual([true, 1]);
});

test('a window that was read before the dataset was switched off excuses nothing from then on', async () => {
  const { service, clock, state, show, isKnown, isInMaintenance, restarted } = setUp();
  await show('up');
  service.window = { from: startSeconds + hour, to: startSeconds + 3 * hour };
  await isKnown();
  await clock.advance(2 * 60 * minute);
  expect(isInMaintenance()).toBe(true);

  const report = restarted({ isEnabled: () => false });
  expect(await report.isKnownFor(false, signal)).toBe(true);
  expect([isInMaintenance(), service.reads]).toEqual([false, 1]);
  expect(state.maintenance.occurrencesOf.check(checkId)).toEqual([
    { fromSeconds: startSeconds + hour, toSeconds: startSeconds + 2 * hour },
  ]);
});

describe('while it cannot be read', () => {
  test('nothing is counted for an hour, with an attempt each quarter, and then it is assumed to be none', async () => {
    const { service, clock, report, isKnown } = setUp();
    service.does = 'server_error';
    for (let passed = 0; passed < 60; passed++) {
      expect([passed, await isKnown()]).toEqual([passed, false]);
      expect(report.knowledge).toMatchObject({
        is: 'awaited',
        why: expect.stringContaining('as the test wants it'),
      });
      await clock.advance(minute);
    }
    expect(service.reads).toBe(4);
    expect(await isKnown()).toBe(true);
    expect(report.knowledge).toMatchObject({ is: 'none' });

    service.does = 'respond';
    await clock.advance(15 * minute);
    expect(await isKnown()).toBe(true);
    expect(report.knowledge).toEqual({ is: 'known' });
  });

  test('what was read earlier is assumed, after the same hour', async () => {
    const { service, clock, report, isKnown } = setUp();
    await isKnown();
    service.does = 'server_error';
    await clock.advance(16 * minute);
    expect(await isKnown()).toBe(false);
    await clock.advance(60 * minute);
    expect(await isKnown()).toBe(true);
    expect(report.knowledge).toMatchObject({ is: 'earlier', readAtSeconds: startSeconds });
  });

  test('a list waits for a response for 10 s at most', async () => {
    const { service, clock, isKnown } = setUp();
    service.does = 'hang';
    let answer: boolean | undefined;
    const asked = isKnown().then((known) => {
      answer = known;
    });
    await clock.advance(9_999);
    expect(answer).toBeUndefined();
    await clock.advance(1);
    await asked;
    expect(answer).toBe(false);
  });

  test.each<ApiErrorReason>(['unauthorized', 'forbidden', 'not_found'])(
    'because of a refusal (%s), time is counted at once, until it can be read',
    async (reason) => {
      const { service, clock, report, isKnown } = setUp();
      service.does = reason;
      expect(await isKnown()).toBe(true);
      expect(report.knowledge).toMatchObject({ is: 'none' });
      service.does = 'respond';
      await clock.advance(15 * minute);
      expect(await isKnown()).toBe(true);
      expect(report.knowledge).toEqual({ is: 'known' });
    },
  );
});

test.each([
  ['is switched off', { isEnabled: () => false }],
  ['is not part of API 2.0', { service: createService('2.0', new Windows()) }],
])('where it %s, time is counted at once and nothing is read', async (_, options) => {
  const { service, report, isKnown } = setUp(options);
  expect([await isKnown(true), service.reads]).toEqual([true, 0]);
  expect(report.knowledge).toMatchObject({ is: 'none' });
});

test('it is read before a new failure is shown, if it is older than a minute and the budget permits', async () => {
  const budget = { permits: true };
  const { service, clock, isKnown, isInMaintenance, show } = setUp({
    takeEvent: () => budget.permits,
  });
  await isKnown();
  service.window = { from: startSeconds, to: startSeconds + hour };
  await clock.advance(minute);
  await isKnown(true);
  expect(service.reads).toBe(1);
  await clock.advance(second);
  budget.permits = false;
  await isKnown(true);
  expect(service.reads).toBe(1);
  budget.permits = true;
  await isKnown(true);
  await show('down');
  expect([service.reads, isInMaintenance()]).toEqual([2, true]);
});

describe('while an outage is open', () => {
  /** The reads in an hour of lists, one in a minute. */
  async function readsOfAnHour({ service, clock, isKnown }: ReturnType<typeof setUp>) {
    const before = service.reads;
    for (let lists = 0; lists < 60; lists++) {
      await clock.advance(minute);
      await isKnown();
    }
    return service.reads - before;
  }

  test('its windows are read with each list, and more rarely as it goes on', async () => {
    const account = setUp();
    await account.isKnown();
    await account.show('down');
    const first = await readsOfAnHour(account);
    await readsOfAnHour(account);
    const third = await readsOfAnHour(account);

    expect(first).toBeGreaterThanOrEqual(45);
    expect(first).toBeLessThanOrEqual(60);
    expect(third).toBeLessThan(first / 2);
  });

  test('a new window is in effect with the next list', async () => {
    const { service, clock, isKnown, isInMaintenance, show } = setUp();
    await isKnown();
    await show('down');
    await clock.advance(7 * minute);
    await isKnown();
    expect(isInMaintenance()).toBe(false);
    service.window = { from: startSeconds + 7 * 60, to: startSeconds + hour };
    await clock.advance(minute);
    await isKnown();
    expect(isInMaintenance()).toBe(true);
  });

  test('nothing is read without one, nor once it is over', async () => {
    const account = setUp();
    await account.isKnown();
    await account.show('down');
    await account.show('up');
    // Only the gaps are closed.
    expect(await readsOfAnHour(account)).toBe(3);
  });
});
