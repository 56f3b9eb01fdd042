import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Inflater } from '../../../src/exposition/exposition.ts';
import { joinBlocks, makeBlock } from '../../../src/exposition/page/block.ts';

/** A block of a quarter of a mebibyte. */
function quarter(letter: string) {
  return makeBlock(`${letter.repeat(2 ** 18 - 1)}\n`, 1);
}

const letters = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('joinBlocks', () => {
  it('joins blocks in their order', () => {
    const blocks = letters.map(quarter);

    const joined = joinBlocks(blocks);

    const text = blocks.map(({ gzip }) => gunzipSync(gzip).toString()).join('');
    expect(gunzipSync(joined.gzip).toString()).toBe(text);
    expect(joined.length).toBe(text.length);
  });

  it('has pieces of half a mebibyte, which make up the whole', () => {
    const { pieces, gzip } = joinBlocks(letters.slice(1).map(quarter));

    expect(pieces.map(({ length }) => length)).toEqual([2 ** 19, 2 ** 19, 2 ** 18]);
    expect(Buffer.concat(pieces.map((piece) => piece.gzip))).toEqual(Buffer.from(gzip));
  });

  it('has nothing to join of nothing', () => {
    expect(joinBlocks([])).toEqual({ length: 0, gzip: new Uint8Array(), pieces: [] });
  });
});

describe('Inflater', () => {
  it('inflates a piece once for those who read it at about the same time', async () => {
    const inflater = new Inflater();
    const piece = quarter('z');

    const [plain, again] = await Promise.all([inflater.plainOf(piece), inflater.plainOf(piece)]);

    expect(again).toBe(plain);
    expect(Buffer.from(plain)).toEqual(gunzipSync(piece.gzip));
  });

  it('keeps a few pieces only', async () => {
    const inflater = new Inflater();
    const piece = quarter('a');
    const first = await inflater.plainOf(piece);

    for (let others = 0; others < 16; others++) await inflater.plainOf(quarter('b'));

    expect(await inflater.plainOf(piece)).not.toBe(first);
  });

  it('gives the event loop a turn before each piece, however many are asked for', async () => {
    const inflater = new Inflater();
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);

    const turnsAt = await Promise.all(
      letters.map(async (letter) => {
        await inflater.plainOf(quarter(letter));
        return turns;
      }),
    );
    clearImmediate(counting);

    expect(new Set(turnsAt).size).toBe(letters.length);
  });
});
