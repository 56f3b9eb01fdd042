import { setImmediate } from 'node:timers/promises';
import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { TimeRange } from '../../src/domain/interval.ts';
import { listen } from '../../src/http/server/listen.ts';
import type { Month } from '../../src/lib/month-calendar.ts';
import { rangeMonths, rangeOf } from '../../src/months/month-range.ts';
import { lengthOf, type MonthRecord } from '../../src/months/month-record.ts';
import { monthStates } from '../../src/months/month-states.ts';
import { OutageLimit, TooManyOutagesError } from '../../src/months/outage-limit.ts';
import type { ReportMonths } from '../../src/months/report.ts';
import { runCommandLine } from '../support/command-line.ts';
import { extent } from '../support/extent.ts';
import fc from '../support/fast-check.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { check, daysOf, known, type Life, lives, partsOf } from './support/drawn-life.ts';
import { application, day, monthsOf, outage, record } from './support/october.ts';

function recordOf(life: Life, { fromSeconds, toSeconds }: TimeRange, isPart: boolean): MonthRecord {
  const { occurrences, createdAtSeconds = 0 } = life;
  const source = { ...check, known: known(life), occurrences, createdAtSeconds };
  const begins = daysOf(life.month).filter((at) => at >= fromSeconds && at < toSeconds);
  return {
    ...{ kind: 'check', id: 1, name: isPart ? `${fromSeconds}` : 'whole', tags: [], groups: [] },
    objective: 0.999,
    // Of the names, those of the last part are shown.
    ...(isPart && toSeconds < life.month.toSeconds && { isSeenLater: true as const }),
    ...monthStates(source, { fromSeconds, toSeconds }, begins),
  };
}

async function joinedOf(life: Life, parts: readonly Month[]): Promise<MonthRecord | undefined> {
  const months: ReportMonths = {
    ...monthsOf('shop', []),
    nowSeconds: Number.MAX_SAFE_INTEGER,
    calendar: {
      dayBegins: ({ fromSeconds, toSeconds }) =>
        daysOf(life.month).filter((at) => at >= fromSeconds && at < toSeconds),
    },
    records: async function* (all) {
      const { createdAtSeconds = 0 } = life;
      // An item has no record before its creation.
      yield all.map((part) =>
        createdAtSeconds < part.toSeconds ? [recordOf(life, part, true)] : [],
      );
    },
  };
  const range = rangeMonths(months, parts, new OutageLimit('choose fewer'));
  for await (const [batch = []] of range.records([rangeOf(parts)])) return batch[0];
  return undefined;
}

describe('the record of months in a row', () => {
  test('is that of one month of this length', async () => {
    await fc.assert(
      fc.asyncProperty(lives, async (life) => {
        if ((life.createdAtSeconds ?? 0) >= life.month.toSeconds) return;
        const joined = await joinedOf(life, partsOf(life.month));
        const { unwatched, ...whole } = recordOf(life, life.month, false);
        const { unwatched: gaps = [], name, ...shown } = joined ?? {};
        expect(name).toBe(`${partsOf(life.month)[2]?.fromSeconds}`);
        expect({ ...shown, name: 'whole' }).toEqual(whole);
        expect(lengthOf(gaps)).toBe(lengthOf(unwatched));
      }),
      { numRuns: extent(50, 1_000) },
    );
  });

  test('is made before the records of further items are read', async () => {
    let batches = 0;
    const months: ReportMonths = {
      ...monthsOf('shop', []),
      records: async function* (all) {
        for (; batches < 3; batches += 1) yield all.map(() => [record(batches, 'a check')]);
      },
    };
    const { calendar, nowSeconds } = monthsOf('shop', []);
    const october = calendar.containing(nowSeconds - 30 * day);
    const asked = [calendar.later(october, -1), october];
    const range = rangeMonths(months, asked, new OutageLimit('choose fewer'));
    const read: number[] = [];
    for await (const [batch = []] of range.records([rangeOf(asked)])) {
      expect(batch.map(({ id }) => id)).toEqual([batches]);
      read.push(batches);
    }
    expect(read).toEqual([0, 1, 2]);
  });
});

