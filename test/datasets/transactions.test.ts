import { expect, test } from 'vitest';
import type { RefreshContext } from '../../src/datasets/refresh-context.ts';
import { countersOf } from '../../src/slo/state-log.ts';
import { scriptedReader } from '../support/scripted-reader.ts';
import { transactionsRefresh } from './support/dataset-refreshes.ts';
import { startSeconds, watchCheck } from './support/watched-check.ts';

const { signal } = new AbortController();
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const list = {
  checks: [50, 51].map((id) => ({ id, name: `buy ${id}`, status: 'successful', interval: 20 })),
};

/** One state since the start (API 3.1, section 2.11). */
function report(checkId: unknown, state: object) {
  return { check_id: checkId, states: [{ status: 'up', from: iso(startSeconds - 60), ...state }] };
}

/** Two refreshes, ten minutes apart. The second one gets these reports. */
async function bookedSeconds(reports: readonly unknown[]) {
  const { reader, requests } = scriptedReader(list, { report: [] }, list, { report: reports });
  const { context, clock, state } = watchCheck(reader);
  const refresh = transactionsRefresh(context);
  await refresh(0, signal);
  await clock.advance(600_000);
  const { rejected } = await refresh(0, signal);
  const horizons = [...state.transactions.records()].map(
    ({ totals }) => totals.states.horizonSeconds - startSeconds,
  );
  return { horizons, rejected: rejected.length, requests };
}

const good = { to: iso(startSeconds + 600) };

/** The counted seconds of a transaction. */
function countedOf({ state }: Pick<RefreshContext, 'state'>, id: number) {
  const totals = state.transactions.get(id)?.totals;
  return totals && countersOf(totals).seconds;
}

test('a transaction whose report is malformed waits, and the others go on', async () => {
  const { horizons, rejected } = await bookedSeconds([report(50, good), report(51, {})]);

  expect(horizons).toEqual([300, 0]);
  expect(rejected).toBe(1);
});

test('a transaction whose report is malformed for a day is counted without the malformed state', async () => {
  const hour = 3_600;
  const at = (seconds: number) => iso(startSeconds + seconds);
  const states = [
    { status: 'up', from: at(0), to: at(hour) },
    { status: 'down', from: at(hour), to: 'later' },
    { status: 'up', from: at(2 * hour), to: at(24 * hour) },
  ];
  const reports = [{ check_id: 50, states }, report(51, { to: at(24 * hour) })];
  const { reader } = scriptedReader(
    ...[list, { report: [] }],
    ...Array.from({ length: 26 }, () => [list, { report: reports }]).flat(),
  );
  const { context, clock, state } = watchCheck(reader);
  const givenUp: unknown[] = [];
  const refresh = transactionsRefresh({
    ...context,
    events: {
      transactionUnitDetected: () => {},
      typeNotKnown: () => {},
      tagsLeftOut: () => {},
      changesLeftOut: () => {},
      reportContradicted: () => {},
      reportGivenUp: (...facts) => void givenUp.push(facts),
    },
  });
  const secondsOf = (id: number) => countedOf({ state }, id);
  await refresh(0, signal);
  for (let hours = 1; hours <= 25; hours++) {
    await clock.advance(hour * 1000);
    await refresh(0, signal);
    if (hours < 24) expect(secondsOf(50)).toMatchObject({ up: 0, down: 0, unmonitored: 0 });
    if (hours > 1) expect(secondsOf(51)?.up).toBeGreaterThan(0);
  }

  expect(secondsOf(50)).toMatchObject({ up: 23 * hour, down: 0, unmonitored: hour });
  // The last five minutes were not settled then.
  const range = { fromSeconds: startSeconds, toSeconds: startSeconds + 24 * hour - 300 };
  expect(givenUp).toEqual([['transactions', 50, range]]);
  const { log } = state.transactions.get(50)?.totals ?? {};
  // The malformed state may also be one of the time before first sight, of which there is no other.
  expect(log?.givenUp?.at(0)).toMatchObject({ toSeconds: startSeconds });
  expect(log?.givenUp?.slice(1)).toEqual([
    { fromSeconds: startSeconds + hour, toSeconds: startSeconds + 2 * hour },
  ]);
});

test('a report of nobody knows whom may be that of any transaction without one', async () => {
  const { horizons } = await bookedSeconds([report(50, good), report('?', good)]);

  expect(horizons).toEqual([300, 0]);
});

