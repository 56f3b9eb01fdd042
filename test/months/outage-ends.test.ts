import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { Month } from '../../src/lib/month-calendar.ts';
import { returnedStates } from '../../src/months/joined-months.ts';
import type { MonthRecord } from '../../src/months/month-record.ts';
import { application, day, monthsOf, outage, record } from './support/october.ts';

const at = (text: string) => Date.parse(text) / 1000;
const days = (up: number, down = 0) => ({
  ...{ unknown: 0, unmonitored: 0 },
  ...{ up: up * day, down: down * day },
});

/** Down since the 9th when it left on the 11th. */
const left = record(1, 'shop', {
  seconds: days(8, 2),
  outages: [{ fromSeconds: at('2026-09-09T00:00Z'), causes: [], maintenance: 'none' }],
  removedAtSeconds: at('2026-09-11T00:00Z'),
  knownBy: 'reports',
});
const returned = record(1, 'shop', {
  seconds: days(10),
  firstSeenSeconds: at('2026-11-05T00:00Z'),
  countedUntilSeconds: at('2026-11-15T00:00Z'),
});

async function reportOf(
  records: { readonly [month: string]: readonly MonthRecord[] },
  query: string,
) {
  const months = {
    ...monthsOf('account', []),
    records: async function* (all: readonly Month[]) {
      yield all.map(({ name }) => records[name] ?? []);
    },
  };
  const app = request(application([months]));
  const { body } = await app.get(`/report.json?${query}`);
  const { text } = await app.get(`/report.txt?${query}`);
  return { item: body.items[0], outages: body.outages, text };
}

describe('an outage of a check that left while it was down', () => {
  test('does not go on in a range in which the check returned', async () => {
    const records = { '2026-09': [left], '2026-11': [returned] };
    const { item, outages, text } = await reportOf(records, 'from=2026-09&to=2026-11');
    expect(outages).toMatchObject([{ from: '2026-09-09T00:00:00Z', seconds_in_month: 2 * day }]);
    expect(item).toMatchObject({ down_seconds: 2 * day, longest_outage_seconds: 2 * day });
    expect(text).toContain('shop: at least 2 d, end not known\n');
  });

  test('does not go on in a range in whose last month the check returned and nothing is counted', async () => {
    const seenAgain = record(1, 'shop', {
      seconds: days(0),
      ...{
        firstSeenSeconds: at('2026-11-15T00:00Z'),
        countedUntilSeconds: at('2026-11-15T00:00Z'),
      },
    });
    const records = { '2026-09': [left], '2026-11': [seenAgain] };
    const { outages } = await reportOf(records, 'from=2026-09&to=2026-11');
    expect(outages).toMatchObject([{ seconds_in_month: 2 * day }]);
  });

  test('lasts no longer in a range whose last month has more of it, and has the return', async () => {
    const open = { fromSeconds: at('2026-09-30T23:00Z'), causes: [], maintenance: 'none' } as const;
    const records = {
      '2026-09': [record(1, 'shop', { outages: [open] })],
      '2026-10': [
        record(1, 'shop', { outages: [{ ...open, knownUntilSeconds: at('2026-10-02T00:00Z') }] }),
      ],
    };
    const { outages } = await reportOf(records, 'from=2026-09&to=2026-10');
    expect(outages).toMatchObject([{ from: '2026-09-30T23:00:00Z', seconds_in_month: 25 * 3_600 }]);
  });

  test('is not one with an outage that began after the check had returned', async () => {
    const over = outage('2026-10-31T23:00Z', '2026-11-01T01:00Z');
    const records = {
      '2026-09': [left],
      '2026-10': [record(1, 'shop', { outages: [over] })],
      '2026-11': [record(1, 'shop', { outages: [over] })],
    };
    const { outages } = await reportOf(records, 'from=2026-09&to=2026-11');
    expect(outages).toMatchObject([
      { from: '2026-09-09T00:00:00Z', seconds_in_month: 2 * day },
      { from: '2026-10-31T23:00:00Z', seconds_in_month: 7_200 },
    ]);
  });

  test('does not go on in the month in which the check returned', async () => {
    const to = at('2026-09-30T00:00Z');
    const log = record(1, 'shop', {
      seconds: days(9),
      firstSeenSeconds: at('2026-09-21T00:00Z'),
      countedUntilSeconds: to,
    });
    const states = returnedStates(left, log, record(1, 'shop', { seconds: days(0) }), {
      logFromSeconds: at('2026-09-21T00:00Z'),
      removedAtSeconds: at('2026-09-11T00:00Z'),
    });
    const records = { '2026-09': [{ ...log, ...states }] };
    const { outages, text } = await reportOf(records, 'month=2026-09');
    expect(outages).toMatchObject([{ seconds_in_month: 2 * day }]);
    expect(text).toContain('shop: at least 2 d, end not known\n');
  });
});

test('an outage does not go on through months of which its check has no record', async () => {
  const down = record(1, 'shop', {
    seconds: days(28, 2),
    outages: [{ fromSeconds: at('2026-09-29T00:00Z'), causes: [], maintenance: 'none' }],
  });
  const { outages } = await reportOf({ '2026-09': [down] }, 'from=2026-09&to=2026-10');
  expect(outages).toMatchObject([{ seconds_in_month: 2 * day }]);
});

test('an outage goes on in a range while nothing of its last month is counted', async () => {
  const down = record(1, 'shop', {
    seconds: days(30, 1),
    outages: [{ fromSeconds: at('2026-10-31T00:00Z'), causes: [], maintenance: 'none' }],
  });
  const next = record(1, 'shop', {
    seconds: days(0),
    countedUntilSeconds: at('2026-11-01T00:00Z'),
  });
  const months = {
    ...monthsOf('account', []),
    nowSeconds: at('2026-11-01T00:05Z'),
    records: async function* (all: readonly Month[]) {
      yield all.map(({ name }) => (name === '2026-10' ? [down] : [next]));
    },
  };
  const { text } = await request(application([months])).get('/report.txt?from=2026-10&to=2026-11');
  expect(text).toContain('shop: at least 1 d, goes on\n');
});
