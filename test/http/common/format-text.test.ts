import { describe, expect, test } from 'vitest';
import { displayText } from '../../../src/http/common/format.tsx';
import fc from '../../support/fast-check.ts';

describe('text from the service', () => {
  test.each([
    [
      'ordinary names stay as they are',
      'Shop (EU) – ünïcode 🛒 שלום',
      'Shop (EU) – ünïcode 🛒 שלום',
    ],
    ['an override of direction is shown, not obeyed', 'a\u202ebc', 'a\ufffdbc'],
    ['an isolate cannot be closed from inside', 'a\u2069b', 'a\ufffdb'],
    ['lines are not broken', 'a\nb\r\u2028c', 'a\ufffdb\ufffd\ufffdc'],
    ['controls are shown', 'a\u0000\u001b[31m', 'a\ufffd\ufffd[31m'],
    ['half a surrogate pair is shown', 'a\ud83d', 'a\ufffd'],
  ])('%s', (_name, text, shown) => {
    expect(displayText(text)).toBe(shown);
  });

  test('200 characters are shown, and a sign that there are more', () => {
    expect(displayText('x'.repeat(200))).toBe('x'.repeat(200));
    expect(displayText('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
    expect(displayText('x'.repeat(1_000_000))).toBe(`${'x'.repeat(200)}…`);
  });

  test('a pair that the cut would split is not left in half', () => {
    expect(displayText(`${'x'.repeat(199)}😀y`)).toBe(`${'x'.repeat(199)}\ufffd…`);
  });

  test('is well-formed and bounded, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const shown = displayText(text);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown.length).toBeLessThanOrEqual(201);
      }),
    );
  });
});