test('a transaction without states waits for its next run', async () => {
  const { horizons, rejected } = await bookedSeconds([report(50, good)]);

  expect(horizons).toEqual([300, 0]);
  expect(rejected).toBe(0);
});

test('a report is requested from two hours before the horizon, because it may begin with a run', async () => {
  const { requests } = await bookedSeconds([]);
  const from = iso(startSeconds - 7_200).replace('.000', '');
  expect(requests.at(-1)?.query).toMatchObject({ from });
});

test('a transaction that has not run for 35 days is unmonitored, so that reports do not become longer and longer', async () => {
  const day = 86_400;
  const days = 60;
  const { reader, requests } = scriptedReader(
    ...Array.from({ length: days + 1 }, () => [list, { report: [] }]).flat(),
  );
  const { context, clock, state } = watchCheck(reader);
  const refresh = transactionsRefresh(context);
  await refresh(0, signal);
  for (let passed = 0; passed < days; passed++) {
    await clock.advance(1000 * day);
    await refresh(0, signal);
  }

  const seconds = requests.flatMap(({ query = {} }) =>
    query.to === undefined ? [] : [Date.parse(String(query.to)) - Date.parse(String(query.from))],
  );
  expect(seconds).toHaveLength(days + 1);
  expect((seconds.at(-1) ?? 0) / 1000).toBeLessThan(37 * day);
  const { unmonitored = 0 } = countedOf({ state }, 50) ?? {};
  expect(unmonitored / day).toBeCloseTo(days - 35, 1);
});

test('no empty period is asked for, not even at first', async () => {
  const { requests } = await bookedSeconds([]);

  const periods = requests.flatMap(({ query }) => (query?.from === undefined ? [] : [query]));
  expect(periods).toHaveLength(2);
  for (const { from, to } of periods) expect(String(from) < String(to)).toBe(true);
});

test('the failing step stays while reports bring no state, and goes with the failure', async () => {
  const listed = (status: string) => ({ checks: [{ id: 50, name: 'buy', status }] });
  const failed = { status: 'down', error_in_step: 3, to: iso(startSeconds + 600) };
  const { reader } = scriptedReader(
    ...[listed('failing'), { report: [] }],
    ...[listed('failing'), { report: [report(50, failed)] }],
    ...[listed('failing'), { report: [] }],
    ...[listed('successful'), { report: [] }],
    ...[listed('successful'), { report: [report(50, failed)] }],
  );
  const { context, clock, state } = watchCheck(reader);
  const refresh = transactionsRefresh(context);
  const steps: (number | undefined)[] = [];
  for (let reading = 0; reading < 5; reading++) {
    await refresh(0, signal);
    steps.push(state.transactions.get(50)?.details.failingStep?.value);
    await clock.advance(600_000);
  }

  expect(steps).toEqual([undefined, 3, 3, undefined, undefined]);
});

test('the steps that failed are noted once for each outage', async () => {
  const at = (minutes: number) => iso(startSeconds + minutes * 60);
  const span = (status: string, from: number, to: number, step?: number) => ({
    status,
    from: at(from),
    to: at(to),
    ...(step !== undefined && { error_in_step: step, message: 'Step fill "secret" failed' }),
  });
  const reports = [
    [span('down', -600, -590, 2), span('up', -590, -20), span('down', -20, 0, 3)],
    [span('down', 0, 8, 3)],
    [span('down', 8, 12, 3), span('up', 12, 18)],
    [span('down', 18, 28, 3), span('down', 28, 29, 4)],
  ];
  const failing = { checks: [{ id: 50, name: 'buy', status: 'failing' }] };
  const { reader } = scriptedReader(
    ...reports.flatMap((states) => [failing, { report: [{ check_id: 50, states }] }]),
  );
  const { context, clock, state } = watchCheck(reader);
  const refresh = transactionsRefresh(context);
  for (const _ of reports) {
    await refresh(0, signal);
    await clock.advance(600_000);
  }

  const notes = state.transactions.get(50)?.details.notes?.value;
  const minutes = notes?.map(({ atSeconds, cause }) => [(atSeconds - startSeconds) / 60, cause]);
  expect(minutes).toEqual([
    [-600, 'Step 2 failed'],
    [-20, 'Step 3 failed'],
    [18, 'Step 3 failed'],
    [28, 'Step 4 failed'],
  ]);
});

