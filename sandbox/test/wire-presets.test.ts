import { describe, expect, test } from 'vitest';
import {
  documentedWire,
  drawWire,
  freedoms,
  parseWire,
  recordedWire,
  wireText,
  wireWith,
} from '../src/wire.ts';

const seeds = Array.from({ length: 300 }, (_, seed) => seed);

describe('a drawn wire', () => {
  test('is the same for the same seed', () => {
    expect(seeds.map(drawWire)).toEqual(seeds.map(drawWire));
    expect(parseWire('seed:42')).toEqual(drawWire(42));
  });

  test('has each value of each freedom for some seed', () => {
    for (const [name, { drawn }] of Object.entries(freedoms)) {
      const values = new Set(
        seeds.map((seed) => JSON.stringify(drawWire(seed)[name as 'unmeasured'])),
      );
      expect(values, name).toEqual(new Set(drawn.map((value) => JSON.stringify(value))));
    }
  });

  test('can be written as text and read again', () => {
    for (const seed of seeds) expect(parseWire(wireText(drawWire(seed)))).toEqual(drawWire(seed));
  });
});

test('a preset can be followed by single values', () => {
  expect(parseWire('recorded')).toEqual(recordedWire);
  expect(parseWire('documented,unmeasured=zero,reportLagSeconds=60-600')).toEqual({
    ...documentedWire,
    unmeasured: 'zero',
    reportLagSeconds: { min: 60, max: 600 },
  });
  expect(wireText(recordedWire)).toBe('recorded');
});

test.each([
  ['kind', /must begin with recorded, documented, or a seed/],
  ['seed:', /must begin with/],
  ['recorded,reportsEnds=now', /there is no freedom reportsEnds; there are reportsEnd, /],
  ['recorded,reportsEnd=later', /reportsEnd must be one of last-test, before-now, now, not later/],
  ['recorded,reportLagSeconds=9-3', /reportLagSeconds must be a number of seconds, such as 600/],
  ['recorded,listLagSeconds=90000', /listLagSeconds must be/],
  ['recorded,lateResultSeconds=0.5', /lateResultSeconds must be a whole number from 0 to 86400/],
  ['recorded,missedOutages=1', /missedOutages must be a number from 0 to below 1/],
  ['recorded,timeZone=Mars', /timeZone must be a zone of the time zone database/],
])('the wire %s is refused with what there is', (text, reason) => {
  expect(() => parseWire(text)).toThrow(reason);
});

test('a value out of its range is refused', () => {
  expect(() => wireWith({ lateStatusSeconds: -1 })).toThrow(RangeError);
  expect(() => wireWith({ lateTestSeconds: 26 })).toThrow('0 to 25');
  expect(() => wireWith({ reportLagSeconds: { min: 2, max: 1 } })).toThrow(RangeError);
});
