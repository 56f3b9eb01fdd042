import { describe, expect, test } from 'vitest';
import type { SandboxCheck } from '../src/account/checks.ts';
import type { Sandbox } from '../src/sandbox.ts';
import { documentedWire, type Wire } from '../src/wire.ts';
import { bearer, legacyHeaders, startTestSandbox, type WireEntry } from './start-test-sandbox.ts';

const path = '/api/3.1/tms/check';

interface Transactions {
  readonly checks: readonly WireEntry[];
}
interface StatusReport {
  readonly report: { readonly states: readonly { status: string; from: string; to: string }[] };
}
interface PerformanceReport {
  readonly report: {
    readonly intervals: readonly {
      readonly from: string;
      readonly average_response?: number;
      readonly steps: readonly { readonly average_response?: number }[];
    }[];
  };
}

const documented = { wire: documentedWire };

async function firstTransaction(options = {}) {
  const { send, sandbox, clock } = await startTestSandbox(options);
  const transactions = (await send<Transactions>('GET', path)).body.checks;
  const [{ id } = { id: 0 }] = transactions;
  const transaction = sandbox.world.transactions.find(id);
  if (transaction === undefined) throw new Error('the account has no transaction');
  const lastRun = sandbox.history.lastTest(transaction, clock.now() / 1000)?.time ?? 0;
  return { send, clock, transactions, id, lastRun: new Date(lastRun * 1000) };
}

/** A check that is up then, and is tested every so many minutes. */
function upCheck({ world }: Sandbox, now: number, resolutionMinutes: number): SandboxCheck {
  const check = world.checks.find(
    (each) =>
      world.observer.observe(each, now).status === 'up' &&
      each.resolutionMinutes === resolutionMinutes,
  );
  if (check === undefined) throw new Error('no check is up');
  return check;
}

describe('a status report', () => {
  test('may begin with the first run in its period', async () => {
    const { send, id, lastRun } = await firstTransaction({ wire: { reportsBegin: 'first-test' } });
    const before = (seconds: number) => new Date(lastRun.getTime() - 1000 * seconds).toISOString();

    const period = `from=${before(1)}&to=${before(-60)}`;
    const { body } = await send<StatusReport>('GET', `${path}/${id}/report/status?${period}`);
    const longer = `from=${before(86_399)}&to=${before(-60)}`;
    const { body: day } = await send<StatusReport>('GET', `${path}/${id}/report/status?${longer}`);

    // The report ends with the last run.
    expect(body.report.states).toEqual([]);
    expect(Date.parse(day.report.states[0]?.from ?? '')).toBeGreaterThan(
      Date.parse(before(86_399)),
    );
  });

  test('ends with the last run of the transaction', async () => {
    const { send, id, lastRun } = await firstTransaction();

    const { body } = await send<StatusReport>('GET', `${path}/${id}/report/status`);

    expect(new Date(body.report.states.at(-1)?.to ?? '')).toEqual(lastRun);
  });

  test('ends now in the form of the documents', async () => {
    const { send, clock, id } = await firstTransaction(documented);

    const { body } = await send<StatusReport>('GET', `${path}/${id}/report/status`);

    expect(Date.parse(body.report.states.at(-1)?.to ?? '')).toBe(clock.now());
  });
});

test('the type of a transaction is a word, and an array in the form of the documents', async () => {
  const asRecorded = (await firstTransaction()).transactions[0];
  const asDocumented = (await firstTransaction(documented)).transactions[0];

  expect(asRecorded?.type).toBeTypeOf('string');
  expect(asDocumented?.type).toEqual([asRecorded?.type]);
});

test('response times of transactions are in microseconds, and in milliseconds in the form of the documents', async () => {
  const intervalsOf = async (options = {}) => {
    const { send, id } = await firstTransaction(options);
    const { body } = await send<PerformanceReport>('GET', `${path}/${id}/report/performance`);
    return body.report.intervals;
  };
  const [asRecorded] = await intervalsOf();
  const [asDocumented] = await intervalsOf(documented);

  expect(asDocumented?.average_response).toBeGreaterThan(100);
  expect(asRecorded?.average_response).toBe(1000 * (asDocumented?.average_response ?? 0));
  expect(asRecorded?.steps[0]?.average_response).toBe(
    1000 * (asDocumented?.steps[0]?.average_response ?? 0),
  );
});