const lengths: { readonly [name: string]: number } = { '2026-09': 30 * day, '2026-10': 31 * day };

const over = outage('2026-09-30T23:00Z', '2026-10-01T01:00Z');

/** A check with another objective in each month, and an outage over the end of September. */
function monthsOfYear() {
  const downFor = (name: string, seconds: number) => ({
    seconds: { up: (lengths[name] ?? 0) - seconds, down: seconds, unknown: 0, unmonitored: 0 },
    outages: [over],
  });
  const records: { readonly [name: string]: readonly MonthRecord[] } = {
    '2026-09': [
      record(1, 'old name', {
        ...downFor('2026-09', 3_600),
        objective: 0.999,
        groups: [{ name: 'shop', ratio: 0.999 }],
      }),
    ],
    '2026-10': [
      record(1, 'new name', {
        ...downFor('2026-10', 3_600),
        objective: 0.998,
        groups: [{ name: 'shop', ratio: 0.998 }],
      }),
      record(2, 'from October on'),
    ],
    '2026-11': [record(1, 'new name')],
  };
  return {
    ...monthsOf('shop', []),
    records: async function* (months: readonly Month[]) {
      yield months.map(({ name }) => records[name] ?? []);
    },
  };
}

const web = application([monthsOfYear()]);
const app = request(web);
const range = 'from=2026-09&to=2026-10';

