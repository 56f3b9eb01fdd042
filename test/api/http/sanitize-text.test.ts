import { describe, expect, test } from 'vitest';
import { sanitizeText } from '../../../src/api/http/redaction.ts';
import { Scrubber, Secret } from '../../../src/lib/secret.ts';
import fc from '../../support/fast-check.ts';

const none = new Scrubber();

describe('foreignText', () => {
  test('keeps ordinary words', () => {
    expect(sanitizeText('Request limit exceeded, try again later', none)).toBe(
      'Request limit exceeded, try again later',
    );
  });

  test('puts text on one line, without terminal or direction controls', () => {
    expect(sanitizeText('a\r\nb\tc\u001b[31md\u202ee\u2028f', none)).toBe('a b c [31md e f');
  });

  test('shortens to 200 characters without cutting one in two', () => {
    expect(sanitizeText('😀'.repeat(300), none)).toBe(`${'😀'.repeat(199)}…`);
    expect(sanitizeText('x'.repeat(200), none)).toBe('x'.repeat(200));
  });

  test('leaves no part of a secret that the limit would cut in two', () => {
    const scrubber = new Scrubber([new Secret('0123456789')]);
    expect(sanitizeText(`${'x'.repeat(195)}0123456789`, scrubber)).not.toMatch(/[0-9]/);
  });

  test('is short, well-formed and on one line, whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const clean = sanitizeText(text, none);
        expect([...clean].length).toBeLessThanOrEqual(200);
        expect(clean.isWellFormed()).toBe(true);
        expect(clean).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});