test('a downtime that goes on ends with the last run, and has no end in the form of the documents', async () => {
  const failing = ({ status }: WireEntry) => status === 'failing';
  const asRecorded = (await firstTransaction()).transactions.find(failing);
  const asDocumented = (await firstTransaction(documented)).transactions.find(failing);

  expect(asRecorded?.last_downtime_end).toBeGreaterThan(asRecorded?.last_downtime_start as number);
  expect(asDocumented?.last_downtime_start).toBe(asRecorded?.last_downtime_start);
  expect(asDocumented).not.toHaveProperty('last_downtime_end');
});

test('what was not measured is 0 while a check is down or paused, and absent in the form of the documents', async () => {
  const unmeasured = async (options = {}) => {
    const { get } = await startTestSandbox(options);
    const { checks } = (await get('/api/3.1/checks')).json();
    return checks
      .filter(({ status }) => status === 'down' || status === 'paused')
      .map(({ lastresponsetime }) => lastresponsetime);
  };
  const asRecorded = await unmeasured();
  const asDocumented = await unmeasured(documented);

  expect(new Set(asRecorded)).toEqual(new Set([0]));
  expect(new Set(asDocumented)).toEqual(new Set([undefined]));
});

test.each([
  ['Asia/Kolkata', 1800],
  ['Asia/Kathmandu', 900],
  ['Europe/Stockholm', 0],
])('in %s hours begin %i seconds past those of UTC', async (timeZone, offset) => {
  const { get } = await startTestSandbox({ wire: { timeZone } });
  const { checks } = (await get('/api/3.1/checks')).json();
  const id = checks.find(({ status }) => status === 'up')?.id;
  for (const [version, headers] of [['3.1', bearer] as const, ['2.1', legacyHeaders] as const]) {
    const { text } = await get(`/api/${version}/summary.performance/${id}`, headers);
    const { hours } = JSON.parse(text).summary as { hours: { starttime: number }[] };

    expect(hours.length).toBeGreaterThan(8);
    for (const { starttime } of hours) expect(starttime % 3600).toBe(offset);
  }
});

test.each(['/api/3.1/checks/?include_tags=True', '/api/3.1/maintenance/', '/api/2.1/checks/'])(
  'answers %s as without the slash',
  async (address) => {
    const { send } = await startTestSandbox();

    const { status, body } = await send<object>('GET', address);
    const plain = await send<object>('GET', address.replace(/\/($|\?)/, '$1'));

    expect(status).toBe(200);
    expect(body).toEqual(plain.body);
  },
);

