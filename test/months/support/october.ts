import type { Express } from 'express';
import type { AppOptions } from '../../../src/http/server/create-app.ts';
import { type Month, MonthCalendar } from '../../../src/lib/month-calendar.ts';
import type { AccountMonths } from '../../../src/months/account-months.ts';
import { reportRoutes } from '../../../src/months/http/handlers.ts';
import type { MonthOutage, MonthRecord } from '../../../src/months/month-record.ts';
import { testApp } from '../../support/http-app.ts';

const at = (text: string) => Date.parse(text) / 1000;
export const day = 86_400;
export const length = 31 * day;

export function record(id: number, name: string, changes: Partial<MonthRecord> = {}): MonthRecord {
  const up = { up: length, down: 0, unknown: 0, unmonitored: 0 };
  return {
    kind: 'check',
    id,
    name,
    tags: [],
    groups: [],
    objective: 0.999,
    seconds: up,
    awaited: [],
    unwatched: [],
    outages: [],
    knownBy: 'lists',
    ...changes,
  };
}

export function down(seconds: number, outages: readonly MonthOutage[] = []): Partial<MonthRecord> {
  const sums = { up: length - seconds, down: seconds, unknown: 0, unmonitored: 0 };
  return { seconds: sums, outages, knownBy: 'reports' };
}

export function outage(from: string, to: string, changes: Partial<MonthOutage> = {}): MonthOutage {
  return { fromSeconds: at(from), toSeconds: at(to), causes: [], maintenance: 'none', ...changes };
}

export const october: readonly MonthRecord[] = [
  record(1, 'flawless', { groups: [{ name: 'shop', ratio: 0.999 }], tags: ['prod'] }),
  record(2, '=HYPERLINK("https://evil.example")', {
    ...down(7_200, [
      outage('2026-10-04T10:00Z', '2026-10-04T11:30Z', { causes: ['Timeout', '@cause'] }),
      outage('2026-09-30T23:00Z', '2026-10-01T00:30Z'),
    ]),
    groups: [{ name: 'shop', ratio: 0.999 }],
    days: [
      { place: 0, down: 1_800, uncounted: 0 },
      { place: 3, down: 5_400, uncounted: 0 },
    ],
  }),
  record(3, 'young <b>', {
    seconds: { up: 12 * day, down: 0, unknown: 0, unmonitored: 0 },
    unwatched: [{ fromSeconds: at('2026-10-01T00:00Z'), toSeconds: at('2026-10-20T00:00Z') }],
  }),
  record(4, 'maintained', {
    ...down(3_600, [outage('2026-10-09T10:00Z', '2026-10-09T11:00Z', { maintenance: 'whole' })]),
    maintenance: { up: 0, down: 3_600, unknown: 0, unmonitored: 0 },
    days: [{ place: 8, down: 0, uncounted: 3_600 }],
  }),
  record(5, 'paused', {
    seconds: { up: 0, down: 0, unknown: 0, unmonitored: length },
    days: Array.from({ length: 31 }, (_, place) => ({ place, down: 0, uncounted: day })),
  }),
];

export function monthsOf(
  account: string,
  records: readonly MonthRecord[],
  zone = 'UTC',
): Pick<
  AccountMonths,
  | 'account'
  | 'calendar'
  | 'months'
  | 'known'
  | 'nowSeconds'
  | 'records'
  | 'recordsOf'
  | 'phaseOf'
  | 'daysNotRead'
  | 'knownShare'
  | 'lists'
  | 'isIn'
> {
  const calendar = new MonthCalendar(zone);
  const monthNamed = (name: string) => calendar.named(name) ?? calendar.containing(0);
  const all = async function* (months: readonly Month[]) {
    yield months.map(() => records);
  };
  return {
    account,
    calendar,
    nowSeconds: at('2026-11-15T00:00Z'),
    records: all,
    recordsOf: async () => [],
    phaseOf: ({ name }: Month) => (name === '2026-11' ? 'present' : 'whole'),
    daysNotRead: () => undefined,
    knownShare: () => 1,
    known: ['2026-09', '2026-10', '2026-11'].map(monthNamed),
    lists: ({ id }) => id !== 4,
    isIn: (group) => group === 'shop',
    months: ['2026-09', '2026-10'].map((name) => ({
      ...monthNamed(name),
      isWhole: true,
      groups: [
        {
          ...{ name: 'shop', ratio: 0.999, up: 999, known: 1_001, unwatched: 0 },
          down: name === '2026-09' ? 1 : 2,
        },
      ],
    })),
  };
}

/** The paths of the report for these accounts. */
export function application(
  accounts: readonly ReturnType<typeof monthsOf>[],
  options: Partial<AppOptions> = {},
): Express {
  const { status = { accounts: () => [] } } = options;
  const months = () => accounts as unknown as readonly AccountMonths[];
  const routes: AppOptions['routes'] = (site) => reportRoutes({ status, site, months });
  return testApp({ status, routes, ...options });
}
