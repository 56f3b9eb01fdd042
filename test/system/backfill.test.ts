import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { reportedStates } from '../../sandbox/src/simulation/transaction-states.ts';
import { readBackfill } from '../../src/backfill/job/documents.ts';
import { type PastItem, pastItemSchema } from '../../src/backfill/series/past-item.ts';
import { PastResponseTimes } from '../../src/backfill/series/past-response-times.ts';
import { decodeStates } from '../../src/backfill/series/past-states.ts';
import type { StateSpan, TalliedState } from '../../src/domain/interval.ts';
import { StoreError } from '../../src/store/store-error.ts';
import type { WorldOptions } from '../life/world.ts';
import { accountsByVersion } from '../support/accounts-by-version.ts';
import { casesOf } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import {
  checkStates,
  hourlyResponseTimes,
  transactionStatesTruth,
} from '../support/service-truth.ts';
import { statesOnly } from '../support/states-only.ts';

const yearSeconds = 365 * 86_400;
/** Of drawn lists, in seconds. */
const longestListLag = 30;

const progress = z.object({
  accounts: z.array(
    z.object({
      account: z.string(),
      job: z
        .object({
          state: z.string(),
          items: z.number(),
          read: z.number(),
          incomplete: z.number(),
          incomplete_items: z.array(z.string()),
          seconds_left: z.number().optional(),
        })
        .optional(),
      cost: z.object({ requests: z.number(), seconds: z.number().optional() }).optional(),
    }),
  ),
});

/** Only states and the past are read. */
const create = ({ account, ...options }: WorldOptions) =>
  RestartableExporter.create({ ...options, account: { ...account, datasets: statesOnly } });

async function call(exporter: RestartableExporter, method: 'GET' | 'POST', path: string) {
  const { statusCode, body } = await request(`${exporter.url}${path}`, { method });
  return { statusCode, text: await body.text() };
}

async function jobOf(exporter: RestartableExporter) {
  const { text } = await call(exporter, 'GET', '/-/backfill');
  return progress.parse(JSON.parse(text)).accounts[0]?.job;
}

async function itemsOf(exporter: RestartableExporter): Promise<PastItem[]> {
  const { text } = await call(exporter, 'GET', '/-/backfill/items');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => pastItemSchema.parse(JSON.parse(line)));
}

/** Advances until the job is finished, for at most a day. */
async function untilDone(exporter: RestartableExporter): Promise<void> {
  for (let turn = 0; turn < 144; turn++) {
    if ((await jobOf(exporter))?.state === 'done') return;
    await exporter.pass(600);
  }
  throw new Error('the backfill job did not end');
}

/**
 * The checks of the outage reports over more than the 35 days of first sight, in the order of the
 * requests.
 */
function askedLong({ sandbox }: RestartableExporter): number[] {
  return sandbox.journal.recent
    .filter(({ operation }) => operation === 'list_outages')
    .filter(({ query }) => Number(query.to) - Number(query.from) > 36 * 86_400)
    .map(({ path }) => Number(path.split('/').at(-1)));
}

/** The ranges of the long hourly reports, each with its check. */
function askedHours({ sandbox }: RestartableExporter): string[] {
  return sandbox.journal.recent
    .filter(({ operation, query }) => {
      // The dataset of today's hours requests a week, and then the last hours.
      const seconds = Number(query.to) - Number(query.from);
      return operation === 'get_performance' && seconds > 4 * 3_600 && seconds !== 7 * 86_400;
    })
    .map(({ path, query }) => `${path.split('/').at(-1)} ${query.from} ${query.to}`);
}

/** An item has the average of each whole hour of its past, as the service has it. */
function expectResponseTimes(
  { sandbox }: RestartableExporter,
  { id, past, responseTimes, firstSeenSeconds }: PastItem,
  offset = 0,
): void {
  if (past === undefined) throw new Error(`check ${id} was not read`);
  const period = { fromSeconds: past.fromSeconds, toSeconds: firstSeenSeconds };
  const truth = hourlyResponseTimes(sandbox, id, period, offset);
  const read = new PastResponseTimes(responseTimes ?? []);
  const firstHour = Math.ceil((period.fromSeconds - offset) / 3_600) * 3_600 + offset;
  const wrong: object[] = [];
  let measured = 0;
  for (let hour = firstHour; hour + 3_600 <= period.toSeconds; hour += 3_600) {
    const milliseconds = truth.get(hour);
    if (milliseconds !== undefined) measured += 1;
    const expected = milliseconds === undefined ? undefined : milliseconds / 1000;
    for (const at of [hour + 3_600, hour + 7_199]) {
      const is = read.lastHour(at);
      if (is !== expected) wrong.push({ id, at, is, expected });
    }
  }
  expect(wrong).toEqual([]);
  expect(measured).toBeGreaterThan(100);
}