describe('an outage report', () => {
  /** The end of the last state in reports of one minute, and the time of the last test. */
  async function ends(wire: Partial<Wire>, status: 'up' | 'unknown' | 'paused' = 'up') {
    const { send, sandbox, clock } = await startTestSandbox({ checks: 24, wire });
    const now = clock.now() / 1000;
    const check = sandbox.world.checks.find(
      (each) => sandbox.world.observer.observe(each, now).status === status,
    );
    if (check === undefined) throw new Error(`no check is ${status}`);
    const found = [];
    for (let second = 0; second < 60; second += 7) {
      await clock.advance(7000);
      const { body } = await send<{
        summary: { states: { status: string; timefrom: number; timeto: number }[] };
      }>('GET', `/api/3.1/summary.outage/${check.id}`);
      const at = Math.floor(clock.now() / 1000);
      const lastTest = sandbox.history.lastTest(check, at)?.time ?? 0;
      const pausedAt = check.runs.at(-1)?.to;
      found.push({ at, lastTest, pausedAt, last: body.summary.states.at(-1) });
    }
    return found;
  }

  test('ends with the last test, or with the beginning of a pause', async () => {
    for (const { last, lastTest } of await ends({})) expect(last?.timeto).toBe(lastTest);
    for (const { last, lastTest, pausedAt } of await ends({}, 'paused')) {
      expect(last?.timeto).toBe(pausedAt);
      expect(pausedAt).toBeGreaterThan(lastTest);
    }
  });

  test('ends now in the form of the documents', async () => {
    for (const { last, at } of await ends({ reportsEnd: 'now' })) expect(last?.timeto).toBe(at);
  });

  test('may end at any second between the last test and now', async () => {
    const found = await ends({ reportsEnd: 'before-now' });
    for (const { last, at, lastTest } of found) {
      expect(last?.timeto).toBeGreaterThanOrEqual(lastTest);
      expect(last?.timeto).toBeLessThanOrEqual(at);
    }
    const ages = found.map(({ last, at }) => at - (last?.timeto ?? 0));
    expect(new Set(ages).size).toBeGreaterThan(3);
  });

  test('has an unknown state that a pause has ended as ended, also until the first test after it', async () => {
    const wire = { resumedTests: 'when-due', unknownInReports: 'absent' } as const;
    const { sandbox, clock, send } = await startTestSandbox({ checks: 24, wire });
    const { world } = sandbox;
    const now = clock.now() / 1000;
    const check = upCheck(sandbox, now, 5);
    const { id } = check;
    world.plant({ checkId: id, status: 'unknown', from: now, to: now + 7_200 });
    const lastTest = world.history.lastTest(check, now)?.time ?? 0;
    const states = async (seconds: number) => {
      await clock.advance((lastTest + seconds) * 1000 - clock.now());
      const path = `/api/3.1/summary.outage/${id}?from=${lastTest}`;
      const { body } = await send<{ summary: { states: { status: string }[] } }>('GET', path);
      return body.summary.states.map(({ status }) => status);
    };
    expect(await states(910)).not.toContain('unknown');
    await send('PUT', `/api/3.1/checks/${id}`, { json: { paused: true } });
    expect(await states(1_840)).toContain('unknown');
    await send('PUT', `/api/3.1/checks/${id}`, { json: { paused: false } });
    expect(await states(1_860)).toContain('unknown');
  });

  test('begins at the start of its period, or with the first test in it', async () => {
    const beginnings = async (wire: Partial<Wire>) => {
      const { send, sandbox, clock } = await startTestSandbox({ checks: 24, wire });
      const now = clock.now() / 1000;
      const { world, history } = sandbox;
      const check = world.checks.find((each) => history.stateAt(each, now) === 'up');
      if (check === undefined) throw new Error('no check is up');
      const from = (history.lastTest(check, now - 3600)?.time ?? 0) + 1;
      const [first] = history.results(check, from, now);
      const report = async (to: number) => {
        const path = `/api/3.1/summary.outage/${check.id}?from=${from}&to=${to}`;
        const { body } = await send<{ summary: { states: { timefrom: number }[] } }>('GET', path);
        return body.summary.states[0]?.timefrom;
      };
      const untilFirst = await report((first?.time ?? 0) - 1);
      return { from, first: first?.time, begin: await report(now), untilFirst };
    };
    const atStart = await beginnings({});
    expect(atStart.begin).toBe(atStart.from);
    expect(atStart.untilFirst).toBe(atStart.from);
    const whole = await beginnings({ reportedStates: 'whole' });
    expect(whole.begin).toBeLessThan(whole.from);
    const atTest = await beginnings({ reportsBegin: 'first-test' });
    expect(atTest.begin).toBe(atTest.first);
    expect(atTest.begin).toBeGreaterThan(atTest.from);
    expect(atTest.untilFirst).toBeUndefined();
  });

  test.each([
    ['any', 200],
    ['31-days', 400],
  ] as const)('has a longest period of days: %s', async (statesSpan, status) => {
    const { send, sandbox, clock } = await startTestSandbox({ wire: { statesSpan } });
    const now = clock.now() / 1000;
    const before = (seconds: number) => new Date((now - seconds) * 1000).toISOString();
    const statusOf = async (seconds: number) => [
      (
        await send(
          'GET',
          `/api/3.1/summary.outage/${sandbox.world.checks[0]?.id}?from=${now - seconds}`,
        )
      ).status,
      (await send('GET', `/api/3.1/tms/check/report/status?from=${before(seconds)}`)).status,
    ];
    expect(await statusOf(31 * 86_400)).toEqual([200, 200]);
    expect(await statusOf(31 * 86_400 + 1)).toEqual([status, status]);
  });

  test('shows an unknown state while it lasts, or not before it has ended', async () => {
    const [shown] = await ends({}, 'unknown');
    expect(shown?.last?.status).toBe('unknown');
    const [absent] = await ends({ unknownInReports: 'absent' }, 'unknown');
    expect(absent?.last?.status).not.toBe('unknown');
  });

  test.each([
    { period: 'after an earlier pause', hoursAgo: 2, starts: [2] },
    { period: 'with two pauses', hoursAgo: 7, starts: [6, 3] },
    { period: 'within the first pause', hoursAgo: 5.5, starts: [5.5, 3] },
  ])('shows each pause of a period $period once', async ({ hoursAgo, starts }) => {
    const { send, sandbox, clock } = await startTestSandbox({
      wire: { pausesInReports: 'unknown' },
    });
    const now = clock.now() / 1000;
    const [check] = sandbox.world.checks;
    if (check === undefined) throw new Error('the sandbox has no check');
    const hour = 3600;
    const every = { resolutionSeconds: 300, phaseSeconds: 0 };
    const runs = [
      { ...every, from: now - 9 * hour, to: now - 6 * hour },
      { ...every, from: now - 5 * hour, to: now - 3 * hour },
      { ...every, from: now - hour },
    ];
    sandbox.world.registry.put({ ...check, created: now - 9 * hour, runs });
    sandbox.world.plant({ checkId: check.id, status: 'up', from: 0 });

    const { body } = await send<{
      summary: { states: { status: string; timefrom: number; timeto: number }[] };
    }>('GET', `/api/3.1/summary.outage/${check.id}?from=${now - hoursAgo * hour}&to=${now}`);

    const pauses = body.summary.states.filter(({ status }) => status === 'unknown');
    expect(pauses.map(({ timefrom }) => (now - timefrom) / hour)).toEqual(starts);
    expect(pauses.at(-1)?.timeto).toBe(now - hour);
  });

  test('lags by the seconds of the wire', async () => {
    for (const { last, at } of await ends({
      reportsEnd: 'now',
      reportLagSeconds: { min: 300, max: 300 },
    })) {
      expect(last?.timeto).toBe(at - 300);
    }
  });
});

