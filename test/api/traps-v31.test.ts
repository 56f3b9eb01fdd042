import { describe, expect, test } from 'vitest';
import { createServiceV31 } from '../../src/api/versions.ts';
import { hour, operationCalls } from '../support/operation-calls.ts';
import { type Responder, sendJson } from '../support/response-server.ts';
import { scriptedService } from '../support/scripted-reader.ts';
import { servedBench } from '../support/transport-bench.ts';
import { exchanges31 } from './exchanges-v31.ts';

const { signal } = new AbortController();

async function serviceResponding(respond: Responder) {
  const { bench } = await servedBench(respond);
  return createServiceV31(bench.transport);
}

const responding = (body: unknown) => serviceResponding(sendJson(body));
const period = { checkId: 12, ...hour };
const since50 = { ...period, fromSeconds: 50 };
const transactionPeriod = { transactionId: 3, ...hour };

describe('attributes', () => {
  test('of a check that was never tested are absent', async () => {
    const service = await responding({ checks: [{ id: 1, name: 'new', type: { ping: {} } }] });
    expect((await service.listChecks(signal)).items).toStrictEqual([
      { id: 1, name: 'new', type: 'ping', status: 'unknown', tags: [] },
    ]);
  });

  test('of the list may have the forms of a detail', async () => {
    const service = await responding({
      checks: [{ id: '1', type: { dns: {} }, severity_level: 'high', ipv6: 1, tags: ['a'] }],
    });
    expect((await service.listChecks(signal)).items).toMatchObject([
      { id: 1, type: 'dns', severity: 'high', ipv6: true, tags: [{ name: 'a', source: 'user' }] },
    ]);
  });

  test.each([
    ['checks', { checks: null, counts: { total: 0 } }, 'listChecks'],
    ['maintenance', { maintenance: null }, 'listMaintenance'],
    ['transactions', { checks: null, limit: 1000, offset: 0 }, 'listTransactions'],
    ['contacts', { contacts: null }, 'listContacts'],
    ['probes', { probes: null }, 'listProbes'],
  ] as const)('of a list without %s may be null', async (_, body, method) => {
    const service = await responding(body);
    expect(await service[method](signal)).toEqual({ items: [], rejected: [] });
  });

  test.each([null, undefined])('that hold no entries may be %s in an object', async (list) => {
    const empty = { items: [], rejected: [] };
    const alerts = await responding({ actions: { alerts: list } });
    expect(await alerts.listActions(hour, signal)).toEqual(empty);
    const states = await responding({ summary: { states: list } });
    expect(await states.listOutages(period, signal)).toEqual(empty);
    const hours = await responding({ summary: { hours: list } });
    expect(await hours.performance({ ...period, resolution: 'hour' }, signal)).toEqual(empty);
    const intervals = await responding({ report: { check_id: 3, intervals: list } });
    const query = { ...transactionPeriod, resolution: 'hour' } as const;
    expect(await intervals.transactionPerformance(query, signal)).toEqual(empty);
  });

  test.each([{}, { error: { statuscode: 500, statusdesc: 'Oops', errormessage: 'Try again' } }])(
    'are no list without entries in %j',
    async (body) => {
      const service = await responding(body);
      await expect(service.listMaintenance(signal)).rejects.toMatchObject({ reason: 'shape' });
      await expect(service.listOutages(period, signal)).rejects.toMatchObject({ reason: 'shape' });
    },
  );

  test('are missing from a list that is null although it has a total', async () => {
    const service = await responding({ checks: null, counts: { total: 2 } });
    await expect(service.listChecks(signal)).rejects.toMatchObject({ reason: 'shape' });
  });

  test('in capitals and with fractions are known, and words that are not known are told', async () => {
    const service = await responding({
      checks: [
        { id: 1, status: 'UP', type: 'HTTP', lastresponsetime: 88.6 },
        { id: 2, status: 'resting', type: 'browser' },
      ],
    });
    expect(await service.listChecks(signal)).toMatchObject({
      items: [
        { id: 1, status: 'up', type: 'http', lastResponseTimeSeconds: 0.089 },
        { id: 2, status: 'unknown', type: 'unknown' },
      ],
      rejected: [{ reason: 'unknown_word', detail: 'checks[1]: status resting of 2 is not known' }],
      unknownTypes: new Map([['browser', 2]]),
    });
  });

  test.each(['unconfirmed_up', 'UNCONFIRMED_UP'])(
    'of a check that may be up again are %s',
    async (status) => {
      const service = await responding({ checks: [{ id: 1, status }] });
      expect(await service.listChecks(signal)).toMatchObject({
        items: [{ id: 1, status: 'unconfirmed_up' }],
        rejected: [],
      });
    },
  );

  test('that warn of a certificate count only where certificates are verified', async () => {
    const http = { verify_certificate: false, ssl_down_days_before: 7 };
    const service = await responding({ check: { id: 1, type: { http } } });
    const detail = await service.check({ checkId: 1 }, signal);
    expect(detail).not.toHaveProperty('certificateWarningSeconds');
  });

  test('that the documentation does not know are passed over', async () => {
    const service = await responding({
      probes: [{ id: '32', region: 'EU', active: 0, latency: { p50: 3 } }],
    });
    expect((await service.listProbes(signal)).items).toStrictEqual([
      { id: 32, name: 'probe 32', region: 'EU', active: false },
    ]);
  });

  test('of a contact may be words and numbers', async () => {
    const service = await responding({
      contacts: [
        { id: '7', paused: 'YES', owner: 0, type: 'robot', notification_targets: null },
        { id: 8, notification_targets: { agcm: [{}, { severity: 'MIDDLE' }], email: 'x' } },
      ],
    });
    expect((await service.listContacts(signal)).items).toStrictEqual([
      { id: 7, type: 'unknown', paused: true, owner: false, targets: [] },
      { id: 8, type: 'unknown', targets: [{ medium: 'agcm', severity: 'unknown', count: 2 }] },
    ]);
  });

  test('of an alert that the documentation does not know read as unknown', async () => {
    const service = await responding({
      actions: { alerts: [{ time: 1, via: 'pigeon', status: 'lost' }] },
    });
    expect((await service.listActions(hour, signal)).items).toStrictEqual([
      { atSeconds: 1, via: 'unknown', status: 'unknown' },
    ]);
  });
});