test('an outage that is over is not noted again when later reports begin in it', async () => {
  const at = (minutes: number) => iso(startSeconds + minutes * 60);
  const reportAt = (minutes: number) => {
    const from = minutes - 130;
    const states = [
      { status: 'up', from: at(from), to: at(0) },
      { status: 'down', from: at(Math.max(from, 0)), to: at(200), error_in_step: 3 },
      { status: 'up', from: at(200), to: at(minutes - 6) },
    ].filter((state) => state.from < state.to);
    return { report: [{ check_id: 50, states }] };
  };
  const listed = { checks: [{ id: 50, name: 'buy', status: 'successful' }] };
  const times = Array.from({ length: 40 }, (_, turn) => 10 * turn);
  const { reader } = scriptedReader(
    ...times.flatMap((minutes) => [listed, minutes < 10 ? { report: [] } : reportAt(minutes)]),
  );
  const { context, clock, state } = watchCheck(reader);
  const refresh = transactionsRefresh(context);
  for (const _ of times) {
    await refresh(0, signal);
    await clock.advance(600_000);
  }

  const notes = state.transactions.get(50)?.details.notes?.value;
  expect(notes).toEqual([{ atSeconds: startSeconds, cause: 'Step 3 failed' }]);
});

/** A transaction, listed with these fields, in a list. */
const buy = (fields: object) => ({
  checks: [{ id: 50, name: 'buy', status: 'successful', interval: 20, ...fields }],
});
const upBetween = (from: number, to: number) => ({
  report: [report(50, { from: iso(startSeconds + from), to: iso(startSeconds + to) })],
});

/** Refreshes after these seconds, each with a list and a report, and looks after each. */
async function refreshed<T>(
  steps: readonly (readonly [afterSeconds: number, list: object, report: object])[],
  look: (state: ReturnType<typeof watchCheck>['state']) => T,
): Promise<T[]> {
  const { reader } = scriptedReader(...steps.flatMap(([, listed, reported]) => [listed, reported]));
  const { context, clock, state } = watchCheck(reader);
  const refresh = transactionsRefresh(context);
  const seen: T[] = [];
  for (const [afterSeconds] of steps) {
    await clock.advance(afterSeconds * 1000);
    await refresh(0, signal);
    seen.push(look(state));
  }
  return seen;
}

test('the time between the last runs of a transaction that has stopped waits for a report that has both', async () => {
  const stopped = buy({ active: false });
  const seconds = await refreshed(
    [
      [0, buy({ active: true }), upBetween(-7_200, -600)],
      // The last runs were at 600 and 1800; this report lags by a quarter of an hour.
      [2_764, stopped, upBetween(-7_200, 600)],
      [60, stopped, upBetween(-7_200, 1_800)],
      [2_100, stopped, upBetween(-7_200, 1_800)],
    ],
    (state) => countedOf({ state }, 50),
  );

  expect(seconds).toMatchObject([
    { up: 0, unmonitored: 0 },
    { up: 600, unmonitored: 0 },
    { up: 1_800, unmonitored: 0 },
    { up: 1_800, unmonitored: 2_764 + 60 - 1_800 },
  ]);
});

test('a transaction that ran again between two lists that show it stopped waits for its last runs, too', async () => {
  const stoppedAt = (seconds: number) =>
    buy({ active: false, modified_at: startSeconds + seconds });
  const up = (from: number, to: number) => ({
    status: 'up',
    from: iso(startSeconds + from),
    to: iso(startSeconds + to),
  });
  const ranAgain = { report: [{ check_id: 50, states: [up(-7_200, 600), up(12_000, 17_400)] }] };
  const seconds = await refreshed(
    [
      [0, buy({ active: true }), upBetween(-7_200, -600)],
      [1_000, stoppedAt(900), upBetween(-7_200, 600)],
      [3_000, stoppedAt(900), upBetween(-7_200, 600)],
      // The last runs, until 19500, are not in this report yet.
      [16_000, stoppedAt(19_500), ranAgain],
    ],
    (state) => countedOf({ state }, 50),
  );

  expect(seconds.at(-1)).toMatchObject({ up: 600 + 5_400, unmonitored: 12_000 - 600 });
});

