import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readCapped, TooLargeError } from '../../src/lib/read-capped.ts';
import fc from '../support/fast-check.ts';

const chunksOf = (bytes: Uint8Array, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      Buffer.from(bytes.subarray(index * size, (index + 1) * size)),
    ),
  );

describe('readCapped', () => {
  test('gives back what was sent, however it is cut, compressed or not', async () => {
    const sent = fc.uint8Array({ maxLength: 2000 });
    await fc.assert(
      fc.asyncProperty(
        sent,
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        async (data, size, gzip) => {
          const wire = gzip ? gzipSync(data) : Buffer.from(data);
          let received = 0;

          const body = await readCapped(chunksOf(wire, size), {
            gzip,
            maxBytes: 2000,
            onChunk: (bytes) => {
              received += bytes;
            },
          });

          expect(body.equals(data)).toBe(true);
          expect(received).toBe(wire.length);
        },
      ),
    );
  });

  test.each([true, false])('takes the limit and not a byte more (gzip: %s)', async (gzip) => {
    const read = async (size: number) => {
      const data = Buffer.alloc(size, 'a');
      const wire = gzip ? gzipSync(data) : data;
      return readCapped(chunksOf(wire, 7), { gzip, maxBytes: 1000, onChunk: () => {} });
    };

    expect(await read(1000)).toHaveLength(1000);
    await expect(read(1001)).rejects.toBeInstanceOf(TooLargeError);
  });

  test('destroys a source that sends too much', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(100);
      })(),
    );
    const reading = readCapped(endless, { gzip: false, maxBytes: 1000, onChunk: () => {} });
    await expect(reading).rejects.toBeInstanceOf(TooLargeError);
    expect(endless.destroyed).toBe(true);
  });

  test('fails with the error of its source', async () => {
    const error = new Error('broken');
    const source = new Readable({
      read() {
        this.destroy(error);
      },
    });
    const reading = readCapped(source, { gzip: true, maxBytes: 1000, onChunk: () => {} });
    await expect(reading).rejects.toBe(error);
  });
});
