import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { Month } from '../../src/lib/month-calendar.ts';
import { pageColumns } from '../../src/months/http/columns.ts';
import { outageColumns } from '../../src/months/http/outage-columns.tsx';
import { rowColumns } from '../../src/months/http/row-columns.tsx';
import type { MonthRecord } from '../../src/months/month-record.ts';
import { application, monthsOf, outage, record } from './support/october.ts';

const at = (text: string) => Date.parse(text) / 1000;
const range = (from: string, to: string) => ({ fromSeconds: at(from), toSeconds: at(to) });
const web = { name: 'web', ratio: 0.9956 };
const whole = { maintenance: 'whole' } as const;

/** Each of their fields is another one. */
const october: readonly MonthRecord[] = [
  record(1, 'home', {
    ...{ hostname: 'home.example.com', tags: ['prod', 'eu'], groups: [web], objective: 0.9 },
    seconds: { up: 2_000_600, down: 1_000, unknown: 300, unmonitored: 4_000 },
    maintenance: { up: 600, down: 100, unknown: 0, unmonitored: 0 },
    folded: 3_600,
    unwatched: [range('2026-10-20T00:00Z', '2026-10-21T00:00Z')],
    days: [{ place: 7, down: 900, uncounted: 100 }],
    outages: [
      outage('2026-10-08T10:00Z', '2026-10-08T10:10Z', { causes: ['Timeout', 'DNS'] }),
      outage('2026-10-08T12:00Z', '2026-10-08T12:05Z', { causes: ['Timeout'] }),
    ],
    knownBy: 'reports',
    createdAtSeconds: at('2026-10-06T12:00Z'),
    countedUntilSeconds: at('2026-10-31T18:00Z'),
    readAfterwards: { share: 'whole', atSeconds: at('2026-11-03T00:00Z') },
    responseTimes: {
      ...{ hours: 480, tests: 1_000, milliseconds: 250_000 },
      ...{ slowestDay: 7, slowestMilliseconds: 400 },
    },
  }),
  record(2, 'shop', {
    ...{ hostname: 'shop.example.com', tags: ['prod'], groups: [web], objective: 0.999 },
    seconds: { up: 1_502_000, down: 20_000, unknown: 70, unmonitored: 11 },
    maintenance: { up: 2_000, down: 3_000, unknown: 0, unmonitored: 0 },
    folded: 7_200,
    unwatched: [range('2026-10-25T00:00Z', '2026-10-25T12:00Z')],
    days: [
      { place: 11, down: 17_000, uncounted: 0 },
      { place: 13, down: 0, uncounted: 3_000 },
    ],
    outages: [
      outage('2026-10-12T00:00Z', '2026-10-12T04:43:20Z', { beganBefore: true }),
      outage('2026-10-14T10:00Z', '2026-10-14T10:50Z', whole),
    ],
    knownBy: 'reports',
    firstSeenSeconds: at('2026-10-11T06:00Z'),
    countedUntilSeconds: at('2026-10-31T12:00Z'),
    readAfterwards: { share: 'part', atSeconds: at('2026-11-02T00:00Z') },
    responseTimes: {
      ...{ hours: 300, tests: 2_000, milliseconds: 800_000 },
      ...{ slowestDay: 11, slowestMilliseconds: 900 },
    },
  }),
  record(3, 'old', {
    ...{ hostname: 'old.example.com', groups: [web], objective: 0.9998 },
    seconds: { up: 500_000, down: 50, unknown: 30, unmonitored: 2 },
    maintenance: { up: 0, down: 0, unknown: 30, unmonitored: 0 },
    folded: 60,
    unwatched: [range('2026-10-03T00:00Z', '2026-10-03T00:01Z')],
    days: [{ place: 1, down: 50, uncounted: 0 }],
    outages: [
      outage('2026-10-02T10:00:00Z', '2026-10-02T10:00:10Z'),
      outage('2026-10-02T11:00:00Z', '2026-10-02T11:00:20Z'),
      outage('2026-10-02T12:00:00Z', '2026-10-02T12:00:20Z'),
    ],
    removedAtSeconds: at('2026-10-07T00:00Z'),
    countedUntilSeconds: at('2026-10-06T20:00Z'),
    responseTimes: { hours: 10, tests: 10, milliseconds: 1_000 },
  }),
  record(7, 'sign in', {
    kind: 'transaction',
    seconds: { up: 100_000, down: 40, unknown: 0, unmonitored: 0 },
    unwatched: [range('2026-10-01T00:00:00Z', '2026-10-01T00:00:05Z')],
    outages: [outage('2026-10-30T10:00:00Z', '2026-10-30T10:00:40Z')],
    knownBy: 'reports',
  }),
];

