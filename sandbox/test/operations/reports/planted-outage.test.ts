import { expect, test } from 'vitest';
import { refused, startTestSandbox } from '../../start-test-sandbox.ts';

const now = Date.UTC(2026, 0, 5, 12) / 1000;
const hour = 3600;
const from = now - 4 * hour;

interface WireAlert {
  readonly time: number;
  readonly via: string;
  readonly status: string;
  readonly [attribute: string]: unknown;
}

/**
 * A check that was tested every minute since midnight. It was always up, except for three failed
 * tests from 09:00:00, a failed one at 09:30 and five minutes of unknown results from 10:00.
 */
async function startWithOutage(timeZone = 'UTC') {
  const started = await startTestSandbox({ wire: { timeZone } });
  const { world } = started.sandbox;
  const original = world.checks[0];
  if (original === undefined) throw new Error('the sandbox has no check');
  const run = { from: now - 12 * hour, resolutionSeconds: 60, phaseSeconds: 0 };
  const check = { ...original, created: run.from, runs: [run] };
  world.registry.put(check);
  const plant = (status: 'up' | 'down' | 'unknown', start: number, seconds: number) =>
    world.plant({ checkId: check.id, status, from: start, to: start + seconds });
  plant('up', 0, now + hour);
  plant('down', now - 3 * hour, 180);
  plant('down', now - 2.5 * hour, 60);
  plant('unknown', now - 2 * hour, 300);
  return { ...started, check, world };
}

test('raw results show what each test found, newest first', async () => {
  const { send, check } = await startWithOutage();
  const period = `from=${now - 3 * hour - 60}&to=${now - 3 * hour + 180}`;

  const { body } = await send<{ results: Record<string, unknown>[]; activeprobes: number[] }>(
    'GET',
    `/api/3.1/results/${check.id}?${period}&includeanalysis=true`,
  );

  const analysisid = expect.any(Number);
  const failed = { probeid: expect.any(Number), statusdesc: expect.any(String) };
  const good = {
    probeid: expect.any(Number),
    status: 'up',
    responsetime: expect.any(Number),
    statusdesc: 'OK',
    statusdesclong: 'OK',
  };
  const long = { ...failed, statusdesclong: expect.any(String) };
  expect(body.results).toEqual([
    { ...good, time: now - 3 * hour + 180 },
    { ...long, time: now - 3 * hour + 120, status: 'down', analysisid },
    { ...long, time: now - 3 * hour + 60, status: 'down', analysisid },
    { ...long, time: now - 3 * hour, status: 'unconfirmed_down' },
    { ...good, time: now - 3 * hour - 60 },
  ]);
  const used = new Set(body.results.map(({ probeid }) => probeid));
  expect(new Set(body.activeprobes)).toEqual(used);
  expect(body.results[1]?.analysisid).toBe(body.results[2]?.analysisid);
});

test('analyses are left out of results unless asked for', async () => {
  const { send, check } = await startWithOutage();

  const { body } = await send<{ results: object[] }>(
    'GET',
    `/api/3.1/results/${check.id}?status=down`,
  );

  expect(body.results).toHaveLength(2);
  for (const result of body.results) expect(result).not.toHaveProperty('analysisid');
});

test('a limit above 1000 becomes 1000', async () => {
  const { send, sandbox } = await startTestSandbox({ wire: { timeZone: 'UTC' } });
  const path = `/api/2.0/results/${sandbox.world.checks[0]?.id}`;

  const { body } = await send<{ results: object[] }>('GET', `${path}?limit=5000`);

  expect(body.results).toHaveLength(1000);
});

test('outages are the states and when they began and ended, in either order', async () => {
  const { send, check } = await startWithOutage();
  const path = `/api/3.1/summary.outage/${check.id}?from=${from}`;
  const states = [
    { status: 'up', timefrom: from, timeto: now - 3 * hour },
    { status: 'down', timefrom: now - 3 * hour, timeto: now - 3 * hour + 180 },
    { status: 'up', timefrom: now - 3 * hour + 180, timeto: now - 2 * hour },
    { status: 'unknown', timefrom: now - 2 * hour, timeto: now - 2 * hour + 300 },
    { status: 'up', timefrom: now - 2 * hour + 300, timeto: now },
  ];

  expect((await send('GET', path)).body).toEqual({ summary: { states } });
  expect((await send('GET', `${path}&order=desc`)).body).toEqual({
    summary: { states: states.reverse() },
  });
});