test('two alerts that are alike are two alerts', async () => {
  const alert = { time: 1, checkid: 12, via: 'sms', status: 'sent' };
  const service = await responding({ actions: { alerts: [alert, alert] } });
  expect(await service.listActions(hour, signal)).toMatchObject({
    items: [{ checkId: 12 }, { checkId: 12 }],
    rejected: [],
  });
});

describe('results', () => {
  test('that failed have no response time, and the word of the filter is known too', async () => {
    const service = await responding({
      results: [
        { time: 3, probeid: 1, status: 'unconfirmed' },
        { time: 2, probeid: 1, status: 'down' },
        { time: 1, probeid: 1, status: 'sideways', responsetime: null },
      ],
    });
    expect((await service.listResults(period, signal)).items).toStrictEqual([
      { atSeconds: 1, probeId: 1, status: 'unknown' },
      { atSeconds: 2, probeId: 1, status: 'down' },
      { atSeconds: 3, probeId: 1, status: 'unconfirmed_down' },
    ]);
  });
});

describe('averages', () => {
  test('by country are in an array', async () => {
    const avgresponse = [{ countryiso: 'SE', avgresponse: 94 }, { countryiso: 'US' }];
    const service = await responding({ summary: { responsetime: { avgresponse } } });
    const average = await service.average({ ...period, by: 'country' }, signal);
    expect(average.value).toStrictEqual({
      byCountry: [{ countryIso: 'SE', responseTimeSeconds: 0.094 }],
    });
    expect(average.rejected).toMatchObject([{ reason: 'shape' }]);
  });

  test('of nothing are absent, though the service writes zero', async () => {
    const service = await responding({
      summary: {
        responsetime: { avgresponse: 0 },
        status: { totalup: 0, totaldown: 3600, totalunknown: 0 },
      },
    });
    expect((await service.average(period, signal)).value).not.toHaveProperty('responseTimeSeconds');
  });

  test.each([0, '0', null])(
    'of a country or an hour without measurements are absent: the service writes %j',
    async (avgresponse) => {
      const unmeasured = { countryiso: 'SE', hour: 7, avgresponse };
      const service = await responding({
        summary: { responsetime: { avgresponse: [unmeasured] } },
        hoursofday: [unmeasured],
      });
      expect(await service.average({ ...period, by: 'country' }, signal)).toStrictEqual({
        value: { byCountry: [] },
        rejected: [],
      });
      expect(await service.hoursOfDay(period, signal)).toMatchObject({ items: [], rejected: [] });
    },
  );

  test('of hours that do not exist are left out', async () => {
    const service = await responding({
      hoursofday: [
        { hour: 24, avgresponse: 1 },
        { hour: '7', avgresponse: 1 },
      ],
    });
    expect(await service.hoursOfDay(period, signal)).toEqual({
      items: [{ hour: 7, responseTimeSeconds: 0.001 }],
      rejected: [
        {
          reason: 'shape',
          detail:
            'hoursofday[0]: hour: expected an hour from 0 to 23, found number; avgresponse: expected a number, found number',
        },
      ],
    });
  });
});