const september: readonly MonthRecord[] = [
  record(1, 'home', {
    groups: [web],
    seconds: { up: 2_591_000, down: 1_000, unknown: 0, unmonitored: 0 },
    outages: [outage('2026-09-08T10:00Z', '2026-09-08T10:10Z')],
    responseTimes: { hours: 720, tests: 10, milliseconds: 3_000 },
  }),
  record(2, 'shop', {
    groups: [web],
    seconds: { up: 2_582_000, down: 10_000, unknown: 0, unmonitored: 0 },
    outages: ['08', '09'].map((day) => outage(`2026-09-${day}T10:00Z`, `2026-09-${day}T11:00Z`)),
    responseTimes: { hours: 720, tests: 10, milliseconds: 5_000 },
  }),
  record(3, 'old', {
    groups: [web],
    seconds: { up: 2_590_000, down: 2_000, unknown: 0, unmonitored: 0 },
    outages: ['08', '09', '10'].map((day) =>
      outage(`2026-09-${day}T10:00Z`, `2026-09-${day}T10:11Z`),
    ),
    responseTimes: { hours: 100, tests: 10, milliseconds: 1_000 },
  }),
  record(7, 'sign in', {
    kind: 'transaction',
    seconds: { up: 2_591_500, down: 500, unknown: 0, unmonitored: 0 },
    outages: [outage('2026-09-08T10:00Z', '2026-09-08T10:08:20Z')],
  }),
];

type Value = string | number | boolean | undefined;

/** What each column has of three checks and of their group; undefined where it is empty. */
const values: Readonly<
  Record<string, readonly [home: Value, shop: Value, old: Value, group: Value]>
> = {
  kind: ['check', 'check', 'check', 'group'],
  account: ['main', 'main', 'main', 'main'],
  id: [1, 2, 3, undefined],
  name: ['home', 'shop', 'old', 'web'],
  groups: ['web', 'web', 'web', undefined],
  tags: ['prod; eu', 'prod', undefined, undefined],
  items: [1, 1, 1, 3],
  availability: [
    2_000_000 / 2_000_900,
    1_500_000 / 1_517_000,
    500_000 / 500_050,
    4_000_000 / 4_017_950,
  ],
  objective: [0.9, 0.999, 0.9998, 0.9956],
  met: [true, false, undefined, undefined],
  // What is permitted of the tested time, without what was used: 200,090 − 900, 1,517 − 17,000,
  // 100.01 − 50, and 17,678.98 − 17,950.
  margin_seconds: [199_190, -15_483, 50, -272],
  down_seconds: [900, 17_000, 50, 17_950],
  outages: [2, 1, 3, 6],
  longest_outage_seconds: [600, 17_000, 20, 17_000],
  maintenance_seconds: [700, 5_000, 30, 5_730],
  unknown_seconds: [300, 70, 30, 400],
  unmonitored_seconds: [4_000, 11, 2, 4_013],
  unwatched_seconds: [86_400, 43_200, 60, 129_660],
  folded_seconds: [3_600, 7_200, 60, 10_860],
  known_seconds: [2_005_900, 1_522_081, 500_082, 4_028_063],
  known_by: ['reports', 'reports', 'lists', undefined],
  created: ['2026-10-06T12:00:00Z', undefined, undefined, undefined],
  removed: [undefined, undefined, '2026-10-07T00:00:00Z', undefined],
  read_afterwards: ['whole', 'part', undefined, 'part'],
  read_at: ['2026-11-03T00:00:00Z', '2026-11-02T00:00:00Z', undefined, '2026-11-03T00:00:00Z'],
  verdict: ['met', 'missed', 'met_rest', 'missed_rest'],
  awaited_seconds: [0, 0, 0, 0],
  awaited_items: [0, 0, 0, 0],
  // Of the group without the check that left.
  counted_until: [
    ...(['2026-10-31T18:00:00Z', '2026-10-31T12:00:00Z', '2026-10-06T20:00:00Z'] as const),
    '2026-10-31T12:00:00Z',
  ],
  hostname: ['home.example.com', 'shop.example.com', 'old.example.com', undefined],
  first_seen: [undefined, '2026-10-11T06:00:00Z', undefined, undefined],
  days: [
    '_____..a...........?...........',
    '__________.c............?......',
    '.b?..._________________________',
    '.a?....b...c.......?....?......',
  ],
  availability_before: [
    2_591_000 / 2_592_000,
    2_582_000 / 2_592_000,
    2_590_000 / 2_592_000,
    7_763_000 / 7_776_000,
  ],
  down_seconds_before: [1_000, 10_000, 2_000, 13_000],
  outages_before: [1, 2, 3, 6],
  response_time_seconds: [0.25, 0.4, undefined, undefined],
  response_time_hours: [480, 300, 10, 0],
  slowest_day: ['2026-10-08', '2026-10-12', undefined, undefined],
  slowest_day_response_time_seconds: [0.4, 0.9, undefined, undefined],
  response_time_seconds_before: [0.3, 0.5, undefined, undefined],
};

