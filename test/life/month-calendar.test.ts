import { describe, expect, test } from 'vitest';
import { beginOf, monthsBetween } from './month-calendar.ts';

const at = (text: string) => Date.parse(text) / 1000;

describe('a month begins at its first local midnight', () => {
  // Looked up in the data of time zones.
  test.each([
    ['2026-11', 'UTC', '2026-11-01T00:00Z'],
    ['2026-11', 'Europe/Berlin', '2026-10-31T23:00Z'],
    ['2026-11', 'America/Havana', '2026-11-01T04:00Z'],
    ['2026-12', 'America/Havana', '2026-12-01T05:00Z'],
    ['2026-10', 'Australia/Lord_Howe', '2026-09-30T13:30Z'],
    ['2026-11', 'Australia/Lord_Howe', '2026-10-31T13:00Z'],
    ['2026-11', 'America/St_Johns', '2026-11-01T02:30Z'],
    ['2026-03', 'Africa/Casablanca', '2026-03-01T00:00Z'],
    ['2026-04', 'Africa/Casablanca', '2026-03-31T23:00Z'],
  ])('%s in %s', (name, zone, begin) => {
    expect(beginOf(name, zone)).toBe(at(begin));
  });

  test('after a change of the zone, the next month begins where the last one ends', () => {
    const zones = [
      { since: 0, zone: 'America/Havana' },
      { since: at('2026-10-15T00:00Z'), zone: 'Europe/Berlin' },
    ];
    const months = monthsBetween(at('2026-10-10T00:00Z'), at('2026-12-10T00:00Z'), zones);
    expect(months).toEqual([
      { name: '2026-10', from: at('2026-10-01T04:00Z'), to: at('2026-11-01T04:00Z') },
      { name: '2026-11', from: at('2026-11-01T04:00Z'), to: at('2026-11-30T23:00Z') },
      { name: '2026-12', from: at('2026-11-30T23:00Z'), to: at('2026-12-31T23:00Z') },
    ]);
  });
});
