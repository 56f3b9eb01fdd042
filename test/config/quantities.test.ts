import { expect, test } from 'vitest';
import {
  byteSizeField,
  durationField,
  formatDuration,
  parseDuration,
} from '../../src/config/fields.ts';
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

test.each([
  ['1023KiB', undefined],
  ['1MiB', 2 ** 20],
  ['64MiB', 2 ** 26],
  ['65537KiB', undefined],
])('of the sizes from 1MiB to 64MiB, %s is read as %s', (text, bytes) => {
  const sizes = byteSizeField({ description: 'sizes', min: '1MiB', max: '64MiB' });
  expect(sizes.safeParse(text).data).toBe(bytes);
});

test.each([
  ['999ms', undefined],
  ['1s', 1],
  ['1m', 60],
  ['61s', undefined],
])('of the durations from 1s to 1m, %s is read as %s', (text, seconds) => {
  const durations = durationField({ description: 'durations', min: 1, max: 60 });
  expect(durations.safeParse(text).data).toBe(seconds);
});