/** Seconds of a range in the windows that an item of the simulated account is a member of. */
function maintenanceSeconds(
  { sandbox }: RestartableExporter,
  kind: PastItem['kind'],
  id: number,
  { fromSeconds, toSeconds }: NonNullable<PastItem['past']>,
): number {
  const { windows, occurrencesInOrder } = sandbox.world.maintenance;
  const members = windows.all.filter(({ uptimeids, tmsids }) =>
    (kind === 'check' ? uptimeids : tmsids).includes(id),
  );
  const own = new Set(members.map((window) => window.id));
  const seconds = new Set<number>();
  for (const { maintenanceid, from, to } of occurrencesInOrder) {
    if (!own.has(maintenanceid)) continue;
    for (let at = Math.max(from, fromSeconds); at < Math.min(to, toSeconds); at++) seconds.add(at);
  }
  return seconds.size;
}

/**
 * Every item's past has as many seconds of each state as the service knows, and as many in
 * maintenance.
 */
async function expectTrueItems(exporter: RestartableExporter): Promise<PastItem[]> {
  const items = await itemsOf(exporter);
  for (const { kind, id, past, maintenance } of items) {
    if (past === undefined) throw new Error(`${kind} ${id} was not read`);
    const inMaintenance = maintenance.reduce(
      (sum, [from, to]) =>
        sum + Math.max(0, Math.min(to, past.toSeconds) - Math.max(from, past.fromSeconds)),
      0,
    );
    expect({ kind, id, inMaintenance }).toEqual({
      kind,
      id,
      inMaintenance: maintenanceSeconds(exporter, kind, id, past),
    });
    const truthOf = kind === 'check' ? checkStates : transactionStatesTruth;
    const truth = truthOf(exporter.sandbox, id, past, exporter.now);
    const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
    for (const span of decodeStates(past.states, past.fromSeconds)) {
      seconds[span.state] += span.toSeconds - span.fromSeconds;
    }
    expect({ kind, id, seconds }).toEqual({ kind, id, seconds: truth.seconds });
  }
  return items;
}

/** The states of a past without every third one of the service's report, from the first on. */
function readableStates(
  { sandbox, now }: RestartableExporter,
  kind: PastItem['kind'],
  id: number,
  { fromSeconds, toSeconds }: NonNullable<PastItem['past']>,
): StateSpan[] {
  const { world, history } = sandbox;
  const [check, transaction] = [world.check(id), world.transactions.find(id)];
  const reported =
    kind === 'check'
      ? check && [...history.segments(check, fromSeconds, toSeconds, now)]
      : transaction &&
        reportedStates(history, transaction, { from: fromSeconds, to: now }, now, world.wire);
  const spans: StateSpan[] = [];
  let filledTo = fromSeconds;
  const add = (state: TalliedState, until: number) => {
    const last = spans.at(-1);
    if (until <= filledTo) return;
    if (last?.state === state) spans[spans.length - 1] = { ...last, toSeconds: until };
    else spans.push({ state, fromSeconds: filledTo, toSeconds: until });
    filledTo = until;
  };
  for (const [position, { status, from, to }] of (reported ?? []).entries()) {
    if (position % 3 === 0) continue;
    add('unmonitored', Math.min(from, toSeconds));
    add(status, Math.min(to, toSeconds));
  }
  add('unmonitored', toSeconds);
  return spans;
}

