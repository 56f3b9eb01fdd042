import { describe, expect, test } from 'vitest';
import { momentWords, numberWords } from '../../../src/http/status-page/words.ts';

describe('words', () => {
  test('a moment is said in UTC, for people and for machines', () => {
    expect(momentWords(1_767_614_400).toString()).toBe(
      '<time datetime="2026-01-05 12:00:00Z">2026-01-05 12:00:00 UTC</time>',
    );
  });

  test('thousands are grouped', () => {
    expect(numberWords(72_000)).toBe('72,000');
    expect(numberWords(99.96)).toBe('100');
  });
});
