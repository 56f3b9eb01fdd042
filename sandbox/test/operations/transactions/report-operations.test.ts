import { describe, expect, test } from 'vitest';
import { asDocumented, refused, startTestSandbox } from '../../start-test-sandbox.ts';

const path = '/api/3.1/tms/check';
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

interface State {
  readonly status: string;
  readonly from: string;
  readonly to: string;
  readonly error_in_step?: number;
  readonly message?: string;
}
interface StatusReport {
  readonly check_id: number;
  readonly name: string;
  readonly states: readonly State[];
}
interface Interval {
  readonly from: string;
  readonly average_response?: number;
  readonly uptime?: number;
  readonly downtime?: number;
  readonly unmonitored?: number;
  readonly steps: readonly { readonly step: object; readonly average_response?: number }[];
}
interface PerformanceReport {
  readonly check_id: number;
  readonly name: string;
  readonly resolution: string;
  readonly intervals: readonly Interval[];
}

const seconds = (text: string) => Date.parse(text) / 1000;
const wire = (unix: number) => new Date(unix * 1000).toISOString().replace('.000Z', 'Z');
const withZone = (unix: number) =>
  encodeURIComponent(wire(unix + 2 * hour).replace('Z', '.75+02:00'));

async function started(options = {}) {
  const { clock, send, sandbox } = await startTestSandbox({ ...asDocumented, ...options });
  const transactions = sandbox.world.transactions.all;
  return {
    clock,
    send,
    sandbox,
    now: clock.now() / 1000,
    transactions,
    ids: transactions.map(({ id }) => id),
    status: async (id: number | undefined, query = '') =>
      (await send<{ report: StatusReport }>('GET', `${path}/${id}/report/status${query}`)).body
        .report,
    statusOfAll: async (query = '') =>
      (await send<{ report: StatusReport[] }>('GET', `${path}/report/status${query}`)).body.report,
    performance: async (id: number | undefined, query = '') =>
      (await send<{ report: PerformanceReport }>('GET', `${path}/${id}/report/performance${query}`))
        .body.report,
  };
}

