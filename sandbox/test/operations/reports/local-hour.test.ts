import { expect, test } from 'vitest';
import { hourOfDay } from '../../../src/operations/reports/averages.ts';

const at = (text: string) => Date.parse(text) / 1000;

test('hours are those of UTC by default', () => {
  const hour = hourOfDay();

  expect(hour(at('2026-07-01T00:00:00Z'))).toBe(0);
  expect(hour(at('2026-07-01T23:59:59Z'))).toBe(23);
});

test('hours of a zone follow its summer time', () => {
  const hour = hourOfDay('Europe/Stockholm');

  expect(hour(at('2026-01-05T22:59:59Z'))).toBe(23);
  expect(hour(at('2026-01-05T23:00:00Z'))).toBe(0);
  expect(hour(at('2026-07-01T10:00:00Z'))).toBe(12);
  expect(hour(at('2026-03-29T00:59:59Z'))).toBe(1);
  expect(hour(at('2026-03-29T01:00:00Z'))).toBe(3);
});