test('the average has seconds by state when asked for', async () => {
  const { send, check } = await startWithOutage();
  const path = `/api/3.1/summary.average/${check.id}`;
  const responsetime = { from: now - 12 * hour, to: now, avgresponse: expect.any(Number) };

  expect((await send('GET', path)).body).toEqual({ summary: { responsetime } });
  expect((await send('GET', `${path}?includeuptime=true`)).body).toEqual({
    summary: {
      responsetime,
      status: { totalup: 12 * hour - 180 - 300, totaldown: 180, totalunknown: 300 },
    },
  });
});

test('performance counts unknown and untested time as unmonitored, and its last interval is partial', async () => {
  const { send, check } = await startWithOutage();
  const path = `/api/3.1/summary.performance/${check.id}`;
  const interval = (starttime: number, uptime: number, downtime: number, unmonitored: number) => ({
    starttime,
    avgresponse: expect.any(Number),
    uptime,
    downtime,
    unmonitored,
  });

  const hours = await send('GET', `${path}?from=${from}&to=${now - 1800}&includeuptime=1`);
  const days = await send('GET', `${path}?resolution=day&includeuptime=1&from=${now - 24 * hour}`);

  expect(hours.body).toEqual({
    summary: {
      hours: [
        interval(from, 3600, 0, 0),
        interval(from + hour, 3420, 180, 0),
        interval(from + 2 * hour, 3300, 0, 300),
        interval(from + 3 * hour, 1800, 0, 0),
      ],
    },
  });
  // Reports have no data from before the check was created.
  expect(days.body).toEqual({
    summary: { days: [interval(now - 12 * hour, 12 * hour - 480, 180, 300)] },
  });
});

test('performance in descending order, without uptime', async () => {
  const { send, check } = await startWithOutage();
  const path = `/api/3.1/summary.performance/${check.id}?from=${now - 2 * hour}&order=desc`;

  expect((await send('GET', path)).body).toEqual({
    summary: {
      hours: [
        { starttime: now - hour, avgresponse: expect.any(Number) },
        { starttime: now - 2 * hour, avgresponse: expect.any(Number) },
      ],
    },
  });
});

test('a test at the very end of the period counts', async () => {
  const { send, check } = await startWithOutage();
  const end = from + 60;
  type Results = { results: { responsetime: number }[] };

  const { results } = (
    await send<Results>('GET', `/api/3.1/results/${check.id}?from=${from}&to=${end}`)
  ).body;

  const [last = 0, first = 0] = results.map(({ responsetime }) => responsetime);
  const average = (since: number) =>
    send('GET', `/api/3.1/summary.average/${check.id}?from=${since}&to=${end}`);
  expect(results).toHaveLength(2);
  expect((await average(end)).body).toEqual({
    summary: { responsetime: { from: end, to: end, avgresponse: last } },
  });
  const mean = Math.round((first + last) / 2);
  expect((await average(from)).body).toHaveProperty('summary.responsetime.avgresponse', mean);
  expect(
    (await send('GET', `/api/3.1/summary.performance/${check.id}?from=${from}&to=${end}`)).body,
  ).toEqual({ summary: { hours: [{ starttime: from, avgresponse: mean }] } });
});

test('a period that ends before an outage was confirmed shows it anyway', async () => {
  const { send, check } = await startWithOutage();
  const start = now - 3 * hour;
  const query = `${check.id}?from=${start}&to=${start + 30}`;

  expect((await send('GET', `/api/3.1/summary.outage/${query}`)).body).toEqual({
    summary: { states: [{ status: 'down', timefrom: start, timeto: start + 30 }] },
  });
  expect(
    (await send('GET', `/api/3.1/summary.average/${query}&includeuptime=1`)).body,
  ).toHaveProperty('summary.status', { totalup: 0, totaldown: 30, totalunknown: 0 });
  expect(
    (await send('GET', `/api/3.1/summary.performance/${query}&includeuptime=1`)).body,
  ).toHaveProperty('summary.hours', [
    { starttime: start, avgresponse: 0, uptime: 0, downtime: 30, unmonitored: 0 },
  ]);
});

