import { expect, test } from 'vitest';
import { formatInstant } from '../../../src/lib/instant.ts';
import { parseDateTime } from '../../../src/operations/transactions/report-period.ts';
import fc from '../../support/fast-check.ts';

const documented = 1_619_073_281;

test.each([
  '2021-04-22T06:34:41Z',
  '2021-04-22T06:34:41.999Z',
  '2021-04-22t06:34:41z',
  '2021-04-22T08:34:41+02:00',
  '2021-04-22T01:04:41.5-05:30',
])('reads %s', (text) => {
  expect(parseDateTime(text)).toBe(documented);
});

test.each([
  '',
  'yesterday',
  '1619073281',
  '2021-04-22',
  '2021-04-22T06:34Z',
  '2021-04-22T06:34:41',
  '2021-04-22T06:34:41 02:00',
  '2021-04-22T06:34:41+0200',
  '2021-04-22T06:34:41+24:00',
  '2021-04-31T06:34:41Z',
  '2021-13-22T06:34:41Z',
  '2021-04-22T24:00:00Z',
  '2021-04-22T06:60:41Z',
])('does not take "%s" for a date and time', (text) => {
  expect(parseDateTime(text)).toBeUndefined();
});

test('what is written is read back, whatever the offset', () => {
  const times = fc.integer({ min: 0, max: 4_102_444_800 });
  const offsets = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
  fc.assert(
    fc.property(times, offsets, (time, minutes) => {
      const sign = minutes < 0 ? '-' : '+';
      const digits = (value: number) => String(value).padStart(2, '0');
      const size = Math.abs(minutes);
      const offset = `${sign}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
      const local = formatInstant(time + 60 * minutes).replace('Z', offset);
      expect(parseDateTime(local)).toBe(time);
    }),
  );
});