describe('a backfill job', () => {
  test.each([
    ['as the service knows them', 365, {}],
    ['of reports that begin with the first test', 60, { reportsBegin: 'first-test' as const }],
  ])(
    'reads the states before the first sight of every check and transaction, %s',
    async (_, days, wire) => {
      const exporter = await create({ checks: 6, transactions: 3, wire });
      await exporter.start();
      await exporter.pass(2_400);
      const from = exporter.now - days * 86_400;
      const begun = await call(exporter, 'POST', `/-/backfill?from=${from}`);
      expect(begun.statusCode).toBe(202);
      await untilDone(exporter);

      const items = await expectTrueItems(exporter);
      expect(items).toHaveLength(9);
      for (const kind of ['check', 'transaction']) {
        expect(
          items.filter((item) => item.kind === kind && item.maintenance.length > 0),
        ).not.toEqual([]);
      }
      for (const { past, firstSeenSeconds, labels, labelsNow } of items) {
        expect(past?.toSeconds).toBe(firstSeenSeconds);
        expect(labels).toEqual(labelsNow);
      }
      expect(exporter.log.filter((line) => /backfill (?:finished|report)/.test(line))).toEqual([
        expect.stringContaining('backfill finished'),
      ]);
    },
  );

  test.each(casesOf(['2.1', '2.0'] as const, 1))(
    'reads the states and response times of checks with API %s',
    async (version) => {
      const account = accountsByVersion[version];
      const exporter = await create({ checks: 3, transactions: 2, account });
      await exporter.start();
      await exporter.pass(2_400);
      await call(
        exporter,
        'POST',
        `/-/backfill?from=${exporter.now - yearSeconds}&response_times=true`,
      );
      await untilDone(exporter);
      const items = await itemsOf(exporter);
      expect(items.map(({ kind }) => kind)).toEqual(['check', 'check', 'check']);
      for (const item of items) {
        expectResponseTimes(exporter, item);
        const { id, past } = item;
        if (past === undefined) throw new Error(`check ${id} was not read`);
        const truth = checkStates(exporter.sandbox, id, past, exporter.now);
        const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
        for (const span of decodeStates(past.states, past.fromSeconds)) {
          seconds[span.state] += span.toSeconds - span.fromSeconds;
        }
        expect({ id, seconds }).toEqual({ id, seconds: truth.seconds });
      }
    },
  );

  test('asks for nothing again that was stored when the exporter crashes after any of its commits', async () => {
    let crashAt = Number.POSITIVE_INFINITY;
    let commits = 0;
    const after = async () => {
      commits += 1;
      return commits === crashAt ? ('crash' as const) : ('go on' as const);
    };
    const account = { concurrency: 1 };
    const exporter = await create({
      ...{ checks: 8, transactions: 2, account, moments: { after } },
    });
    await exporter.start();
    await exporter.pass(2_400);
    const from = exporter.now - yearSeconds;
    await call(exporter, 'POST', `/-/backfill?from=${from}`);
    const stored: { ids: number[]; asked: number }[] = [];
    for (let crash = 0; crash < 10; crash++) {
      crashAt = commits + 1 + (crash % 3);
      await exporter.pass(60);
      await exporter.crash();
      crashAt = Number.POSITIVE_INFINITY;
      const { documents } = await exporter.disk.load('shop');
      const ids = [...readBackfill(documents, expect.unreachable).check.keys()];
      stored.push({ ids, asked: askedLong(exporter).length });
      await exporter.start();
    }
    await untilDone(exporter);
    const asked = askedLong(exporter);
    expect(new Set(asked).size).toBe(8);
    expect(stored[0]?.ids.length).toBeLessThan(8);
    for (const { ids, asked: before } of stored) {
      expect(asked.slice(before).filter((id) => ids.includes(id))).toEqual([]);
    }
    expect((await jobOf(exporter))?.read).toBe(10);
  });

  const hours = [
    [
      'a service that reports 30 days of hours at once',
      { hoursSpan: '60-days' as const, timeZone: 'Europe/Stockholm', offset: 0, reports: 13 },
    ],
    [
      'one that reports a week, in a zone whose hours begin at half past',
      { hoursSpan: '8-days' as const, timeZone: 'Asia/Kolkata', offset: 1_800, reports: 53 },
    ],
  ] as const;
  test.each(casesOf(hours, 1))(
    'reads the response times before the first sight, from %s',
    async (_, row) => {
      const { hoursSpan, timeZone, offset, reports } = row;
      const exporter = await create({
        ...{ checks: 3, transactions: 0, account: { concurrency: 1 } },
        wire: { hoursSpan, timeZone },
      });
      await exporter.start();
      await exporter.pass(6_000);
      const query = `from=${exporter.now - yearSeconds}&response_times=true`;
      const { text } = await call(exporter, 'GET', `/-/backfill?${query}`);
      await call(exporter, 'POST', `/-/backfill?${query}`);
      await untilDone(exporter);
      const items = await itemsOf(exporter);
      expect(items).toHaveLength(3);
      for (const item of items) expectResponseTimes(exporter, item, offset);
      const asked = askedHours(exporter);
      expect(new Set(asked).size).toBe(asked.length);
      // The service refuses the first report because of its length.
      const longest = items.filter(({ past }) => {
        const { fromSeconds = 0, toSeconds = 0 } = past ?? {};
        return toSeconds - fromSeconds > yearSeconds - 86_400;
      });
      expect(longest.length).toBeGreaterThan(0);
      for (const { id } of longest) {
        const own = asked.filter((period) => period.startsWith(`${id} `));
        expect(own.length - reports).toBeLessThanOrEqual(1);
        expect(own.length).toBeGreaterThanOrEqual(reports);
      }
      const cost = progress.parse(JSON.parse(text)).accounts[0]?.cost?.requests ?? 0;
      if (hoursSpan === '60-days') expect(asked.length + askedLong(exporter).length + 2).toBe(cost);
    },
  );

  test('asks for no response times again that were stored before a crash, and reads states where they are refused', async () => {
    let commits = 0;
    let crashAt = Number.POSITIVE_INFINITY;
    const after = async () => {
      commits += 1;
      return commits === crashAt ? ('crash' as const) : ('go on' as const);
    };
    const exporter = await create({
      ...{ checks: 3, transactions: 0, account: { concurrency: 1 }, moments: { after } },
    });
    await exporter.start();
    await exporter.pass(6_000);
    const [denied = 0] = exporter.sandbox.world.checks.map(({ id }) => id);
    const path = `/api/3.1/summary.performance/${denied}`;
    exporter.sandbox.faults.inject({ kind: 'forbidden', path });
    const from = exporter.now - yearSeconds;
    await call(exporter, 'POST', `/-/backfill?from=${from}&response_times=true`);
    const stored: { periods: string[]; asked: number }[] = [];
    for (let crash = 0; crash < 8; crash++) {
      crashAt = commits + 2 + (crash % 3);
      await exporter.pass(120);
      await exporter.crash();
      crashAt = Number.POSITIVE_INFINITY;
      const { documents } = await exporter.disk.load('shop');
      const known = [...readBackfill(documents, expect.unreachable).check].flatMap(
        ([id, { responseTimes, measuredUntilSeconds = 0 }]) =>
          responseTimes === undefined ? [] : [[id, measuredUntilSeconds] as const],
      );
      const asked = askedHours(exporter);
      const periods = asked.filter((period) => {
        const [id = 0, , to = 0] = period.split(' ').map(Number);
        return known.some(([checkId, until]) => checkId === id && to - 3_600 <= until);
      });
      stored.push({ periods, asked: asked.length });
      await exporter.start();
    }
    await untilDone(exporter);
    const asked = askedHours(exporter);
    const halfway = stored.filter(({ periods }) => periods.length > 0 && periods.length < 24);
    expect(halfway.length).toBeGreaterThan(1);
    for (const { periods, asked: before } of stored) {
      expect(asked.slice(before).filter((period) => periods.includes(period))).toEqual([]);
    }
    const items = await itemsOf(exporter);
    expect(items.map(({ past }) => past === undefined)).toEqual([false, false, false]);
    expect(items.filter(({ responseTimes }) => responseTimes === undefined)).toEqual([
      expect.objectContaining({ id: denied }),
    ]);
    expect((await jobOf(exporter))?.read).toBe(3);
  });

  test('goes on after responses of 429 and 503 of the service, and after a full disk', async () => {
    // No other response refuses.
    const wire = { stray401: 0, stray403: 0 };
    const exporter = await create({ checks: 6, transactions: 0, wire });
    await exporter.start();
    await exporter.pass(2_400);
    const { faults, journal, world } = exporter.sandbox;
    const [limited = 0, failing = 0] = world.checks.map(({ id }) => id);
    for (const [id, kind] of [
      [limited, 'limit-exceeded'],
      [failing, 'status-503'],
    ] as const) {
      faults.inject({ kind, path: `/api/3.1/summary.outage/${id}`, times: 2 });
    }
    const from = exporter.now - 60 * 86_400;
    await call(exporter, 'POST', `/-/backfill?from=${from}`);
    await exporter.pass(120);
    exporter.disk.failWith(new StoreError('full', 'the disk is full'));
    await exporter.pass(600);
    exporter.disk.failWith(undefined);
    await untilDone(exporter);
    expect(await jobOf(exporter)).toMatchObject({ items: 6, read: 6 });
    const statuses = journal.recent
      .filter(({ operation, query }) => operation === 'list_outages' && Number(query.from) <= from)
      .map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429, 503]));
  });

  test('is done about when the cost of a fresh account says', async () => {
    const limits = { shortLimit: 400, longLimit: 72_000 };
    const exporter = await RestartableExporter.create({ checks: 12, transactions: 0, ...limits });
    await exporter.start();
    await exporter.pass(60);
    const query = `from=${exporter.now - yearSeconds}`;
    const { text } = await call(exporter, 'GET', `/-/backfill?${query}`);
    const forecast = progress.parse(JSON.parse(text)).accounts[0]?.cost?.seconds ?? 0;
    const begun = exporter.now;
    await call(exporter, 'POST', `/-/backfill?${query}`);
    await untilDone(exporter);
    // A small account often needs fewer requests than its plan, and a job uses the others, too.
    expect(exporter.now - begun).toBeGreaterThan(forecast / 3);
    expect(exporter.now - begun).toBeLessThan(forecast * 1.5);
  });

  test('ends although entries of reports cannot be read, and counts their time as unmonitored', async () => {
    const exporter = await create({ checks: 3, transactions: 2 });
    const { faults, world } = exporter.sandbox;
    const [spoilt = 0] = world.checks.map(({ id }) => id);
    await exporter.start();
    await exporter.pass(2_400);
    const path = `/api/3.1/summary.outage/${spoilt}`;
    for (const order of [{ path }, { operation: 'list_transaction_states' }]) {
      faults.inject({ kind: 'malformed-states', ...order });
    }
    await call(exporter, 'POST', `/-/backfill?from=${exporter.now - 300 * 86_400}`);
    await exporter.pass(600);
    expect(await jobOf(exporter)).toMatchObject({ state: 'running', read: 2, incomplete: 0 });
    await untilDone(exporter);

    const transactions = world.transactions.all.map(({ id }) => id);
    const incomplete = [`check ${spoilt}`, ...transactions.map((id) => `transaction ${id}`)];
    const job = await jobOf(exporter);
    expect(job).toMatchObject({ items: 5, read: 5, incomplete: 3 });
    expect(job?.incomplete_items.toSorted()).toEqual(incomplete.toSorted());
    const logged = exporter.log.filter((line) => line.includes('backfill report incomplete'));
    expect(logged.map((line) => Number(/ id=(\d+)/.exec(line)?.[1])).sort()).toEqual(
      [spoilt, ...transactions].sort(),
    );
    for (const { kind, id, past, unreadable } of await itemsOf(exporter)) {
      if (past === undefined) throw new Error(`${kind} ${id} was not read`);
      const states = decodeStates(past.states, past.fromSeconds);
      if (!incomplete.includes(`${kind} ${id}`)) {
        expect(unreadable).toBeUndefined();
        continue;
      }
      const readable = readableStates(exporter, kind, id, past);
      expect(unreadable).toBeGreaterThan(0);
      expect(states).toEqual(readable);
    }
  });

  test('ends although no entry of a report can be read', async () => {
    const exporter = await create({ checks: 1, transactions: 0 });
    const [id = 0] = exporter.sandbox.world.checks.map((check) => check.id);
    await exporter.start();
    await exporter.pass(2_400);
    exporter.sandbox.faults.inject({ kind: 'malformed-states' });
    await call(exporter, 'POST', `/-/backfill?from=${exporter.now - 7_200}`);
    await untilDone(exporter);

    const [item] = await itemsOf(exporter);
    const { fromSeconds = 0, toSeconds = 0 } = item?.past ?? {};
    const truth = checkStates(exporter.sandbox, id, { fromSeconds, toSeconds }, exporter.now);
    expect(truth).toMatchObject({ seconds: { up: toSeconds - fromSeconds }, outages: 0 });
    expect(item).toMatchObject({ id, unreadable: 1 });
    expect(item?.past?.states).toMatch(/^-[0-9]+$/);
  });

  test('is not done before it has read what became readable between two lists', async () => {
    const exporter = await create({ checks: 6, transactions: 1 });
    await exporter.start();
    await exporter.pass(130);
    await call(exporter, 'POST', `/-/backfill?from=${exporter.now - 10 * 86_400}`);
    for (let turn = 0; turn < 1_000; turn++) {
      const job = await jobOf(exporter);
      if (job?.state === 'done') {
        expect(job).toMatchObject({ items: 7, read: 7 });
        return;
      }
      await exporter.pass(5);
    }
    throw new Error('the backfill job did not end');
  });

  test.each([
    ['the wait for checks that were first seen just now', undefined],
    ['the wait for the next test of a check that is tested every hour', 55 * 60],
  ])('counts %s into the time that is left', async (_what, nextTestSeconds) => {
    // After a refusal no time is promised.
    const wire = { stray401: 0, stray403: 0 };
    const exporter = await create({ checks: 6, transactions: 0, wire });
    const { registry, checks } = exporter.sandbox.world;
    const [check] = checks;
    if (nextTestSeconds !== undefined && check !== undefined) {
      const phaseSeconds = (exporter.now + nextTestSeconds) % 3_600;
      const run = { from: check.created, resolutionSeconds: 3_600, phaseSeconds };
      registry.put({ ...check, resolutionMinutes: 60, runs: [run] });
    }
    await exporter.start();
    await exporter.pass(60);
    await call(exporter, 'POST', `/-/backfill?from=${exporter.now - yearSeconds}`);
    const began = exporter.now;
    const job = await jobOf(exporter);

    for (let turn = 0; turn < 120; turn++) {
      const now = await jobOf(exporter);
      if (now?.state === 'done') break;
      // Also while items are read, and none waits.
      expect(now).toHaveProperty('seconds_left');
      await exporter.pass(60);
    }

    const tookSeconds = exporter.now - began;
    expect(tookSeconds).toBeGreaterThan(nextTestSeconds === undefined ? 0 : nextTestSeconds - 120);
    expect(job?.seconds_left).toBeGreaterThan(0.8 * tookSeconds);
    expect(job?.seconds_left).toBeLessThan(1.25 * tookSeconds);
  });

  test('promises no time while others have used up the budget', async () => {
    const exporter = await create({
      checks: 6,
      transactions: 0,
      wire: { stray401: 0, stray403: 0 },
    });
    await exporter.start();
    await exporter.pass(60);
    await call(exporter, 'POST', `/-/backfill?from=${exporter.now - yearSeconds}`);
    expect(await jobOf(exporter)).toHaveProperty('seconds_left');

    const { limits } = exporter.sandbox;
    limits.otherClientSpends(limits.reading('short').remaining - 10);
    await exporter.pass(120);

    expect(await jobOf(exporter)).toMatchObject({ read: 0 });
    expect(await jobOf(exporter)).not.toHaveProperty('seconds_left');
  });

  test('names a check that the service does not let the account read, and one that was deleted', async () => {
    const exporter = await create({ checks: 5, transactions: 0 });
    await exporter.start();
    await exporter.pass(600);
    await call(exporter, 'POST', `/-/backfill?from=${exporter.now - yearSeconds}`);
    expect((await jobOf(exporter))?.read).toBe(0);
    const [denied = 0, deleted = 0] = exporter.sandbox.world.checks.map(({ id }) => id);
    const path = `/api/3.1/summary.outage/${denied}`;
    exporter.sandbox.faults.inject({ kind: 'forbidden', path });
    exporter.sandbox.world.registry.remove(deleted);
    await exporter.pass(1_800);
    await untilDone(exporter);
    const items = await itemsOf(exporter);
    const refused = items.find(({ id }) => id === denied);
    expect(refused?.past).toBeUndefined();
    expect(refused?.refusal).toContain('403');
    const gone = items.find(({ id }) => id === deleted);
    expect(gone?.labelsNow).toBeUndefined();
    expect(gone?.past).toBeUndefined();
    expect(items.filter(({ past }) => past !== undefined)).toHaveLength(3);
  });

  test('reads a check that was listed after the job, and the others only once', async () => {
    const exporter = await create({ checks: 4, transactions: 0 });
    const [late = 0, ...others] = exporter.sandbox.world.checks.map(({ id }) => id);
    await exporter.start({ filter: ({ id }) => id !== late });
    await exporter.pass(600);
    const from = exporter.now - yearSeconds;
    const post = () => call(exporter, 'POST', `/-/backfill?from=${from}`);
    expect((await post()).statusCode).toBe(202);
    await untilDone(exporter);
    expect((await itemsOf(exporter)).map(({ id }) => id)).toEqual(others);

    await exporter.reload({});
    await exporter.pass(600);
    const seconds = exporter.now;
    expect((await post()).statusCode).toBe(202);
    await untilDone(exporter);

    const items = await expectTrueItems(exporter);
    expect(items.map(({ id }) => id)).toEqual([late, ...others]);
    expect(askedLong(exporter).filter((id) => others.includes(id))).toHaveLength(others.length);
    const { firstSeenSeconds = 0, past } = items[0] ?? {};
    expect(firstSeenSeconds).toBeGreaterThan(seconds - 600 - longestListLag);
    expect(past?.toSeconds).toBe(firstSeenSeconds);
  });

  test('is refused, without a cost, until the check list has been read', async () => {
    const exporter = await create({ checks: 3, transactions: 0 });
    const id = exporter.sandbox.faults.inject({ kind: 'unauthorized' });
    await exporter.start();
    await exporter.pass(60);
    const ask = async () => JSON.parse((await call(exporter, 'GET', '/-/backfill?from=0')).text);
    const [unread] = progress.parse(await ask()).accounts;
    expect(unread).toEqual({ account: 'shop' });
    expect(await call(exporter, 'POST', '/-/backfill?from=0')).toEqual({
      statusCode: 503,
      text: 'no backfill: the check list of "shop" is not read yet.\n',
    });
    exporter.sandbox.faults.clear(id);
    await exporter.pass(3_600);
    expect(progress.parse(await ask()).accounts[0]?.cost?.requests).toBe(3 + 2);
    expect((await call(exporter, 'POST', '/-/backfill?from=0')).statusCode).toBe(202);
  });

  test('is refused where there is nothing to read, where another runs, and for what is no time', async () => {
    const exporter = await create({
      checks: 3,
      transactions: 0,
      shortLimit: 400,
    });
    await exporter.start();
    const first = exporter.now;
    await exporter.pass(600);
    const post = (query: string) => call(exporter, 'POST', `/-/backfill?${query}`);
    expect(await post(`from=${first + 300}`)).toEqual({
      statusCode: 400,
      text: 'No backfill: there is nothing to read: in that time the exporter has watched every check and transaction that existed.\n',
    });
    expect((await post('from=2025-02-30')).text).toContain('"from" must be a time: a date such as');
    expect((await post('from=2126-01-01')).text).toContain('from must be in the past');
    expect((await post('account=other&from=2025-01-01')).text).toContain('expected one of shop');
    expect((await post('')).statusCode).toBe(400);
    expect((await call(exporter, 'GET', '/-/backfill/items')).statusCode).toBe(404);
    const { accounts } = JSON.parse((await call(exporter, 'GET', '/-/backfill')).text);
    expect(accounts).toEqual([{ account: 'shop', time_zone: 'UTC', months: expect.any(Array) }]);
    const { text } = await call(exporter, 'GET', '/-/backfill?from=2025-07-01');
    expect(progress.parse(JSON.parse(text)).accounts[0]?.cost?.requests).toBe(3 + 2);
    exporter.disk.failWith(new StoreError('full', 'the disk is full'));
    expect((await post('from=2025-10-01')).text).toContain('the job could not be stored');
    exporter.disk.failWith(undefined);
    exporter.sandbox.faults.inject({ kind: 'status-503', operation: 'list_outages' });
    expect((await post('from=2025-10-01')).statusCode).toBe(202);
    await exporter.pass(1_800);
    expect((await jobOf(exporter))?.state).toBe('running');
    expect((await post('from=2025-11-01')).statusCode).toBe(202);
    const refused = await post('from=2025-07-01');
    expect(refused.statusCode).toBe(409);
    expect(refused.text).toContain('another backfill job of the account is running');
  });
});
