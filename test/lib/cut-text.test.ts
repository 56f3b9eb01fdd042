import { describe, expect, it } from 'vitest';
import { cutToBytes } from '../../src/lib/cut-text.ts';
import fc from '../support/fast-check.ts';

describe('cutToBytes', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['exactly ten', 10, 'exactly te'],
    ['ééé', 5, 'éé'],
    ['a😀b', 4, 'a'],
    ['a😀b', 5, 'a😀'],
    ['', 0, ''],
  ])('cuts %j to %d bytes: %j', (text, bytes, cut) => {
    expect(cutToBytes(text, bytes)).toBe(cut);
  });

  it('returns a beginning of the text, as long as possible, without half a character', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(texts, fc.nat(100), (text, bytes) => {
        const cut = cutToBytes(text, bytes);

        expect(text.startsWith(cut)).toBe(true);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes);
        expect(cut.isWellFormed()).toBe(true);
        const next = String.fromCodePoint(text.codePointAt(cut.length) ?? 0);
        if (cut !== text) expect(Buffer.byteLength(cut + next)).toBeGreaterThan(bytes);
      }),
    );
  });
});