test('a transaction that has stopped is unmonitored, and unknown by an entry that begins where that ends', async () => {
  const stopped = buy({ active: false });
  const resumedAt = 3_900;
  const resumed = [
    { status: 'up', from: iso(startSeconds - 7_200), to: iso(startSeconds + 600) },
    { status: 'unknown', from: iso(startSeconds + resumedAt), to: iso(startSeconds + 6_300) },
  ];
  const seconds = await refreshed(
    [
      [0, buy({ active: true }), upBetween(-7_200, -600)],
      [1_000, stopped, upBetween(-7_200, 600)],
      [resumedAt + 2_100 - 1_000, stopped, upBetween(-7_200, 600)],
      [600, buy({ active: true }), { report: [{ check_id: 50, states: resumed }] }],
    ],
    (state) => countedOf({ state }, 50),
  );

  expect(seconds.slice(2)).toMatchObject([
    { up: 600, unknown: 0, unmonitored: resumedAt - 600 },
    { up: 600, unknown: 2_400, unmonitored: resumedAt - 600 },
  ]);
});

test('the past of a transaction is not taken from a report that ends before first sight', async () => {
  const listed = buy({ active: true, interval: 5, created_at: startSeconds - 7_200 });
  const changes = await refreshed(
    [
      [0, listed, upBetween(-7_200, -60)],
      [600, listed, upBetween(-7_200, 600)],
      [60, listed, upBetween(-7_200, -900)],
      [300, listed, upBetween(-7_200, 900)],
    ],
    (state) => state.transactions.get(50)?.totals.log?.changes.states,
  );

  expect(changes.at(-1)).toEqual(['up']);
});

test('the past of a transaction is read from two runs before it, because a report may begin with a run', async () => {
  const [interval, created] = [1_440, startSeconds - 20 * 86_400];
  const listed = buy({ active: true, interval, created_at: created });
  const reports = [{ report: [] }, upBetween(-7_200, 600), { report: [] }];
  const { reader, requests } = scriptedReader(...reports.flatMap((one) => [listed, one]));
  const { context, clock } = watchCheck(reader);
  const refresh = transactionsRefresh(context);
  for (const _ of reports) {
    await refresh(0, signal);
    await clock.advance(900_000);
  }
  expect(requests.at(-1)?.query).toMatchObject({
    from: iso(created - 2 * 86_400).replace('.000', ''),
  });
});

test('an older list takes back neither a failure nor its end', async () => {
  const [began, ended] = [startSeconds - 300, startSeconds - 60];
  const failing = buy({ status: 'failing', last_downtime_start: began });
  const recovered = buy({ last_downtime_start: began, last_downtime_end: ended });
  const none = { report: [] };
  const statuses = await refreshed(
    [
      [0, failing, none],
      [60, buy({}), none],
      [60, recovered, none],
      [60, failing, none],
      // No list is older than this.
      [2_100, buy({}), none],
    ],
    (state) => state.transactions.get(50)?.entry.status,
  );

  expect(statuses).toEqual(['failing', 'failing', 'successful', 'successful', 'successful']);
});

test('an older list does not take back that a failing transaction has stopped', async () => {
  const failing = { status: 'failing', last_downtime_start: startSeconds - 300 };
  const before = buy({ ...failing, active: true, modified_at: startSeconds - 9_000 });
  const stopped = buy({ ...failing, active: false, modified_at: startSeconds + 30 });
  const none = { report: [] };
  const seen = await refreshed(
    [
      [0, before, none],
      [60, stopped, none],
      [60, before, none],
      [60, stopped, none],
    ],
    (state) => state.transactions.get(50)?.entry.active,
  );

  expect(seen).toEqual([true, false, false, false]);
});

test('a list that lacks what the one before had does not start a transaction that has stopped', async () => {
  const settings = { active: false, interval: 20, created_at: startSeconds - 9_000 };
  const none = { report: [] };
  const seen = await refreshed(
    [
      [0, buy({ status: 'failing', ...settings }), none],
      [60, buy({ status: 'failing', interval: undefined }), none],
    ],
    (state) => state.transactions.get(50)?.entry,
  );

  expect(seen[0]).toMatchObject({ active: false, intervalSeconds: 1_200 });
  expect(seen[1]).toEqual(seen[0]);
});

test('maintenance is read before a newly failed transaction is shown, because it silences alerts', async () => {
  const none = { report: [] };
  const lists = [buy({}), buy({ status: 'failing' }), buy({ status: 'failing' })];
  const { reader } = scriptedReader(...lists.flatMap((listed) => [listed, none]));
  const { context, state } = watchCheck(reader);
  const shownAtReading: unknown[] = [];
  const refresh = transactionsRefresh(context, {
    isKnownFor: async () => {
      shownAtReading.push(state.transactions.get(50)?.entry.status);
      return true;
    },
  });
  for (const _ of lists) await refresh(0, signal);

  expect(shownAtReading).toEqual(['successful']);
});