describe('the status report of one transaction', () => {
  test('covers the week before now, and shows what went wrong only where it was down', async () => {
    const { status, transactions, now } = await started();
    const failing = transactions[1];

    const report = await status(failing?.id);

    expect(report.check_id).toBe(failing?.id);
    expect(report.name).toBe('Buy as a guest');
    expect(report.states[0]?.from).toBe(wire(now - 7 * day));
    expect(report.states.at(-1)).toEqual({
      status: 'down',
      from: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/),
      to: wire(now),
      error_in_step: expect.toSatisfy((step) => step >= 1 && step <= 6),
      message: expect.stringMatching(/^Step wpm_.+ did not succeed within 30 seconds$/),
    });
    const { error_in_step = 0, message } = report.states.at(-1) ?? {};
    const step = failing?.settings.steps[error_in_step - 1];
    expect(message).toContain(`${step?.fn} "${Object.values(step?.args ?? {})[0]}"`);
    for (const state of report.states.filter((each) => each.status !== 'down')) {
      expect(Object.keys(state)).toEqual(['status', 'from', 'to']);
    }
    for (const [position, state] of report.states.slice(1).entries()) {
      expect(state.from).toBe(report.states[position]?.to);
      expect(state.status).not.toBe(report.states[position]?.status);
    }
  });

  test('agrees with what is planted to the second', async () => {
    const { status, ids, now, sandbox, transactions } = await started();
    const checkId = ids[0] ?? 0;
    const { resolutionSeconds = 0, phaseSeconds = 0 } = transactions[0]?.runs[0] ?? {};
    const run = now - 30 * day - ((now - 30 * day - phaseSeconds) % resolutionSeconds);
    sandbox.world.plant({ checkId, status: 'up', from: run - day, to: run + day });
    const to = run + 2 * resolutionSeconds;
    sandbox.world.plant({ checkId, status: 'down', from: run, to });

    const { states } = await status(
      checkId,
      `?from=${wire(run - hour)}&to=${wire(run + 6 * hour)}`,
    );

    expect(states.map((state) => [state.status, state.from, state.to])).toEqual([
      ['up', wire(run - hour), wire(run)],
      ['down', wire(run), wire(to)],
      ['up', wire(to), wire(run + 6 * hour)],
    ]);
  });

  test('reads offsets and fractions of seconds', async () => {
    const { status, ids, now } = await started();

    const plain = await status(ids[0], `?from=${wire(now - day)}&to=${wire(now - hour)}`);
    const zoned = await status(ids[0], `?from=${withZone(now - day)}&to=${withZone(now - hour)}`);

    expect(zoned).toEqual(plain);
    expect(plain.states[0]?.from).toBe(wire(now - day));
    expect(plain.states.at(-1)?.to).toBe(wire(now - hour));
  });

  test('is the other way round when asked for in descending order', async () => {
    const { status, ids } = await started();

    const ascending = await status(ids[1], '?order=asc');
    const descending = await status(ids[1], '?order=desc');

    expect(ascending.states.length).toBeGreaterThan(1);
    expect(descending.states).toEqual(ascending.states.toReversed());
  });

  test('tells nothing of the future, nor of the time before the transaction was created', async () => {
    const { status, transactions, now } = await started();
    const [first] = transactions;

    const all = await status(first?.id, `?from=2000-01-01T00:00:00Z&to=${wire(now + 10 * day)}`);
    const future = await status(first?.id, `?from=${wire(now + day)}&to=${wire(now + 2 * day)}`);

    expect(seconds(all.states[0]?.from ?? '')).toBeGreaterThanOrEqual(first?.createdAt ?? 0);
    expect(all.states.at(-1)?.to).toBe(wire(now));
    expect(future.states).toEqual([]);
  });

  test.each([
    'from=yesterday',
    'from=1767614400',
    'to=2021-04-22T06:34:41',
    'to=2021-04-22T06:34:41+02:00',
    'from=2021-04-22T06:34:41Z&to=2021-04-22T06:34:40Z',
    'order=up',
    'limit=1',
  ])('refuses %s', async (query) => {
    const { send, ids } = await started();

    expect((await send('GET', `${path}/${ids[0]}/report/status?${query}`)).status).toBe(400);
  });
});

describe('the status report of all transactions', () => {
  test('has each as its own report has it', async () => {
    const { status, statusOfAll, ids, now } = await started();
    const query = `?from=${wire(now - 3 * day)}&order=desc`;

    const all = await statusOfAll(query);

    expect(all).toEqual(await Promise.all(ids.map((id) => status(id, query))));
  });

  test('shows 100 at most unless asked for more, and is paged', async () => {
    const { statusOfAll, ids } = await started({ transactions: 103 });
    const of = async (query: string) => (await statusOfAll(query)).map(({ check_id }) => check_id);

    expect(await of('')).toEqual(ids.slice(0, 100));
    expect(await of('?offset=100')).toEqual(ids.slice(100));
    expect(await of('?limit=200')).toEqual(ids);
    expect(await of('?limit=2&offset=1')).toEqual(ids.slice(1, 3));
  });

  test('leaves out transactions without results only when asked to', async () => {
    const { statusOfAll, ids, now } = await started();
    const lastDay = `?from=${wire(now - day)}`;

    const all = await statusOfAll(lastDay);
    const running = await statusOfAll(`${lastDay}&omit_empty=true`);

    expect(all.map(({ check_id }) => check_id)).toEqual(ids);
    expect(all[2]?.states).toEqual([]);
    expect(running.map(({ check_id }) => check_id)).toEqual(ids.slice(0, 2));
  });
});

