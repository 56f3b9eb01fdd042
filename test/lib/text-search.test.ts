import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextSearch } from '../../src/lib/text-search.ts';

/** Of few letters, so that texts occur, overlap and almost occur. */
const text = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'é', '"'), minLength, maxLength });

test('says of any texts whether one of them occurs', () => {
  fc.assert(
    fc.property(fc.array(text(0, 7), { maxLength: 5 }), text(0, 60), (texts, body) => {
      const bytes = Buffer.from(body);

      expect(new TextSearch(texts).occursIn(bytes)).toBe(
        texts.some((candidate) => bytes.includes(candidate)),
      );
    }),
    { numRuns: 2000 },
  );
});

test('finds a text at every place of a long body', () => {
  const search = new TextSearch(['secret-of-the-account', 'c2VjcmV0LW', '%73%65']);
  for (let place = 0; place < 80; place++) {
    const body = Buffer.from(`${'x'.repeat(place)}%73%65${'y'.repeat(80 - place)}`);
    expect(search.occursIn(body)).toBe(true);
    expect(search.occursIn(body.subarray(0, place + 5))).toBe(false);
  }
});