describe('reports', () => {
  test.each([
    ['that ends with the period', 1_619_073_281, true],
    ['that has begun before the period', 1_619_073_280, false],
    ['that goes on after the period', 1_619_073_282, false],
  ])('know whether an interval is complete: one %s', async (_which, starttime, complete) => {
    const service = await responding({ summary: { hours: [{ starttime, uptime: 3000 }] } });
    const { items } = await service.performance({ ...period, resolution: 'hour' }, signal);
    expect(items).toMatchObject([{ complete, upSeconds: 3000 }]);
  });

  test('have the states that last beyond the requested time, and none that ended before', async () => {
    const states = [
      { status: 'down', timefrom: 10, timeto: 50 },
      { status: 'up', timefrom: 50, timeto: 100 },
      { status: 'down', timefrom: 100, timeto: 200 },
    ];
    const service = await responding({ summary: { states } });
    const { items } = await service.listOutages({ ...period, fromSeconds: 60 }, signal);
    expect(items).toEqual([
      { state: 'up', fromSeconds: 50, toSeconds: 100 },
      { state: 'down', fromSeconds: 100, toSeconds: 200 },
    ]);
  });

  test('leave out a state that overlaps another, and one that ends before it begins', async () => {
    const service = await responding({
      summary: {
        states: [
          { status: 'down', timefrom: 200, timeto: 300 },
          { status: 'up', timefrom: 100, timeto: 200 },
          { status: 'down', timefrom: 250, timeto: 350 },
          { status: 'moody', timefrom: 300, timeto: 400 },
          { status: 'up', timefrom: 500, timeto: 400 },
        ],
      },
    });
    const { items, rejected } = await service.listOutages(since50, signal);
    expect(items).toEqual([
      { state: 'up', fromSeconds: 100, toSeconds: 200 },
      { state: 'down', fromSeconds: 200, toSeconds: 300 },
      { state: 'unknown', fromSeconds: 300, toSeconds: 400 },
    ]);
    expect(rejected.map(({ reason }) => reason)).toEqual(['shape', 'overlap']);
  });

  test('are whole with a state that has no duration, wherever it is', async () => {
    const states = [
      { status: 'up', timefrom: 100, timeto: 200 },
      { status: 'unknown', timefrom: 100, timeto: 100 },
      { status: 'unknown', timefrom: 150, timeto: 150 },
      { status: 'down', timefrom: 200, timeto: 200 },
    ];
    const service = await responding({ summary: { states } });
    const { items, rejected } = await service.listOutages(since50, signal);
    expect(rejected).toEqual([]);
    expect(items).toEqual([
      { state: 'up', fromSeconds: 100, toSeconds: 200 },
      { state: 'down', fromSeconds: 200, toSeconds: 200 },
    ]);
  });
});

test('intervals are ordered by time, in any order of the response', async () => {
  const hours = [{ starttime: 7200 }, { starttime: 3600 }];
  const checks = await responding({ summary: { hours } });
  const ofCheck = await checks.performance({ ...period, resolution: 'hour' }, signal);
  expect(ofCheck.items.map(({ startAtSeconds }) => startAtSeconds)).toEqual([3600, 7200]);

  const intervals = [{ from: '1970-01-01T02:00:00Z' }, { from: '1970-01-01T01:00:00Z' }];
  const transactions = await responding({ report: { intervals } });
  const query = { ...transactionPeriod, resolution: 'hour' } as const;
  const ofTransaction = await transactions.transactionPerformance(query, signal);
  expect(ofTransaction.items.map(({ startAtSeconds }) => startAtSeconds)).toEqual([3600, 7200]);
});

