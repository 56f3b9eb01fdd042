import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lastDays, zonedTimes } from '../../src/lib/zoned-times.ts';

const at = (text: string) => Date.parse(text) / 1000;

describe('times of a zone', () => {
  test.each([
    ['UTC', '2026-10-25T00:30:00Z', '2026-10-25 00:30 UTC'],
    ['Europe/Berlin', '2026-10-25T02:30:00+02:00', '2026-10-25 02:30 UTC+2'],
    ['America/New_York', '2026-10-24T20:30:00-04:00', '2026-10-24 20:30 UTC-4'],
    ['America/St_Johns', '2026-10-24T22:00:00-02:30', '2026-10-24 22:00 UTC-2:30'],
    ['Asia/Kolkata', '2026-10-25T06:00:00+05:30', '2026-10-25 06:00 UTC+5:30'],
    ['Africa/Abidjan', '2026-10-25T00:30:00+00:00', '2026-10-25 00:30 UTC'],
  ])('are written with their distance from UTC in %s', (zone, iso, text) => {
    const times = zonedTimes(zone);
    const seconds = at('2026-10-25T00:30Z');
    expect(times.iso(seconds)).toBe(iso);
    expect(times.text(seconds)).toBe(text);
    expect(times.text(seconds + 7, 'second')).toBe(text.replace(' UTC', ':07 UTC'));
    expect(times.day(seconds)).toBe(iso.slice(0, 10));
  });

  test('tell the two hours of a changed clock apart', () => {
    const { text } = zonedTimes('Europe/Berlin');
    const [first, second] = [at('2026-10-25T00:30Z'), at('2026-10-25T01:30Z')];
    expect([text(first), text(second), text(first)]).toEqual([
      '2026-10-25 02:30 UTC+2',
      '2026-10-25 02:30 UTC+1',
      '2026-10-25 02:30 UTC+2',
    ]);
  });

  test('are those of the time zone database, in any order', () => {
    const zones = ['Australia/Lord_Howe', 'America/Havana', 'Africa/Casablanca', 'Asia/Kathmandu'];
    const moments = fc.array(
      fc.integer({ min: at('2020-01-01T00:00Z'), max: at('2030-01-01T00:00Z') }),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...zones), moments, (zone, all) => {
        const times = zonedTimes(zone);
        const format = new Intl.DateTimeFormat('sv-SE', {
          ...{ timeZone: zone, dateStyle: 'short', timeStyle: 'medium' },
        });
        for (const seconds of all) {
          const iso = times.iso(seconds);
          expect(Date.parse(iso) / 1000).toBe(seconds);
          expect(iso.slice(0, 19).replace('T', ' ')).toBe(format.format(seconds * 1000));
        }
      }),
    );
  });
});

describe('the last days', () => {
  test.each([
    ['UTC', '2026-03-01T00:00Z', ['2026-02-28T00:00Z', '2026-03-01T00:00Z']],
    ['Europe/Berlin', '2026-10-25T20:00Z', ['2026-10-23T22:00Z', '2026-10-24T22:00Z']],
    // Havana's clock goes from midnight to one o'clock.
    ['America/Havana', '2026-03-08T12:00Z', ['2026-03-07T05:00Z', '2026-03-08T05:00Z']],
  ])('begin at the first second of their date in %s', (zone, now, begins) => {
    expect(lastDays(zonedTimes(zone), 2, at(now) + 0.5)).toEqual(begins.map(at));
  });
});
