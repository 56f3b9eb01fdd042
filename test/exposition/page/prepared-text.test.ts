import { describe, expect, it } from 'vitest';
import { FamilyText } from '../../../src/exposition/page/family-text.ts';
import { PreparedText } from '../../../src/exposition/page/prepared-text.ts';
import { Deflater, inflate } from '../../../src/lib/gzip-member.ts';

const deflater = new Deflater();
const mebibyte = 2 ** 20;

function aBlock(text: string) {
  return { ...deflater.deflate(text), series: 1 };
}

/** A text that hardly compresses. */
function noise(length: number, seed = 1): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 0x7fffffff;
    return String.fromCharCode(33 + (state % 90));
  }).join('');
}

function plainOf(chunks: PreparedText['plain']): string {
  return chunks.map((chunk) => inflate(chunk).toString()).join('');
}

describe('FamilyText', () => {
  const letters = ['a\n', 'b\n', 'c\n'];
  const blocks = new Map(letters.map((text, range) => [range, aBlock(text)]));
  const text = FamilyText.empty.with(blocks, 3);

  it('has other blocks at the changed ranges only, and leaves the text before as it was', () => {
    const after = text.with(new Map([[1, aBlock('x\ny\n')]]), 3);

    expect(inflate(after).toString()).toBe('a\nx\ny\nc\n');
    expect(inflate(text).toString()).toBe('a\nb\nc\n');
    expect([after.length, after.crc]).toEqual([8, aBlock('a\nx\ny\nc\n').crc]);
  });

  it('may have ranges without samples, and more or fewer ranges than before', () => {
    const holed = text.with(new Map([[1, undefined]]), 3);

    expect(inflate(holed).toString()).toBe('a\nc\n');
    expect(holed.series).toBe(2);
    expect(inflate(holed.with(new Map([[4, aBlock('e\n')]]), 5)).toString()).toBe('a\nc\ne\n');
    expect(inflate(holed.with(new Map(), 2)).toString()).toBe('a\n');
  });

  it('holds no more memory than its bytes', () => {
    expect(text.bytes.buffer.byteLength).toBe(text.bytes.length);
  });
});

describe('PreparedText', () => {
  const large = FamilyText.of(aBlock(noise(200_000)));
  const small = Array.from({ length: 40 }, (_, at) => FamilyText.of(aBlock(noise(5_000, at + 2))));

  it('writes large texts as they are, and joins small ones', () => {
    const { gzip } = new PreparedText([...small, large, ...small]);

    expect(gzip.filter(({ bytes }) => bytes === large.bytes)).toHaveLength(1);
    expect(gzip.length).toBeLessThan(10);
    expect(plainOf(gzip)).toBe(plainOf([...small, large, ...small]));
  });

  it('joins nothing anew for the next scrape', () => {
    const prepared = new PreparedText(small);

    expect(prepared.gzip).toBe(prepared.gzip);
    expect(prepared.plain).toBe(prepared.plain);
  });

  it('inflates a large text in parts of about half a mebibyte', () => {
    const blocks = Array.from(
      { length: 16 },
      (_, range) => [range, aBlock('a 1\n'.repeat(2 ** 16))] as const,
    );
    const text = FamilyText.empty.with(new Map(blocks), 16);

    const { plain } = new PreparedText([...small, text]);

    expect(text.length).toBe(4 * mebibyte);
    expect(plain.map(({ length }) => length)).toEqual([200_000, ...Array(8).fill(mebibyte / 2)]);
    expect(plainOf(plain)).toBe(plainOf([...small, text]));
  });

  it('of nothing is empty', () => {
    const nothing = new PreparedText([]);

    expect([nothing.length, nothing.size, nothing.gzip, nothing.plain]).toEqual([0, 0, [], []]);
  });
});