/** What other columns have while some of the month is awaited. */
const awaitedValues: typeof values = {
  availability: [undefined, undefined, 1, undefined],
  met: [undefined, undefined, true, undefined],
  margin_seconds: [undefined, undefined, 200, undefined],
  verdict: ['undecided', 'undecided', 'met', 'undecided'],
  awaited_seconds: [60_000, 7_200, 0, 67_200],
  awaited_items: [1, 1, 0, 2],
};

/** What is permitted of a month that goes on is permitted of all of it: 25,920 s of each check. */
const valuesSoFar: typeof values = {
  met: [undefined, undefined, false, false],
  margin_seconds: [25_820, 25_720, -74_080, 3 * 25_920 - 100_300],
  verdict: ['within', 'within', 'overspent', 'overspent'],
  counted_until: [
    ...(['2026-11-11T00:00:00Z', '2026-11-21T00:00:00Z', '2026-11-16T00:00:00Z'] as const),
    '2026-11-11T00:00:00Z',
  ],
};

/** A group has the value of one of its checks, or of its account, instead of another one. */
const chosen = ['account', 'longest_outage_seconds', 'read_afterwards', 'read_at', 'counted_until'];

/** What each column has of four outages. */
const outageValues: Readonly<Record<string, readonly Value[]>> = {
  account: ['main', 'main', 'main', 'main'],
  kind: ['check', 'check', 'check', 'transaction'],
  id: [1, 2, 2, 7],
  name: ['home', 'shop', 'shop', 'sign in'],
  begin: [
    ...['2026-10-08T10:00:00Z', '2026-10-12T00:00:00Z', '2026-10-14T10:00:00Z'],
    '2026-10-30T10:00:00Z',
  ],
  began_before: [false, true, false, false],
  end: [
    ...['2026-10-08T10:10:00Z', '2026-10-12T04:43:20Z', '2026-10-14T10:50:00Z'],
    '2026-10-30T10:00:40Z',
  ],
  seconds_in_month: [600, 17_000, 3_000, 40],
  counted: [true, true, false, true],
  maintenance: ['none', 'none', 'whole', 'none'],
  causes: ['Timeout; DNS', undefined, undefined, undefined],
};

/** The sums of the account. */
const total = {
  account: 'main',
  items: 4,
  availability: 4_100_000 / 4_117_990,
  down_seconds: 17_990,
  outages: 7,
  known_seconds: 4_128_103,
  awaited_seconds: 0,
  unwatched_seconds: 129_665,
  availability_before: 10_354_500 / 10_368_000,
  down_seconds_before: 13_500,
  outages_before: 7,
};

