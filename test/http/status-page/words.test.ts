import { describe, expect, test } from 'vitest';
import { durationWords, momentWords, numberWords } from '../../../src/http/status-page/words.ts';

describe('words', () => {
  test.each([
    [0, '0 s'],
    [0.9, '0 s'],
    [-5, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [61, '1 min 1 s'],
    [3_600, '1 h'],
    [3_661, '1 h 1 min'],
    [3_601, '1 h'],
    [86_399, '23 h 59 min'],
    [90_000, '1 d 1 h'],
    [2_592_000, '30 d'],
  ])('%d seconds are %j', (seconds, words) => {
    expect(durationWords(seconds)).toBe(words);
  });

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