describe('a list', () => {
  interface Checks {
    readonly checks: readonly WireEntry[];
    readonly counts: { readonly total: number };
  }
  const listOf = async (wire: Partial<Wire>) => {
    const started = await startTestSandbox({ checks: 24, wire });
    const { body } = await started.send<Checks>('GET', '/api/3.1/checks');
    return { ...started, ...body };
  };
  /** A check that is up now and is tested every so many minutes, with times in seconds from now. */
  const listedCheck = async (wire: Partial<Wire>, resolutionMinutes: number) => {
    const { sandbox, clock, send } = await startTestSandbox({ checks: 24, wire });
    const now = clock.now() / 1000;
    const check = upCheck(sandbox, now, resolutionMinutes);
    const { id } = check;
    const plant = (status: 'up' | 'down' | 'unknown', from: number, to: number) =>
      sandbox.world.plant({ checkId: id, status, from: now + from, to: now + to });
    const entryAt = async (seconds: number) => {
      await clock.advance((now + seconds) * 1000 - clock.now());
      const { body } = await send<Checks>('GET', '/api/3.1/checks');
      return body.checks.find((each) => each.id === id);
    };
    const pause = (paused: boolean) => send('PUT', `/api/3.1/checks/${id}`, { json: { paused } });
    const lastTest = (sandbox.history.lastTest(check, now)?.time ?? 0) - now;
    return { now, plant, entryAt, pause, lastTest };
  };

  test('keeps the response time of an earlier test while a check is down', async () => {
    const { checks, sandbox, clock } = await listOf({ unmeasured: 'kept' });
    const down = checks.filter(({ status }) => status === 'down');
    expect(down.length).toBeGreaterThan(0);
    for (const { id, lastresponsetime } of down) {
      const check = sandbox.world.check(id);
      if (check === undefined) throw new Error(`no check ${id}`);
      const now = clock.now() / 1000;
      const good = [...sandbox.history.results(check, now - 86_400, now + 1)].findLast(
        ({ responseMilliseconds }) => responseMilliseconds !== undefined,
      );
      expect(lastresponsetime).toBe(good?.responseMilliseconds ?? 0);
    }
  });

  test('may have fractions of response times, texts as identifiers, and words in capitals', async () => {
    const { checks } = await listOf({
      responseTimes: 'fractions',
      ids: 'texts',
      words: 'capitals',
    });
    const up = checks.filter(({ status }) => status === 'UP');
    expect(up.length).toBeGreaterThan(5);
    expect(up.some(({ lastresponsetime }) => Number(lastresponsetime) % 1 !== 0)).toBe(true);
    expect(up.every(({ id }) => typeof id === 'string')).toBe(true);
    expect(checks.some(({ type }) => type === 'HTTP')).toBe(true);
  });

  test('may have texts as numbers other than identifiers', async () => {
    const { checks, counts } = await listOf({ numbers: 'texts' });
    expect(counts.total).toBe(`${checks.length}`);
    for (const { id, created } of checks) {
      expect([typeof id, typeof created]).toEqual(['number', 'string']);
    }
  });

  test('may have another order, which is the same on each page', async () => {
    const { checks, send } = await listOf({ listOrder: 'shuffled' });
    const ids = checks.map(({ id }) => id);
    expect(ids).not.toEqual(ids.toSorted((a, b) => a - b));
    const { body } = await send<Checks>('GET', '/api/3.1/checks?limit=5&offset=7');
    expect(body.checks.map(({ id }) => id)).toEqual(ids.slice(7, 12));
  });

  test('may lack checks that the list 45 seconds later has', async () => {
    const { sandbox, clock } = await listOf({ omittedChecks: 0.5 });
    const { lags, checks } = sandbox.world;
    const now = clock.now() / 1000;
    let omitted = 0;
    for (const { id } of checks) {
      for (let second = now; second < now + 1_800; second++) {
        if (!lags.isOmitted(id, second)) continue;
        omitted++;
        expect(lags.isOmitted(id, second + 45)).toBe(false);
      }
    }
    expect(omitted).toBeGreaterThan(100);
  });

  test.each([
    ['listed', 60],
    ['absent', 660],
  ] as const)(
    'has the time of a test whose result is unknown: %s',
    async (unknownTests, oldest) => {
      const { now, plant, entryAt } = await listedCheck({ unknownTests }, 1);
      plant('unknown', 0, 1_200);
      const listed = await entryAt(600);
      expect(listed).toMatchObject({ status: 'unknown' });
      const ageSeconds = now + 600 - Number(listed?.lasttesttime);
      expect(ageSeconds).toBeLessThanOrEqual(oldest);
      expect(ageSeconds).toBeGreaterThan(oldest - 61);
    },
  );

  test.each([
    ['at-once', ['up', 'up']],
    ['when-due', ['unknown', 'up']],
  ] as const)('has the first test of a resumed check %s', async (resumedTests, statuses) => {
    const { plant, entryAt, pause, lastTest } = await listedCheck({ resumedTests }, 5);
    plant('up', 0, 3_600);
    const next = async (seconds: number) => (await entryAt(lastTest + seconds))?.status;
    await next(310);
    await pause(true);
    expect(await next(940)).toBe('paused');
    await pause(false);
    expect([await next(960), await next(1_201)]).toEqual(statuses);
  });

  test.each(['up', 'unconfirmed_up'] as const)(
    'has a check that is up again as %s',
    async (recoveries) => {
      const { plant, entryAt } = await listedCheck({ recoveries }, 1);
      plant('down', 0, 600);
      plant('up', 600, 1_200);
      const statuses = [];
      for (const seconds of [540, 660, 720]) statuses.push((await entryAt(seconds))?.status);
      expect(statuses).toEqual(['down', recoveries, 'up']);
    },
  );

  test.each([
    ['last-test', 1_200, 2_460],
    ['first-test', 960, 2_460],
    ['outage', 1_200, 1_200],
  ] as const)('has %s as the last error', async (lastErrors, ...expected) => {
    const { now, plant, entryAt, lastTest } = await listedCheck({ lastErrors }, 1);
    plant('up', lastTest + 60, lastTest + 3_600);
    plant('down', lastTest + 960, lastTest + 1_201);
    plant('down', lastTest + 2_460, lastTest + 2_461);
    const errors = [];
    for (const seconds of [1_800, 3_000]) {
      errors.push(Number((await entryAt(seconds))?.lasterrortime) - now - lastTest);
    }
    expect(errors).toEqual(expected);
  });

  test('may have the end of the downtime before as that of one that has not ended', async () => {
    const { sandbox, clock, send } = await listOf({ openDownEnd: 'earlier' });
    const { world } = sandbox;
    const now = clock.now() / 1000;
    const [check, transaction] = [world.checks[0], world.transactions.all[0]];
    if (check === undefined || transaction === undefined) throw new Error('one is missing');
    for (const { id } of [check, transaction]) {
      world.plant({ checkId: id, status: 'up', from: now, to: now + 10 * 3_600 });
      world.plant({ checkId: id, status: 'down', from: now + 3_600, to: now + 2 * 3_600 });
      world.plant({ checkId: id, status: 'down', from: now + 4 * 3_600, to: now + 10 * 3_600 });
    }
    await clock.advance(6 * 3_600_000);
    const { body } = await send<Checks>('GET', '/api/3.1/checks');
    const end = body.checks.find(({ id }) => id === check.id)?.lastdownend;
    const list = await send<{ checks: { id: number; last_downtime_end: number }[] }>(
      'GET',
      '/api/3.1/tms/check',
    );
    const run = list.body.checks.find(({ id }) => id === transaction.id)?.last_downtime_end;
    for (const time of [end, run]) {
      expect(time).toBeGreaterThanOrEqual(now + 2 * 3_600);
      expect(time).toBeLessThan(now + 3 * 3_600 + 1_200);
    }
  });

  test('ends a downtime with the first good test, even after a pause', async () => {
    const { now, plant, entryAt } = await listedCheck({ downEnd: 'good-test' }, 1);
    plant('down', 0, 600);
    plant('unknown', 600, 1_200);
    expect(await entryAt(900)).not.toHaveProperty('lastdownend');
    const end = (await entryAt(1_500))?.lastdownend;
    expect(end).toBeGreaterThanOrEqual(now + 1_200);
    expect(end).toBeLessThan(now + 1_260);
  });
});

