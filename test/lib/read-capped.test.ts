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
        fc.boolean(),
        async (data, size, gzip, isAnnounced) => {
          const wire = gzip ? gzipSync(data) : Buffer.from(data);
          let received = 0;

          const body = await readCapped(chunksOf(wire, size), {
            gzip,
            maxBytes: 2000,
            announcedBytes: isAnnounced ? wire.length : undefined,
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

  test.each([
    { gzip: true, isAnnounced: true },
    { gzip: true, isAnnounced: false },
    { gzip: false, isAnnounced: false },
  ])('takes the limit and not a byte more (%o)', async ({ gzip, isAnnounced }) => {
    const read = async (size: number) => {
      const data = Buffer.alloc(size, 'a');
      const wire = gzip ? gzipSync(data) : data;
      const announcedBytes = isAnnounced ? wire.length : undefined;
      const options = { gzip, maxBytes: 1000, announcedBytes, onChunk: () => {} };
      return readCapped(chunksOf(wire, 7), options);
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

  test.each([
    ['of a small announced size', 1],
    ['of a large announced size', 50_000],
    ['of no announced size', undefined],
  ])('rejects a truncated and a wrong compressed body, %s', async (_, announcedBytes) => {
    const options = { gzip: true, maxBytes: 1000, announcedBytes, onChunk: () => {} };
    const whole = gzipSync('a body');
    const cut = readCapped(chunksOf(whole.subarray(0, -9), 7), options);
    await expect(cut).rejects.toMatchObject({ code: 'Z_BUF_ERROR' });
    const wrong = readCapped(chunksOf(Buffer.from('a body'), 7), options);
    await expect(wrong).rejects.toMatchObject({ code: 'Z_DATA_ERROR' });
  });

  test.each([undefined, 100])('fails with the error of its source (%s)', async (announcedBytes) => {
    const error = new Error('broken');
    const source = new Readable({
      read() {
        this.destroy(error);
      },
    });
    const options = { gzip: true, maxBytes: 1000, announcedBytes, onChunk: () => {} };
    await expect(readCapped(source, options)).rejects.toBe(error);
  });
});
