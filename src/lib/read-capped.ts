import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

export class TooLargeError extends Error {
  override readonly name = 'TooLargeError' as const;

  constructor(maxBytes: number) {
    super(`larger than ${maxBytes} bytes`);
  }
}

interface ReadCappedOptions {
  readonly gzip: boolean;
  /** The limit on the size of the decompressed body. */
  readonly maxBytes: number;
  /** The announced size before decompression; it may be wrong. */
  readonly announcedBytes?: number | undefined;
  /** Called with every chunk as it arrives, before decompression. */
  readonly onChunk: (bytes: number) => void;
}

const inflateChunkBytes = 64 * 1024;

/**
 * Reads a stream to its end and decompresses it. The limit is enforced during the read: once it is
 * exceeded, nothing more is decompressed or awaited, and the source is destroyed.
 *
 * Rejects with `TooLargeError`, a zlib error, or the error of the source.
 */
export async function readCapped(source: Readable, options: ReadCappedOptions): Promise<Buffer> {
  const { gzip, maxBytes, announcedBytes = 0 } = options;
  // The buffer is allocated in one piece, so that a large body is not in memory twice.
  const expected = gzip || announcedBytes > maxBytes ? 0 : announcedBytes;
  const whole = Buffer.allocUnsafeSlow(expected);
  const rest: Buffer[] = [];
  let size = 0;
  const keep = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (size + chunk.length > maxBytes) {
        done(new TooLargeError(maxBytes));
        return;
      }
      const fits = chunk.copy(whole, size);
      if (fits < chunk.length) rest.push(chunk.subarray(fits));
      size += chunk.length;
      done();
    },
  });
  source.on('data', (chunk: Buffer) => options.onChunk(chunk.length));
  if (gzip) {
    await pipeline(source, createGunzip({ chunkSize: inflateChunkBytes }), keep);
  } else {
    await pipeline(source, keep);
  }
  if (rest.length === 0) return whole.subarray(0, size);
  const larger = Buffer.allocUnsafeSlow(size);
  let end = whole.copy(larger);
  for (const chunk of rest) end += chunk.copy(larger, end);
  return larger;
}