test('weeks begin on Monday and days at midnight, UTC', async () => {
  const { send, sandbox } = await startTestSandbox({ wire: { timeZone: 'UTC' } });
  const path = `/api/3.1/summary.performance/${sandbox.world.checks[0]?.id}`;

  const { body } = await send<{ summary: { weeks: { starttime: number }[] } }>(
    'GET',
    `${path}?resolution=week&from=${Date.UTC(2025, 11, 24, 15) / 1000}`,
  );

  expect(
    body.summary.weeks.map(({ starttime }) => new Date(starttime * 1000).toISOString()),
  ).toEqual(['2025-12-22T00:00:00.000Z', '2025-12-29T00:00:00.000Z', '2026-01-05T00:00:00.000Z']);
});

test('hours of the day are those of UTC, or of the account when asked for', async () => {
  const { send, check } = await startWithOutage('Europe/Stockholm');
  const path = `/api/3.1/summary.hoursofday/${check.id}?from=${now - 2 * hour}&to=${now - 1}`;
  type Hours = { hoursofday: { hour: number; avgresponse: number }[] };

  const utc = (await send<Hours>('GET', path)).body.hoursofday;
  const local = (await send<Hours>('GET', `${path}&uselocaltime=true`)).body.hoursofday;

  expect(utc.map(({ hour: each }) => each)).toEqual([10, 11]);
  // The account is in Stockholm, an hour ahead in winter.
  expect(local).toEqual(utc.map((entry) => ({ ...entry, hour: entry.hour + 1 })));
});

test('an analysis tells of the first and the confirming test', async () => {
  const { send, check } = await startWithOutage();
  const path = `/api/2.1/analysis/${check.id}`;

  const { body } = await send<{ analysis: { id: number }[] }>('GET', path);
  const id = body.analysis[0]?.id ?? 0;

  expect(body).toEqual({
    analysis: [{ id, timefirsttest: now - 3 * hour, timeconfirmtest: now - 3 * hour + 60 }],
  });
  expect((await send('GET', `${path}?from=${now - 3 * hour}`)).body).toEqual(body);
  expect((await send('GET', `${path}?from=${now - 3 * hour + 1}`)).body).toEqual({ analysis: [] });
  expect((await send('GET', `${path}?to=${now - 3 * hour - 1}`)).body).toEqual({ analysis: [] });
  expect((await send('GET', `${path}/${id}`)).body).toMatchObject({
    analysisresult: { id, checkid: check.id },
  });
  expect(await send('GET', `${path}/${id + 1}`)).toMatchObject(
    refused(404, 'Invalid analysis identifier'),
  );
});

test('alerts go to whom the check names, when it is confirmed down and when it is up again', async () => {
  const { send, check, world } = await startWithOutage();
  const person = world.people.people.all.find(({ name }) => name === 'Chen Wei');
  const settings = { ...check.settings, teamids: [], userids: [person?.id ?? 0] };
  world.registry.put({ ...check, severity: 'low', settings });
  const query = `checkids=${check.id}&via=email`;

  const current = await send<{ actions: { alerts: WireAlert[] } }>(
    'GET',
    `/api/3.1/actions?${query}`,
  );
  const oldest = await send<{ actions: { alerts: WireAlert[] } }>(
    'GET',
    `/api/2.0/actions?${query}`,
  );

  const common = {
    checkid: check.id,
    via: 'email',
    status: expect.toBeOneOf(['sent', 'delivered', 'error', 'notdelivered']),
    messagefull: expect.stringContaining(check.name),
    sentto: expect.stringContaining('@example.com'),
    charged: false,
  };
  const expected = [
    { ...common, time: now - 3 * hour + 180, messageshort: 'up' },
    { ...common, time: now - 3 * hour + 60, messageshort: 'down' },
  ];
  expect(current.body.actions.alerts).toEqual(
    expected.map((alert) => ({ ...alert, username: person?.name, userid: person?.id })),
  );
  expect(oldest.body.actions.alerts).toEqual(
    expected.map((alert) => ({ ...alert, contactname: person?.name, contactid: person?.id })),
  );
});

