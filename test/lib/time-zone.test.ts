import { expect, test } from 'vitest';
import { isTimeZone, timeZonePattern } from '../../src/lib/time-zone.ts';

const pattern = new RegExp(timeZonePattern);

test('the pattern matches all time zones of Node.js, and their older names', () => {
  const older = ['UTC', 'GMT', 'Japan', 'US/Eastern', 'Etc/GMT+5', 'GMT+0', 'Asia/Calcutta', 'EST'];
  for (const name of [...Intl.supportedValuesOf('timeZone'), ...older]) {
    expect(isTimeZone(name), name).toBe(true);
    expect(name).toMatch(pattern);
  }
});

test.each(['Mars', 'Berlin', 'Europe', 'Europe/', '', 'UTC+2'])(
  'the pattern rejects "%s"',
  (name) => {
    expect(isTimeZone(name)).toBe(false);
    expect(name).not.toMatch(pattern);
  },
);
