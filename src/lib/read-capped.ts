import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

export class TooLargeError extends Error {
  override readonly name = 'TooLargeError' as const;

  constructor(maxBytes: number) {
    super(`larger than ${maxBytes} bytes`);
  }
}

export interface ReadCappedOptions {
  readonly gzip: boolean;
  /** Limit of what is kept, after decompression. */
  readonly maxBytes: number;
  /** Called with every chunk as it arrives, before decompression. */
  readonly onChunk: (bytes: number) => void;
}

const inflateChunkBytes = 64 * 1024;

/**
 * The whole of a stream, decompressed. The limit holds while it streams: what is beyond it is neither
 * inflated nor awaited, and the source is destroyed.
 *
 * Rejects with `TooLargeError`, a zlib error, or the error of the source.
 */
export async function readCapped(source: Readable, options: ReadCappedOptions): Promise<Buffer> {
  const kept: Buffer[] = [];
  let size = 0;
  const meter = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      options.onChunk(chunk.length);
      yield chunk;
    }
  };
  const keep = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > options.maxBytes) throw new TooLargeError(options.maxBytes);
      kept.push(chunk);
    }
  };
  if (options.gzip) {
    await pipeline(source, meter, createGunzip({ chunkSize: inflateChunkBytes }), keep);
  } else {
    await pipeline(source, meter, keep);
  }
  return Buffer.concat(kept, size);
}
