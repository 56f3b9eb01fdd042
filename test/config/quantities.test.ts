import { expect, test } from 'vitest';
import { formatDuration, parseDuration } from '../../src/config/fields.ts';
import fc from '../support/fast-check.ts';

test.each([
  ['10m', 600],
  ['1h30m', 5_400],
  ['7d', 604_800],
  ['90s', 90],
  ['500ms', 0.5],
  ['0s', 0],
])('%s is %d seconds', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

test.each(['', '10', 'm', '1.5h', '-1m', '10 m', '1m1h', '10min', '1h ', '1M'])(
  '%j is no duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

test('a duration that was written reads back as the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e10 }), (milliseconds) => {
      expect(parseDuration(formatDuration(milliseconds / 1000))).toBe(milliseconds / 1000);
    }),
  );
});
