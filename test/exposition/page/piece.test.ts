import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Inflater } from '../../../src/exposition/exposition.ts';
import { type Block, makeBlock } from '../../../src/exposition/page/block.ts';
import { Piece, PieceJoiner, piecesOf, replaceBlocks } from '../../../src/exposition/page/piece.ts';

/** A block of a quarter of a mebibyte. */
function quarter(letter: string) {
  return makeBlock(`${letter.repeat(2 ** 18 - 1)}\n`, 1);
}

function plain(pieces: readonly { readonly gzip: Uint8Array }[]): string {
  return pieces.map(({ gzip }) => gunzipSync(gzip).toString()).join('');
}

const units = (blocks: readonly Block[]) => blocks.map((block) => [block]);

const letters = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('replaceBlocks', () => {
  it('puts blocks where the previous ones are, and shares the other pieces', () => {
    const blocks = letters.map(quarter);
    const [d, x] = [blocks[3] ?? quarter('d'), quarter('x')];
    const before = piecesOf(units(blocks));

    const after = replaceBlocks(before, new Map([[d, x]]));

    expect(after.map((piece, place) => piece === before[place])).toEqual([true, false, true]);
    expect(plain(after)).toBe(plain(blocks.with(3, x)));
  });
});

describe('piecesOf', () => {
  it('has pieces of half a mebibyte, which make up the whole', () => {
    const blocks = letters.slice(1).map(quarter);

    const pieces = piecesOf(units(blocks));

    expect(pieces.map(({ length }) => length)).toEqual([2 ** 19, 2 ** 19, 2 ** 18]);
    expect(pieces.map(({ series }) => series)).toEqual([2, 2, 1]);
    expect(plain(pieces)).toBe(blocks.map((block) => plain([block])).join(''));
    for (const { gzip, gzipLength } of pieces) expect(gzip).toHaveLength(gzipLength);
  });

  it('shares the pieces in which no block changed', () => {
    const blocks = letters.map(quarter);
    const before = piecesOf(units(blocks));

    const after = piecesOf(units(blocks.with(3, quarter('x'))), before);

    expect(after.map((piece, place) => piece === before[place])).toEqual([true, false, true]);
    expect(plain(after.slice(1, 2))).toBe(plain([quarter('c'), quarter('x')]));
  });

  it('shares the pieces behind a unit that is cut into other blocks', () => {
    const whole = letters.map(quarter);
    const before = piecesOf(units(whole));
    const halves = ['b', 'b'].map((letter, at) =>
      makeBlock(`${letter.repeat(2 ** 17 - at)}${at === 0 ? '' : '\n'}`, 1),
    );

    const after = piecesOf(units(whole).with(1, halves), before);

    expect(after.map((piece, place) => piece === before[place])).toEqual([false, true, true]);
    expect(plain(after)).toBe(plain(whole));
  });

  it('has none of nothing', () => {
    expect(piecesOf([])).toEqual([]);
  });
});

describe('PieceJoiner', () => {
  const small = letters.map((letter) => new Piece([makeBlock(`${letter}\n`, 1)]));

  it('joins small pieces, in their order, and leaves large ones alone', () => {
    const large = new Piece([quarter('x'), quarter('y')]);

    const joined = new PieceJoiner(2).join('all', [large, ...small]);

    expect(joined.pieces[0]).toBe(large);
    expect(plain(joined.pieces.slice(1))).toBe('a\nb\nc\nd\ne\nf\n');
    expect(joined).toMatchObject({ length: 2 ** 19 + 12, pieces: { length: 2 } });
    expect(joined.gzipLength).toBe(Buffer.concat(joined.pieces.map(({ gzip }) => gzip)).length);
  });

  it('knows what it has joined before of the same part of the page', () => {
    const joiner = new PieceJoiner(2);
    const quarters = ['p', 'q', 'r', 's'].map((letter) => new Piece([quarter(letter)]));
    const before = joiner.join('all', [...quarters, ...small]);
    joiner.join('some', small);

    const after = joiner.join('all', [...quarters, ...small.slice(1)]);

    const same = after.pieces.map((piece, place) => piece === before.pieces[place]);
    expect(same).toEqual([true, true, false]);
    expect(plain(after.pieces.slice(2))).toBe('b\nc\nd\ne\nf\n');
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