describe('a raw result', () => {
  test('may be listed twice', async () => {
    const { sandbox, send } = await startTestSandbox({ wire: { repeatedResults: 0.2 } });
    const id = sandbox.world.checks[0]?.id;
    const { body } = await send<{ results: { time: number; probeid: number }[] }>(
      'GET',
      `/api/3.1/results/${id}?limit=200`,
    );
    const keys = body.results.map(({ time, probeid }) => `${time} ${probeid}`);
    expect(keys.length - new Set(keys).size).toBeGreaterThan(5);
  });
});

describe('an error', () => {
  test.each([
    ['json', /^\{"message":/],
    ['text', /^error code: 400$/],
    ['html', /<h1>Error 400<\/h1>/],
  ] as const)('may have a body of %s', async (errorBodies, body) => {
    const { get } = await startTestSandbox({ wire: { errorBodies } });
    const { status, text } = await get('/api/3.1/checks?limit=many');
    expect(status).toBe(400);
    expect(text).toMatch(body);
  });

  test('may answer a valid request, and limit headers may be missing', async () => {
    const { get } = await startTestSandbox({
      wire: { stray401: 0.2, stray403: 0.2, missingLimits: 0.2 },
    });
    const seen = new Map<string, number>();
    for (let times = 0; times < 60; times++) {
      const { status, text, headers } = await get('/api/3.1/credits');
      const limits = 'req-limit-short' in headers ? 'limits' : 'no limits';
      const kind = status === 200 ? `200 ${limits}` : `${status} ${text}`;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
    const kinds = [...seen.keys()].sort();
    expect(kinds).toEqual([
      '200 limits',
      '200 no limits',
      expect.stringMatching(/^401 .*Unable to decode JWT/),
      '403 error code: 1020',
    ]);
  });
});

test('a list without entries may be null or, in an object of the response, absent', async () => {
  const responses = async (emptyLists: Wire['emptyLists']) => {
    const { get } = await startTestSandbox({ checks: 0, wire: { emptyLists } });
    const checks: unknown = (await get('/api/3.1/checks')).json().checks;
    const { actions }: { actions: unknown } = (await get('/api/3.1/actions')).json() as never;
    return { checks, actions };
  };
  expect(await responses('empty')).toEqual({ checks: [], actions: { alerts: [] } });
  expect(await responses('null')).toEqual({ checks: null, actions: { alerts: null } });
  expect(await responses('absent')).toEqual({ checks: [], actions: {} });
});

describe('an alert', () => {
  /** The statuses of the alerts of an outage, a quarter of an hour and half an hour after its start. */
  const statuses = async (wire: Partial<Wire>) => {
    const { send, sandbox, clock } = await startTestSandbox({ checks: 3, wire });
    const now = clock.now() / 1000;
    const [check] = sandbox.world.checks;
    if (check === undefined) throw new Error('there is no check');
    sandbox.world.plant({ checkId: check.id, status: 'down', from: now, to: now + 3_600 });
    const path = `/api/3.1/actions?from=${now}&checkids=${check.id}`;
    const listed = async () => {
      await clock.advance(900_000);
      const { body } = await send<{ actions: { alerts: { status: string }[] } }>('GET', path);
      return body.actions.alerts.map(({ status }) => status);
    };
    return [await listed(), await listed()];
  };

  test('may be listed later than it was sent', async () => {
    const [atOnce = []] = await statuses({});
    expect(atOnce.length).toBeGreaterThan(0);
    expect(await statuses({ alertDelaySeconds: 86_400 })).toEqual([[], []]);
  });

  test('may be listed as sent until its outcome is known', async () => {
    const [final = []] = await statuses({});
    expect(final).toContain('delivered');
    const open = final.map(() => 'sent');
    expect(await statuses({ alertOutcomeSeconds: 86_400 })).toEqual([open, open]);
  });
});