/** The cells of the page: of the check `home` and of the group. */
const cells: Readonly<Record<string, readonly [home: string, group: string]>> = {
  Name: [
    'home created 2026-10-06 12:00 UTC read afterwards, on 2026-11-03',
    'web 3 checks partly read afterwards, on 2026-11-03',
  ],
  Available: [
    '99.955 % of 23 d 5 h counted until 2026-10-31 18:00 UTC',
    '99.553 % of the known time counted until 2026-10-31 12:00 UTC',
  ],
  Objective: ['90 % met 2 d 7 h left', '99.56 % missed in the known part by 4 min 32 s'],
  Down: ['15 min', '4 h 59 min'],
  Outages: [
    '2 longest 10 min Timeout; DNS and more in 1 h of flapping',
    '6 longest 4 h 43 min and more in 3 h 1 min of flapping',
  ],
  Maintenance: ['11 min 40 s', '1 h 35 min'],
  'Not known': [
    '1 d not watched, 5 min unknown, 1 h 6 min not monitored',
    '3 % of the time not watched, 6 min 40 s unknown, 1 h 6 min not monitored',
  ],
  Days: ['8 Oct', '2 Oct , 8 Oct , 12 Oct'],
  Change: ['−0.006 points response −50 ms', '−0.28 points'],
  Response: ['250 ms of 20 d slowest 8 Oct: 400 ms', ''],
};

/** Their lines of the text. */
const lineTexts = [
  [
    'home: 99.955 % available of 23 d 5 h, objective 90 % met, 2 d 7 h left, down 15 min, 2 outages',
    ...['longest 10 min', 'maintenance 11 min 40 s', '1 d not watched, 5 min unknown'],
    ...['1 h 6 min not monitored', 'created 2026-10-06 12:00 UTC'],
    ...['read afterwards, on 2026-11-03', 'counted until 2026-10-31 18:00 UTC'],
    ...['_____..a...........?...........', 'since Sep 2026: −0.006 points, response −50 ms'],
    'response about 250 ms of 20 d, slowest on 2026-10-08: 400 ms',
  ],
  [
    'web: 99.553 % available of the known time, objective 99.56 % missed in the known part by 4 min 32 s',
    ...['down 4 h 59 min', '6 outages', 'longest 4 h 43 min', 'maintenance 1 h 35 min'],
    ...['3 % of the time not watched', '6 min 40 s unknown', '1 h 6 min not monitored'],
    ...['partly read afterwards, on 2026-11-03', 'counted until 2026-10-31 12:00 UTC'],
    ...['.a?....b...c.......?....?......', 'since Sep 2026: −0.28 points'],
  ],
].map((parts) => `  ${parts.join(', ')}`);

function appOf(records: Readonly<Record<string, readonly MonthRecord[]>>) {
  const months = {
    ...monthsOf('main', []),
    records: async function* (all: readonly Month[]) {
      yield all.map(({ name }) => records[name] ?? []);
    },
  };
  return request(application([months]));
}

const app = appOf({ '2026-09': september, '2026-10': october });

const soFar = (id: number, name: string, date: string, down: number) =>
  record(id, name, {
    ...{ groups: [{ name: 'now', ratio: 0.99 }], objective: 0.99 },
    seconds: { up: at(date) - at('2026-11-01') - down, down, unknown: 0, unmonitored: 0 },
    countedUntilSeconds: at(date),
  });
const goingOn = appOf({
  '2026-11': [
    soFar(1, 'home', '2026-11-11', 100),
    soFar(2, 'shop', '2026-11-21', 200),
    soFar(3, 'old', '2026-11-16', 100_000),
  ],
});

const awaiting = (id: number, name: string, toSeconds: number) =>
  record(id, name, {
    groups: [{ name: 'late', ratio: 0.9 }],
    seconds: { up: 200_000, down: 0, unknown: 0, unmonitored: 0 },
    awaited: toSeconds === 0 ? [] : [{ fromSeconds: 0, toSeconds }],
  });
const late = appOf({
  '2026-10': [awaiting(1, 'home', 60_000), awaiting(2, 'shop', 7_200), awaiting(3, 'old', 0)],
});

type Row = Readonly<Record<string, string>>;

/** The lines of a CSV file, by column. No value here has a comma. */
async function rowsOf(app: ReturnType<typeof appOf>, path: string): Promise<readonly Row[]> {
  const { text } = await app.get(path);
  const [head = [], ...lines] = text
    .slice(1)
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  return lines.map((cells) =>
    Object.fromEntries(
      head.map((name, place) => [name, cells[place]?.replaceAll('"', '') ?? 'no cell']),
    ),
  );
}

function textOf(value: Value): string {
  return value === undefined ? '' : `${value}`;
}

function headingOf(attributes: string): string {
  return /data-label="(.*?)"/.exec(attributes)?.[1] ?? 'Name';
}