describe('maintenance', () => {
  test('that does not recur has no interval, and needs no more than an id', async () => {
    const service = await responding({ maintenance: [{ id: 1, repeatevery: 0, checks: null }] });
    expect((await service.listMaintenance(signal)).items).toStrictEqual([
      { id: 1, recurrence: 'unknown', checkIds: [], transactionIds: [] },
    ]);
  });

  test('cannot end before it begins', async () => {
    const good = { id: 1, maintenanceid: 2, from: 100, to: 200 };
    const service = await responding({ occurrences: [good, { ...good, id: 3, to: 99 }] });
    const { items, rejected } = await service.listOccurrences(hour, signal);
    expect(items.map(({ id }) => id)).toEqual([1]);
    expect(rejected).toMatchObject([{ reason: 'shape' }]);
  });
});

describe('transactions', () => {
  test('have response times in milliseconds, as documented, and none of 0', async () => {
    const expected = 2507.177;
    const intervals = [
      {
        from: '2021-04-22T06:34:41Z',
        average_response: 2_507_177,
        steps: [
          { step: { fn: 'click' }, average_response: 2_507_177 },
          null,
          { step: { fn: 'go_to' }, average_response: 0 },
        ],
      },
    ];
    const { service } = scriptedService([{ report: { check_id: 3, intervals } }]);
    const query = { ...transactionPeriod, resolution: 'hour' } as const;
    expect((await service.transactionPerformance(query, signal)).items).toStrictEqual([
      {
        startAtSeconds: 1_619_073_281,
        complete: true,
        averageResponseTimeSeconds: expected,
        steps: [
          { fn: 'click', averageResponseTimeSeconds: expected },
          { fn: 'unknown' },
          { fn: 'go_to' },
        ],
      },
    ]);
  });

  test('whose report is malformed cost that report, not the others', async () => {
    const good = { status: 'up', from: '2021-04-22T06:34:41Z', to: '2021-04-22T07:34:41Z' };
    const service = await responding({
      report: [
        { check_id: 3, states: [good, { ...good, from: 'yesterday' }] },
        { check_id: 4, states: [{ ...good, to: 1_619_073_281 }] },
        { check_id: 5 },
        { check_id: 'six', states: [good] },
      ],
    });
    const { items, rejected } = await service.listTransactionStates(hour, signal);
    expect(
      items.map(({ transactionId, states, unreadable }) => [
        transactionId,
        states.length,
        unreadable,
      ]),
    ).toEqual([
      [3, 1, 1],
      [4, 0, 1],
      [5, 0, undefined],
    ]);
    expect(rejected.map(({ detail }) => detail.split(':')[0])).toEqual([
      'report[3]',
      'report of 3',
      'report of 4',
    ]);
  });

  test('are read to the end, though the reports come in pages', async () => {
    const reports = Array.from({ length: 150 }, (_, index) => ({
      check_id: index + 1,
      states: [],
    }));
    const service = await serviceResponding((socket, request) => {
      const { searchParams } = new URL(request.target, 'http://host');
      const offset = Number(searchParams.get('offset'));
      const limit = Number(searchParams.get('limit'));
      return sendJson({ report: reports.slice(offset, offset + limit) })(socket, request);
    });
    expect((await service.listTransactionStates(hour, signal)).items).toHaveLength(150);
  });
});

describe('whole responses', () => {
  const names = Object.keys(exchanges31);

  test.each(names as (keyof typeof exchanges31)[])('of another shape fail %s', async (name) => {
    for (const body of [null, [], {}, 'x', 7, { message: 'private' }]) {
      const { service } = scriptedService([body]);
      const error = await operationCalls[name](service, signal).catch((raised: unknown) => raised);
      expect(error).toMatchObject({ name: 'ApiError', reason: 'shape', operation: name });
      expect(`${(error as Error).message}`).not.toContain('private');
    }
  });
});

test('names may hold anything', async () => {
  const name = 'a"b\\c,d|e:f\ng\u0000 ☃ 😀 \ud800';
  const service = await responding({
    teams: [
      { id: 1, name },
      { id: 2, name },
    ],
  });
  const names = (await service.listTeams(signal)).items.map((team) => team.name);
  const shown = 'a"b\\c,d|e:f\ng\ufffd ☃ 😀 \ufffd';
  expect(names).toEqual([shown, shown]);
});
