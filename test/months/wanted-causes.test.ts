import { describe, expect, test } from 'vitest';
import { MonthCalendar } from '../../src/lib/month-calendar.ts';
import type { MonthOutage, MonthRecord } from '../../src/months/month-record.ts';
import { WantedCauses } from '../../src/months/wanted-causes.ts';
import { ItemMemory } from '../../src/state/items/item-memory.ts';
import { OutageCauses } from '../../src/state/items/outage-causes.ts';
import { firstTotals } from '../state/support/shop.ts';
import { checkWith } from '../support/snapshots.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { day, monthsOf, outage, record } from './support/october.ts';

const minute = 60_000;
const november = '2026-11';
/** An outage on the 4th of November, of some minutes. */
const on4th = (hour: number, minutes: number, changes: Partial<MonthOutage> = {}) =>
  outage(
    `2026-11-04T${String(hour).padStart(2, '0')}:00Z`,
    new Date(Date.UTC(2026, 10, 4, hour, minutes)).toISOString(),
    changes,
  );
const down = (outages: readonly MonthOutage[], seconds: number): Partial<MonthRecord> => ({
  seconds: { up: 14 * day - seconds, down: seconds, unknown: 0, unmonitored: 0 },
  countedUntilSeconds: Date.UTC(2026, 10, 15) / 1000,
  outages,
});

function aMonth(records: readonly MonthRecord[], stored?: unknown, pastsLeft = 0) {
  const clock = new VirtualClock(Date.UTC(2026, 10, 15));
  const checks = new Map(
    records.map(({ id }) => {
      const entry = checkWith({ id });
      const totals = firstTotals(entry, 40_000);
      return [id, Object.assign(new ItemMemory(), { entry, totals, details: {} })] as const;
    }),
  );
  const causes = new OutageCauses({ get: (id) => checks.get(id), records: () => checks.values() });
  const months = {
    ...monthsOf('shop', records),
    calendar: new MonthCalendar('UTC'),
    lists: () => true,
    records: async function* (all: readonly { name: string }[]) {
      yield all.map(({ name }) => (name === november ? records : []));
    },
  };
  const wanted = new WantedCauses(
    {
      account: 'shop',
      state: { causes, firstSight: { pastsLeft } } as never,
      serviceClock: clock,
      reads: () => true,
      log: undefined as never,
    },
    months,
  );
  if (stored !== undefined) wanted.restore(stored);
  /** Reads a list, and what it requests, each minute. Returns the outages whose causes were read. */
  const listFor = async (minutes: number) => {
    const read: string[] = [];
    for (let at = 0; at < minutes; at += 1) {
      await clock.advance(minute);
      wanted.listed();
      await wanted.idle();
      for (const { dataset, id } of causes.due(clock.monotonic())) {
        const check = checks.get(id);
        if (check === undefined) continue;
        if (dataset === 'analyses') {
          causes.analysesRead(check, causes.wantedAnalyses(check)?.asked, clock.monotonic());
          continue;
        }
        const one = causes.wantedResults(check);
        if (one === undefined) continue;
        read.push(`${id} ${new Date(1000 * (one.fromSeconds + 3_600)).toISOString().slice(8, 13)}`);
        causes.resultsRead(check, one);
      }
    }
    return read;
  };
  return { wanted, causes, clock, listFor };
}

const shop = { groups: [{ name: 'shop', ratio: 0.999 }] };
const calm = { groups: [{ name: 'calm', ratio: 0.9 }] };

describe('the outages whose causes are read for the report', () => {
  test('are the longest, those of overspent groups first, and none below a minute', async () => {
    const { listFor } = aMonth([
      record(1, 'calm', { ...calm, ...down([on4th(10, 50), on4th(12, 5)], 3_300) }),
      record(2, 'overspent', {
        ...shop,
        ...down(
          [on4th(1, 300), on4th(8, 2), on4th(9, 0.5), on4th(20, 5, { causes: ['Timeout'] })],
          18_450,
        ),
      }),
      record(3, 'planned', { ...calm, ...down([on4th(11, 55, { maintenance: 'whole' })], 3_300) }),
    ]);
    expect(await listFor(59)).toEqual([]);
    expect(await listFor(40)).toEqual(['2 04T01', '2 04T08', '1 04T10', '1 04T12']);
    expect(await listFor(400)).toEqual([]);
  });

  test('are ten a day, and the next ten on the next day', async () => {
    const many = Array.from({ length: 12 }, (_, place) => on4th(place, 20 - place));
    const { listFor } = aMonth([record(1, 'many', down(many, 7_200))]);
    expect(await listFor(600)).toHaveLength(10);
    expect(await listFor(839)).toEqual([]);
    expect(await listFor(60)).toEqual(['1 04T10', '1 04T11']);
  });

  test('are at most three of one check while others have any', async () => {
    const long = Array.from({ length: 12 }, (_, place) => on4th(place, 30 - place));
    const { listFor } = aMonth([
      record(1, 'flaps', down(long, 17_640)),
      record(2, 'fails', down([on4th(13, 9), on4th(14, 8)], 1_020)),
    ]);
    expect(await listFor(600)).toEqual([
      ...['1 04T00', '1 04T01', '1 04T02'],
      ...['2 04T13', '2 04T14'],
      ...['1 04T03', '1 04T04', '1 04T05', '1 04T06', '1 04T07'],
    ]);
  });

  test('are one in six hours while the past of checks is being read', async () => {
    const many = Array.from({ length: 12 }, (_, place) => on4th(place, 20 - place));
    const { listFor } = aMonth([record(1, 'many', down(many, 7_200))], undefined, 1);
    expect(await listFor(400)).toEqual(['1 04T00']);
    expect(await listFor(100)).toEqual(['1 04T01']);
  });

  test('wait for what people ask', async () => {
    const { causes, clock, listFor } = aMonth([record(1, 'one', down([on4th(10, 5)], 300))]);
    const asked = { fromSeconds: 50_000, toSeconds: 50_600 };
    causes.ask(1, asked, ['analyses'], clock.monotonic());
    expect(await listFor(30)).toEqual([]);
    expect(await listFor(60)).toEqual(['1 04T10']);
  });

  test('and the questions of people are asked again after a restart, and none twice', async () => {
    const records = [record(1, 'two', down([on4th(10, 9), on4th(12, 5)], 840))];
    const first = aMonth(records);
    expect(await first.listFor(62)).toEqual(['1 04T10']);
    const asked = { fromSeconds: 1_790_000_000, toSeconds: 1_790_000_600 };
    first.causes.ask(1, asked, ['results', 'analyses'], first.clock.monotonic());
    const stored: unknown = JSON.parse(JSON.stringify(first.wanted.takeChange()));
    expect(first.wanted.takeChange()).toBeUndefined();

    const second = aMonth(records, stored);
    expect((await second.listFor(1)).map((one) => one.slice(0, 1))).toEqual(['1']);
    expect(await second.listFor(120)).toEqual(['1 04T12']);
  });
});