test('alerts of all checks come newest first, 100 of them unless more are asked for, in pages', async () => {
  const { send } = await startTestSandbox();
  type Actions = { actions: { alerts: WireAlert[] } };
  const alerts = async (query: string) =>
    (await send<Actions>('GET', `/api/2.1/actions?${query}`)).body.actions.alerts;

  const whole = await alerts('limit=300');

  const times = whole.map(({ time }) => time);
  expect(whole).toHaveLength(300);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(await alerts('')).toEqual(whole.slice(0, 100));
  expect(await alerts('limit=50&offset=70')).toEqual(whole.slice(70, 120));
  expect(await alerts('via=sms')).toEqual(
    (await alerts('via=sms&limit=300')).slice(0, 100).filter(({ via }) => via === 'sms'),
  );
  expect(await alerts('via=social')).toEqual([]);
  expect(await alerts('status=pending')).toEqual([]);
  const undelivered = await alerts('status=not_delivered,error');
  expect(undelivered.length).toBeGreaterThan(0);
  for (const { status } of undelivered) expect(status).toBeOneOf(['notdelivered', 'error']);
  const since = times[20] ?? 0;
  expect((await alerts(`from=${since}&limit=300`)).length).toBe(
    times.filter((time) => time >= since).length,
  );
});

test('no alert is lost where one day of the search meets the next', async () => {
  const { send, check, clock } = await startWithOutage();
  const told = [now - 3 * hour + 60, now - 3 * hour + 180];

  for (const time of told) {
    await clock.advance((time + 86_400) * 1000 - clock.now());
    const { body } = await send<{ actions: { alerts: WireAlert[] } }>(
      'GET',
      `/api/3.1/actions?checkids=${check.id}&limit=1000`,
    );

    const times = body.actions.alerts.map((alert) => alert.time);
    expect(times).toEqual(expect.arrayContaining(told));
  }
});

test('a single test finds what the check of the same host and type finds', async () => {
  const { send, sandbox } = await startTestSandbox({ wire: { timeZone: 'UTC' } });
  for (const check of sandbox.world.checks.slice(0, 12)) {
    const { status } = sandbox.world.observer.observe(check, now);
    const query = {
      host: check.hostname,
      type: check.type,
      ...(check.type === 'httpcustom' && { url: '/' }),
      ...(check.type === 'tcp' && { port: '1' }),
      ...(check.type === 'udp' && { port: '1', stringtosend: 'a', stringtoexpect: 'b' }),
      ...(check.type === 'dns' && { nameserver: 'ns', expectedip: '192.0.2.1' }),
    };

    const { body } = await send<{ result: object }>(
      'GET',
      `/api/3.1/single?${new URLSearchParams(query)}`,
    );

    const isDown = status === 'down' || status === 'unconfirmed_down';
    expect(body.result).toEqual({
      status: isDown ? 'down' : 'up',
      ...(!isDown && { responsetime: expect.any(Number) }),
      statusdesc: expect.any(String),
      statusdesclong: expect.any(String),
      probeid: expect.any(Number),
      probedesc: expect.any(String),
    });
  }
});

test('a single test is done by the probe asked for, or one in the region asked for', async () => {
  const { send } = await startTestSandbox({ wire: { timeZone: 'UTC' } });
  const path = '/api/2.1/single?host=nowhere.invalid&type=http';

  expect((await send('GET', `${path}&probeid=83`)).body).toMatchObject({
    result: { status: 'down', probeid: 83, probedesc: 'Tokyo, Japan' },
  });
  expect((await send('GET', `${path}&probe_filters=region:LATAM`)).body).toMatchObject({
    result: { probeid: expect.toBeOneOf([101, 105]) },
  });
});

test('a traceroute is text, with the probe it starts from', async () => {
  const { send } = await startTestSandbox({ wire: { timeZone: 'UTC' } });

  const { body } = await send('GET', '/api/2.0/traceroute?host=www.example.com&probeid=46');

  expect(body).toEqual({
    traceroute: {
      result: expect.stringMatching(
        /^traceroute to www\.example\.com, 30 hops max\n1 {2}hop-1.*\n/,
      ),
      probeid: 46,
      probedescription: 'Stockholm, Sweden',
    },
  });
});
