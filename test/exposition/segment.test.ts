import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeBlock } from '../../src/exposition/block.ts';
import { Inflater } from '../../src/exposition/inflater.ts';
import { joinBlocks } from '../../src/exposition/segment.ts';

/** A block of about a quarter of a mebibyte. */
function quarter(letter: string) {
  return makeBlock(`${letter.repeat(2 ** 18 - 1)}\n`, 1);
}

const letters = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('joinBlocks', () => {
  it('joins neighbours up to a mebibyte, in order', () => {
    const blocks = letters.map(quarter);

    const segments = joinBlocks(blocks);

    expect(segments.map(({ series }) => series)).toEqual([4, 2]);
    const text = segments.map(({ gzip }) => gunzipSync(gzip).toString()).join('');
    expect(text).toBe(blocks.map(({ gzip }) => gunzipSync(gzip).toString()).join(''));
    expect(segments.reduce((sum, { length }) => sum + length, 0)).toBe(text.length);
  });

  it('shares the former segments whose blocks are the same', () => {
    const blocks = letters.map(quarter);
    const former = joinBlocks(blocks);

    const segments = joinBlocks([...blocks.slice(0, 5), quarter('x')], former);

    expect(segments[0]).toBe(former[0]);
    expect(segments[1]).not.toBe(former[1]);
  });

  it('has nothing to join of nothing', () => {
    expect(joinBlocks([])).toEqual([]);
  });
});

describe('Inflater', () => {
  it('inflates a block once for those who read it at the same time', async () => {
    const inflater = new Inflater();
    const [block = quarter('z')] = joinBlocks(letters.map(quarter));

    const [one, other] = await Promise.all([inflater.plainOf(block), inflater.plainOf(block)]);

    expect(one).toBe(other);
    expect(Buffer.from(one)).toEqual(gunzipSync(block.gzip));
  });

  it('keeps a few blocks only', async () => {
    const inflater = new Inflater();
    const block = quarter('a');
    const first = await inflater.plainOf(block);

    for (const letter of [...letters, 'g', 'h']) await inflater.plainOf(quarter(letter));

    expect(await inflater.plainOf(block)).not.toBe(first);
  });
});
