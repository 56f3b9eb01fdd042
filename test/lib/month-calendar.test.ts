import { describe, expect, test } from 'vitest';
import { MonthCalendar } from '../../src/lib/month-calendar.ts';
import { isTimeZone } from '../../src/lib/time-zone.ts';

const hour = 3_600;

/** The local time as `2026-10-01 00:00:00`. */
function localTime(atSeconds: number, timeZone: string): string {
  return new Date(atSeconds * 1000).toLocaleString('sv-SE', { timeZone });
}

describe('the months of a time zone', () => {
  test.each([
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
  ])('begin at midnight of the first day in %s, and follow each other', (zone) => {
    const calendar = new MonthCalendar(zone);
    let month = calendar.containing(Date.UTC(2024, 5, 15) / 1000);
    for (let count = 0; count < 40; count++) {
      expect(localTime(month.fromSeconds, zone)).toBe(`${month.name}-01 00:00:00`);
      expect(localTime(month.toSeconds - 1, zone)).toMatch(
        new RegExp(`^${month.name}-.* 23:59:59`),
      );
      expect(calendar.containing(month.fromSeconds)).toBe(month);
      expect(calendar.containing(month.toSeconds - 1)).toBe(month);
      const next = calendar.later(month, 1);
      expect(next.fromSeconds).toBe(month.toSeconds);
      expect(calendar.later(next, -1)).toBe(month);
      month = next;
    }
  });

  test('have an hour more or less when summer time ends or begins', () => {
    const berlin = new MonthCalendar('Europe/Berlin');
    const hoursOf = (name: string) => {
      const { fromSeconds = 0, toSeconds = 0 } = berlin.named(name) ?? {};
      return (toSeconds - fromSeconds) / hour;
    };
    expect([hoursOf('2026-10'), hoursOf('2027-03'), hoursOf('2026-11')]).toEqual([745, 743, 720]);
  });

  test('begin with their first second where summer time skips midnight', () => {
    // In Amman, the clocks of 1 April 2011 went from 23:59:59 to 01:00:00.
    const amman = new MonthCalendar('Asia/Amman').named('2011-04');
    expect(localTime(amman?.fromSeconds ?? 0, 'Asia/Amman')).toBe('2011-04-01 01:00:00');
  });

  test('are found by their names, and other names are none', () => {
    const calendar = new MonthCalendar('UTC');
    expect(calendar.named('2026-02')).toEqual({
      name: '2026-02',
      zone: 'UTC',
      fromSeconds: Date.parse('2026-02-01T00:00:00Z') / 1000,
      toSeconds: Date.parse('2026-03-01T00:00:00Z') / 1000,
    });
    for (const name of ['2026-13', '2026-00', '2026-1', 'October', '', '2026-10-01']) {
      expect(calendar.named(name)).toBeUndefined();
    }
  });

  test.each([
    ['UTC', '2026-10', 31],
    ['Europe/Berlin', '2026-10', 31],
    ['America/New_York', '2027-03', 31],
    ['Australia/Lord_Howe', '2026-10', 31],
    ['America/Havana', '2027-03', 31],
    ['Asia/Beirut', '2026-03', 31],
    ['Pacific/Apia', '2011-12', 30],
  ])('in %s, %s has days that begin where the date changes', (zone, name, count) => {
    const calendar = new MonthCalendar(zone);
    const month = calendar.named(name) ?? calendar.containing(0);
    const format = new Intl.DateTimeFormat('en', { timeZone: zone, dateStyle: 'short' });
    const wanted: number[] = [];
    for (let at = month.fromSeconds; at < month.toSeconds; at += 900) {
      const isNew = format.format(1000 * at) !== format.format(1000 * (at - 900));
      if (isNew) wanted.push(at);
    }
    expect(calendar.dayBegins(month)).toEqual(wanted);
    expect(wanted).toHaveLength(count);
  });

  test('need a known time zone', () => {
    expect(['UTC', 'Europe/Berlin', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([
      ...[true, true, false, false],
    ]);
    expect(() => new MonthCalendar('Mars/Olympus')).toThrow(RangeError);
  });
});
