import { describe, expect, test } from 'vitest';
import { formatDecimal, formatMoment } from '../../../src/http/status-page/format.ts';

describe('words', () => {
  test('a moment is said in UTC, for people and for machines', () => {
    expect(formatMoment(1_767_614_400).toString()).toBe(
      '<time datetime="2026-01-05 12:00:00Z">2026-01-05 12:00:00 UTC</time>',
    );
  });

  test('thousands are grouped', () => {
    expect(formatDecimal(72_000)).toBe('72,000');
    expect(formatDecimal(99.96)).toBe('100');
  });
});
