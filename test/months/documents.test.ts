import { describe, expect, test } from 'vitest';
import { monthBody, readMonthBody } from '../../src/months/documents.ts';
import type { MonthRecord } from '../../src/months/month-record.ts';
import { CorruptRowError } from '../../src/store/format/row.ts';

const flawless: MonthRecord = {
  kind: 'check',
  id: 7,
  name: 'shop',
  tags: [],
  groups: [],
  objective: 0.999,
  seconds: { up: 2_678_400, down: 0, unknown: 0, unmonitored: 0 },
  awaited: [],
  unwatched: [],
  outages: [],
  knownBy: 'lists',
};

/** A record with each optional field. */
const eventful: Required<MonthRecord> = {
  kind: 'transaction',
  id: 8,
  name: 'cart',
  hostname: 'cart.example.com',
  tags: ['prod'],
  objective: 0.99,
  isSeenLater: true,
  groups: [{ name: 'shop', ratio: 0.995 }],
  seconds: { up: 1_000, down: 200, unknown: 30, unmonitored: 4 },
  maintenance: { up: 10, down: 20, unknown: 0, unmonitored: 0 },
  awaited: [],
  unwatched: [
    { fromSeconds: 1, toSeconds: 3 },
    { fromSeconds: 7, toSeconds: 10 },
  ],
  folded: 60,
  days: [
    { place: 0, down: 180, uncounted: 0 },
    { place: 30, down: 0, uncounted: 54 },
  ],
  knownBy: 'reports',
  createdAtSeconds: 1,
  firstSeenSeconds: 1,
  removedAtSeconds: 2,
  countedUntilSeconds: 2,
  readAfterwards: { share: 'part', atSeconds: 3 },
  responseTimes: {
    hours: 700,
    tests: 42_000,
    milliseconds: 5_000_000,
    slowestDay: 0,
    slowestMilliseconds: 200,
  },
  outages: [
    {
      fromSeconds: 3,
      toSeconds: 9,
      causes: ['Timeout'],
      maintenance: 'part',
      outsideFromSeconds: 5,
    },
    {
      fromSeconds: 20,
      beganBefore: true,
      knownUntilSeconds: 22,
      causes: [],
      maintenance: 'none',
    },
  ],
};

const fewHours = { hours: 2, tests: 3, milliseconds: 4 };

describe('the stored form of a month', () => {
  test.each([flawless, eventful, { ...flawless, name: 'new', responseTimes: fewHours }])(
    'gives back the record of $name',
    (record) => {
      const stored: unknown = JSON.parse(JSON.stringify(monthBody(record)));
      expect(readMonthBody(record.kind, record.id, stored)).toEqual(record);
    },
  );

  test('is short for an item that was up', () => {
    expect(JSON.stringify(monthBody(flawless))).toBe(
      '{"name":"shop","objective":0.999,"knownBy":"lists","seconds":{"up":2678400}}',
    );
  });

  test.each([
    null,
    [],
    {},
    { ...monthBody(flawless), objective: '0.999' },
    { ...monthBody(flawless), seconds: { up: -1 } },
    { ...monthBody(flawless), knownBy: 'guess' },
    { ...monthBody(flawless), outages: [{ toSeconds: 3 }] },
  ])('is refused if it is %j', (value) => {
    expect(() => readMonthBody('check', 7, value)).toThrow(CorruptRowError);
  });
});