describe('the performance report', () => {
  test('has ten intervals and the present one by default, without uptime', async () => {
    const { performance, transactions, clock } = await started();
    await clock.advance(20 * minute * 1000);
    const now = clock.now() / 1000;
    const [first] = transactions;

    const report = await performance(first?.id);

    expect(report).toMatchObject({
      check_id: first?.id,
      name: 'Log in as "demo"',
      resolution: 'hour',
    });
    expect(report.intervals).toHaveLength(11);
    const thisHour = now - (now % hour);
    expect(report.intervals.at(-1)?.from).toBe(wire(thisHour));
    expect(report.intervals[0]?.from).toBe(wire(thisHour - 10 * hour));
    const full = report.intervals.find((interval) => interval.average_response !== undefined);
    expect(Object.keys(full ?? {})).toEqual(['from', 'average_response', 'steps']);
    expect(full?.steps.map(({ step }) => step)).toEqual(first?.settings.steps);
    const sum = full?.steps.reduce((total, step) => total + (step.average_response ?? 0), 0);
    expect(sum).toBe(full?.average_response);
  });

  test.each(['hour', 'day', 'week'] as const)(
    'by the %s it agrees with the status report',
    async (resolution) => {
      const { performance, status, ids, clock } = await started();
      await clock.advance(100 * minute * 1000);
      const now = clock.now() / 1000;
      const id = ids[1];

      const { intervals } = await performance(
        id,
        `?resolution=${resolution}&include_uptime=true&from=${wire(now - 2 * day)}`,
      );
      const { states } = await status(id, `?from=${intervals[0]?.from}`);

      const total = (name: 'uptime' | 'downtime' | 'unmonitored') =>
        intervals.reduce((sum, interval) => sum + (interval[name] ?? 0), 0);
      const inState = (wanted: string) =>
        states
          .filter((state) => state.status === wanted)
          .reduce((sum, { from, to }) => sum + seconds(to) - seconds(from), 0);
      expect(total('uptime')).toBe(inState('up'));
      expect(total('downtime')).toBe(inState('down'));
      expect(total('downtime')).toBeGreaterThan(0);
      expect(total('uptime') + total('downtime') + total('unmonitored')).toBe(
        now - seconds(intervals[0]?.from ?? ''),
      );
    },
  );

  test('is the other way round when asked for in descending order', async () => {
    const { performance, ids } = await started();

    const ascending = await performance(ids[0], '?resolution=day');
    const descending = await performance(ids[0], '?resolution=day&order=desc');

    expect(descending.intervals).toEqual(ascending.intervals.toReversed());
    expect(new Set(ascending.intervals.map(({ from }) => from)).size).toBeGreaterThan(9);
  });

  test('has no average where nothing succeeded', async () => {
    const { performance, ids } = await started();

    const { intervals } = await performance(ids[2], '?include_uptime=true');

    for (const interval of intervals) {
      expect(interval).not.toHaveProperty('average_response');
      expect(interval).toMatchObject({ uptime: 0, downtime: 0 });
      for (const step of interval.steps) expect(step).not.toHaveProperty('average_response');
    }
  });

  test.each([
    ['hour', 8, 200],
    ['hour', 8.001, 400],
    ['day', 185, 200],
    ['day', 185.001, 400],
    ['week', 700, 200],
  ])('by the %s, a period of %d days has status %d', async (resolution, days, status) => {
    const { send, ids, now } = await started();
    const from = wire(Math.floor(now - days * day));

    const reply = await send(
      'GET',
      `${path}/${ids[0]}/report/performance?resolution=${resolution}&from=${from}`,
    );

    expect(reply).toMatchObject(
      status === 200 ? { status } : refused(status, 'Interval is too big for this resolution'),
    );
  });

  test.each(['resolution=month', 'from=now', 'include_uptime=maybe', 'order=up', 'limit=1'])(
    'refuses %s',
    async (query) => {
      const { send, ids } = await started();

      expect((await send('GET', `${path}/${ids[0]}/report/performance?${query}`)).status).toBe(400);
    },
  );
});

test('the same seed gives the same reports to the byte, and another seed others', async () => {
  const texts: string[] = [];
  for (const seed of [1, 1, 2]) {
    const { performance, statusOfAll, ids } = await started({ seed });
    texts.push(JSON.stringify([await statusOfAll(), await performance(ids[0])]));
  }

  expect(texts[0]).toBe(texts[1]);
  expect(texts[0]).not.toBe(texts[2]);
});

test.each(['abc', '0', '99'])('there is no transaction %s', async (id) => {
  const { send } = await started();

  const { status } = await send('GET', `${path}/${id}/report/status`);

  expect(status).toBe(id === 'abc' ? 400 : 404);
});