function wordsOf(html: string): string {
  return html
    .replaceAll(/<svg.*?<\/svg>|<[^>]*>/gs, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
}

describe('a column of the report', () => {
  const names = ['home', 'shop', 'old', 'web'];

  test.each([
    ['values', app, '2026-10', values, 'web'],
    ['values while some time is awaited', late, '2026-10', awaitedValues, 'late'],
    ['values while the month goes on', goingOn, '2026-11', valuesSoFar, 'now'],
  ])('has its %s', async (_, app, month, values, group) => {
    const rows = await rowsOf(app, `/report.csv?month=${month}`);
    const lines = [...names.slice(0, 3), group].map((name) =>
      rows.find((row) => row.name === name),
    );
    const shown = Object.keys(values).map((name) => [name, lines.map((row) => row?.[name])]);
    const expected = Object.entries(values).map(([name, all]) => [name, all.map(textOf)]);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
  });

  test('has the same values in JSON', async () => {
    const { body } = await app.get('/report.json?month=2026-10');
    const lines = [...body.items, ...body.groups];
    for (const [place, name] of names.entries()) {
      const line = lines.find((one) => one.name === name);
      const expected = Object.entries(values).map(([name, all]) => [name, textOf(all[place])]);
      const shown = Object.keys(values).map((column) => {
        const value = line[column];
        return [column, Array.isArray(value) ? value.join('; ') : textOf(value)];
      });
      expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
    }
  });

  test('has its words on the page', async () => {
    const { text } = await app.get('/report?month=2026-10');
    const of = (name: string) =>
      [...text.matchAll(/<tr>(<th scope="row">.*?)<\/tr>/gs)]
        .map(([, row = '']) => [...row.matchAll(/<t[hd](.*?)>(.*?)<\/t[hd]>/gs)])
        .map((cells) => cells.map(([, head = '', html = '']) => [headingOf(head), wordsOf(html)]))
        .map((row): Row => Object.fromEntries(row))
        .find((row) => row.Name?.startsWith(`${name} `));
    const shown = [of('home'), of('web')];
    for (const [heading, expected] of Object.entries(cells)) {
      const [home, group = ''] = shown.map((row) => row?.[heading]);
      expect([heading, home, group]).toEqual([heading, ...expected]);
    }
    const headings = pageColumns(rowColumns).map(({ heading }) => heading);
    expect(Object.keys(cells)).toEqual(headings);
  });

  test('has its words in the text', async () => {
    const { text } = await app.get('/report.txt?month=2026-10');
    const lines = text.split('\n').filter((line) => /^ {2}(home|web): /.test(line));
    expect(lines.toSorted()).toEqual(lineTexts);
  });

  test('of outages has its values', async () => {
    const rows = await rowsOf(app, '/report-outages.csv?month=2026-10');
    const begins = outageValues.begin ?? [];
    const lines = begins.map((begin) => rows.find((row) => row.begin === begin));
    for (const [name, all] of Object.entries(outageValues)) {
      expect([name, ...lines.map((row) => row?.[name])]).toEqual([name, ...all.map(textOf)]);
    }
  });

  test('is added up for the account', async () => {
    const { body } = await app.get('/report.json?month=2026-10');
    expect(body.totals).toEqual([total]);
    const { body: lateBody } = await late.get('/report.json?month=2026-10');
    expect(lateBody.totals).toMatchObject([{ items: 3, awaited_seconds: 67_200 }]);
  });

  test('is among those above', () => {
    expect(Object.keys(values)).toEqual(rowColumns.map(({ name }) => name));
    expect(Object.keys(outageValues)).toEqual(outageColumns.map(({ name }) => name));
  });

  test('varies above: a sum that is wrong is not the value of a check', () => {
    const isVaried = (name: string) =>
      [values[name], awaitedValues[name]].some((row) => {
        if (row === undefined) return false;
        const [home, shop, old, group] = row;
        const checks: readonly Value[] = [home, shop, old].filter((value) => value !== undefined);
        if (chosen.includes(name)) return name === 'account' || new Set(checks).size > 1;
        return checks.length > 0 && !checks.includes(group);
      });
    expect(Object.keys(values).filter((name) => !isVaried(name))).toEqual([]);
  });
});
