import { execFileSync } from 'node:child_process';
import { crc32, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  type Deflated,
  Deflater,
  gzipMember,
  inflate,
  joinedChecksum,
  memberEnd,
} from '../../src/lib/gzip-member.ts';
import fc from '../support/fast-check.ts';

const deflater = new Deflater();
const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 5_000 }), { maxLength: 8 });

function memberOf(parts: readonly Deflated[]): Buffer {
  const bytes = parts.map((part) => part.bytes);
  return Buffer.concat(gzipMember(bytes, parts));
}

describe('a gzip member of parts', () => {
  it('is what gunzip reads as the joined text', () => {
    fc.assert(
      fc.property(texts, (all) => {
        const parts = all.map((text) => deflater.deflate(text));

        expect(gunzipSync(memberOf(parts)).toString()).toBe(all.join(''));
      }),
    );
  });

  it('has the checksum that zlib computes of the joined text', () => {
    fc.assert(
      fc.property(texts, (all) => {
        const plain = Buffer.from(all.join(''));
        const parts = all.map((text) => deflater.deflate(text));

        const { crc, length, shift } = joinedChecksum(parts);

        expect([crc >>> 0, length]).toEqual([crc32(plain), plain.length]);
        expect(shift).toBe(deflater.deflate(all.join('')).shift);
      }),
    );
  });

  it('has the checksum of parts that are joined before', () => {
    const parts = ['one', '', 'two'.repeat(10_000), 'three'].map((text) => deflater.deflate(text));

    const [first, ...others] = parts;

    expect(joinedChecksum([joinedChecksum(first ? [first] : []), joinedChecksum(others)])).toEqual(
      joinedChecksum(parts),
    );
  });

  it('passes the test of gzip, also when it is empty', () => {
    for (const all of [[], [''], ['a 1\n', 'b 2\n']]) {
      const member = memberOf(all.map((text) => deflater.deflate(text)));

      expect(execFileSync('gzip', ['-dc'], { input: member }).toString()).toBe(all.join(''));
    }
  });

  it('has the length modulo 2^32', () => {
    const end = Buffer.from(memberEnd({ length: 2 ** 32 + 5, crc: -1, shift: 0 }));

    expect(end.readUInt32LE(6)).toBe(5);
    expect(end.readUInt32LE(2)).toBe(2 ** 32 - 1);
  });
});

describe('Deflater', () => {
  it('keeps no more memory than the compressed text takes', () => {
    const { bytes } = deflater.deflate('a 1\n'.repeat(10_000));

    expect(bytes.buffer.byteLength).toBe(bytes.length);
  });

  it('inflates parts that are joined', () => {
    const parts = ['a 1\n', 'b 2\n'].map((text) => deflater.deflate(text));

    const bytes = Buffer.concat(parts.map((part) => part.bytes));

    expect(inflate({ bytes, length: 8 }).toString()).toBe('a 1\nb 2\n');
  });
});