describe('a report of months in a row', () => {
  test('has a verdict against the sum of the allowances of its months', async () => {
    const { body } = await app.get(`/report.json?${range}`);
    expect(body).toMatchObject({
      month: '2026-09_2026-10',
      from: '2026-09-01T00:00:00Z',
      to: '2026-11-01T00:00:00Z',
    });
    const allowed = 30 * day * 0.001 + 31 * day * 0.002;
    const row = body.items.find(({ id }: { id: number }) => id === 1);
    const wanted = { down_seconds: 7_200, met: true, margin_seconds: Math.floor(allowed - 7_200) };
    expect(row).toMatchObject({ name: 'new name', outages: 1, ...wanted });
    expect(row.days).toHaveLength(61);
    expect(body.groups[0]).toMatchObject({ name: 'shop', ...wanted });
    expect(body.outages).toMatchObject([
      { id: 1, from: '2026-09-30T23:00:00Z', seconds_in_month: 7_200, counted: true },
    ]);
  });

  test('has it also while the last month goes on, whose time ahead counts with its own objective', async () => {
    const countedUntilSeconds = Date.UTC(2026, 10, 2) / 1000;
    const allowed = 31 * day * 0.01 + 30 * day * 0.001;
    const stricter = (seconds: number) =>
      request(
        application([
          {
            ...monthsOf('shop', []),
            records: async function* (months: readonly Month[]) {
              yield months.map(({ name }) => {
                const isPresent = name === '2026-11';
                const ratio = isPresent ? 0.999 : 0.99;
                const down = isPresent ? 0 : seconds;
                const up = (isPresent ? day : 31 * day) - down;
                return [
                  record(1, 'shop', {
                    seconds: { up, down, unknown: 0, unmonitored: 0 },
                    objective: ratio,
                    groups: [{ name: 'shop', ratio }],
                    ...(isPresent && { countedUntilSeconds }),
                  }),
                ];
              });
            },
          },
        ]),
      ).get('/report.json?from=2026-10&to=2026-11');
    const exactly = (await stricter(allowed)).body;
    expect(exactly.items[0]).toMatchObject({ verdict: 'within', margin_seconds: 0 });
    expect(exactly.groups[0]).toMatchObject({ verdict: 'within', margin_seconds: 0 });
    expect((await stricter(allowed + 60)).body.items[0]).toMatchObject({ verdict: 'overspent' });
  });

  test('says which names and objectives it has while the last of its months goes on', async () => {
    const { text } = await app.get('/report.txt?from=2026-09&to=2026-11');
    expect(text).toMatch(
      /^Counted until .*, with the names and groups of now, and the objectives of each month\./m,
    );
  });

  test('does not know the time before the first record of a check', async () => {
    const { body } = await app.get(`/report.json?${range}`);
    const row = body.items.find(({ id }: { id: number }) => id === 2);
    expect(row).toMatchObject({ unwatched_seconds: 30 * day, verdict: 'met_rest' });
  });

  test('names the days of each month as they were, also after a change of the time zone', async () => {
    const shop = monthsOf('shop', [], 'America/New_York');
    const utc = monthsOf('shop', []).calendar;
    shop.calendar.keep(['2026-09'].flatMap((name) => utc.named(name) ?? []));
    const failed = record(1, 'shop', {
      ...{ days: [{ place: 3, down: 600, uncounted: 0 }], knownBy: 'reports' },
      outages: [outage('2026-09-04T20:00Z', '2026-09-04T20:10Z')],
      responseTimes: {
        ...{ hours: 700, tests: 700, milliseconds: 700 * 100 },
        ...{ slowestDay: 3, slowestMilliseconds: 900 },
      },
    });
    const months = {
      ...shop,
      known: shop.known.flatMap(({ name }) => shop.calendar.named(name) ?? []),
      records: async function* (all: readonly Month[]) {
        yield all.map(({ name }) => (name === '2026-09' ? [failed] : [record(1, 'shop')]));
      },
    };
    const moved = request(application([months]));
    const { text } = await moved.get(`/report?${range}`);
    expect(text).toMatch(/day=2026-09-04#outages"[^>]*>4 Sep</);
    expect(text).toContain('slowest 4 Sep');
    const { body } = await moved.get(`/report.json?${range}&day=2026-09-04`);
    expect(body.outages).toHaveLength(1);
    expect(body.items[0].slowest_day).toBe('2026-09-04');
    expect((await moved.get(`/report.json?${range}&day=2026-08-31`)).text).toBe(
      'day must be one of 2026-09-01 to 2026-10-31.\n',
    );
  });

  test('is wholly read afterwards only if all of its months are', async () => {
    const read = { share: 'whole', atSeconds: Date.UTC(2026, 10, 10) / 1000 } as const;
    const readOf = async (last: Partial<MonthRecord>) => {
      const months = {
        ...monthsOf('shop', []),
        records: async function* (all: readonly Month[]) {
          yield all.map(({ name }) => [
            record(1, 'shop', name === '2026-09' ? { readAfterwards: read } : last),
          ]);
        },
      };
      const { text } = await request(application([months])).get(`/report.txt?${range}`);
      return text;
    };
    expect(await readOf({ readAfterwards: read })).toContain(
      'Read afterwards: with the names, groups and objectives of 2026-11-10.',
    );
    const watched = await readOf({});
    expect(watched).toContain('partly read afterwards, on 2026-11-10');
    expect(watched).toContain('Names and groups are those of the last of these months');
  });

  test('has all forms, and its links stay in these months', async () => {
    const { text } = await app.get(`/report?${range}`);
    expect(text).toContain('September 2026 to October 2026');
    expect(text).toContain('href="./report.csv?from=2026-09&amp;to=2026-10"');
    expect(text).toContain('<input type="hidden" name="to" value="2026-10"/>');
    expect(text).not.toContain('month=2026-09_');
    expect((await app.get(`/report.txt?${range}`)).text).toContain(
      'Names and groups are those of the last of these months, objectives those of each.',
    );
    expect((await app.get(`/report.csv?${range}`)).text).toContain(
      '\r\n2026-09_2026-10,UTC,group,',
    );
    expect((await app.get(`/report.html?${range}`)).text).toContain(
      'September 2026 to October 2026',
    );
  });

  test.each([
    ['from=2026-10&to=2026-09', 'from must not be after to.'],
    ['from=2026-10', 'from and to must be given together.'],
    ['to=2026-10', 'from and to must be given together.'],
    ['from=2025-01&to=2026-10', 'from must be one of 2026-09, 2026-10, 2026-11.'],
    ['from=2026-09&to=2027-10', 'to must be one of 2026-09, 2026-10, 2026-11.'],
    [
      'from=2026-09&to=2026-10&month=2026-10',
      'month is one month; from and to are several: give either.',
    ],
    ['month=2026-09&month=2026-10', 'month is given more than once.'],
    ['from=2026-09&from=2026-10&to=2026-10', 'from is given more than once.'],
    ['by=check&by=time', 'by is given more than once.'],
  ])('refuses %s', async (query, message) => {
    const { status, text } = await app.get(`/report?${query}`);
    expect({ status, text }).toEqual({ status: 400, text: `${message}\n` });
  });

  test.each([
    [range, 'choose fewer months, or one account'],
    ['month=2026-10', 'choose an account, a group, tags or checks'],
  ])('%s is refused with more outages than memory has room for: %s', async (asked, advice) => {
    const outages = Array.from({ length: 200_001 }, () => over);
    const many = monthsOf('shop', [record(1, 'flapping', { outages })]);
    const { status, text } = await request(application([many])).get(`/report?${asked}`);
    expect({ status, text }).toEqual({
      status: 400,
      text: `there are more than 200,000 outages: ${advice}.\n`,
    });
    const limit = new OutageLimit('choose fewer');
    limit.add(200_000);
    expect(() => limit.add(1)).toThrow(TooManyOutagesError);
  });

  test('is what the command prints with --from and --to', async () => {
    const server = await listen(web, '127.0.0.1:0', new VirtualClock());
    const flags = ['--from=2026-09', '--to=2026-10'];
    const { exitCode, output } = await runCommandLine([
      ...['report', '--exporter', server.url],
      ...flags,
    ]);
    await server.close(0);
    expect(exitCode).toBe(0);
    expect(output).toContain('September 2026 to October 2026\n');
  });
});

describe('ranges that are asked for at once', () => {
  test('are read one after the other, four at most, and a month does not wait for them', async () => {
    const known = monthsOfYear();
    let [reading, most] = [0, 0];
    let go = () => {};
    const mayGo = new Promise<void>((resolve) => {
      go = resolve;
    });
    const slow = {
      ...known,
      records: async function* (months: readonly Month[]) {
        if (months.length > 1) {
          reading += 1;
          most = Math.max(most, reading);
          await mayGo;
          reading -= 1;
        }
        yield* known.records(months);
      },
    };
    const busy = request(application([slow]));
    const asked = Array.from({ length: 6 }, async () => {
      const { status, text } = await busy.get(`/report.txt?${range}`);
      if (status === 503) return text;
      return status;
    });
    const first = await Promise.race(asked);
    expect(first).toContain('other ranges of months are read first: try again in a moment');
    expect((await busy.get('/report.json?month=2026-11')).status).toBe(200);
    go();
    const all = await Promise.all(asked);
    expect(all.filter((one) => one === 200)).toHaveLength(4);
    expect(most).toBe(1);
  });
});

test('months that are asked for at once are read one after the other, so that memory holds one', async () => {
  const known = monthsOfYear();
  let [reading, most] = [0, 0];
  const counted = {
    ...known,
    records: async function* (months: readonly Month[]) {
      reading += 1;
      most = Math.max(most, reading);
      // Meanwhile the other requests arrive.
      for (let turn = 0; turn < 500; turn++) await setImmediate();
      yield* known.records(months);
      reading -= 1;
    },
  };
  const busy = request(application([counted]));
  const names = ['2026-09', '2026-10', '2026-11', '2026-11'];
  const all = await Promise.all(names.map((name) => busy.get(`/report.json?month=${name}`)));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(most).toBe(1);
});
