import { pipeline, type Readable } from 'node:stream';
import { createGunzip, gunzipSync } from 'node:zlib';
import { codeOf } from './error-text.ts';

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
 * A compressed body up to this size is decompressed in one call, because a stream and its thread
 * would take several times the CPU. Decompressed, it has at most 17 MB: 258 bytes from two bits
 * (RFC 1951, section 3.2.5).
 */
const smallBytes = 16 * 1024;

/**
 * Reads a stream to its end and decompresses it. The limit is enforced during the read: once it is
 * exceeded, nothing more is decompressed or awaited, and the source is destroyed.
 *
 * Rejects with `TooLargeError`, a zlib error, or the error of the source.
 */
export async function readCapped(source: Readable, options: ReadCappedOptions): Promise<Buffer> {
  const { gzip, maxBytes, announcedBytes = 0, onChunk } = options;
  source.on('data', (chunk: Buffer) => onChunk(chunk.length));
  if (!gzip) return collect(source, maxBytes, announcedBytes);
  if (announcedBytes > 0 && announcedBytes <= smallBytes) {
    const packed = await collect(source, Math.max(maxBytes, smallBytes), announcedBytes);
    return inflateSmall(packed, maxBytes);
  }
  const gunzip = createGunzip({ chunkSize: inflateChunkBytes });
  // An error of the source destroys the other stream, whose reader rejects with it.
  const chunks = pipeline(source, gunzip, () => {});
  return collect(chunks, maxBytes, 0);
}

/** The buffer is allocated in one piece, so that a large body is not in memory twice. */
async function collect(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  announcedBytes: number,
): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(announcedBytes > maxBytes ? 0 : announcedBytes);
  const rest: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    if (size + chunk.length > maxBytes) throw new TooLargeError(maxBytes);
    const fits = chunk.copy(whole, size);
    if (fits < chunk.length) rest.push(chunk.subarray(fits));
    size += chunk.length;
  }
  if (rest.length === 0) return whole.subarray(0, size);
  const larger = Buffer.allocUnsafeSlow(size);
  let end = whole.copy(larger);
  for (const chunk of rest) end += chunk.copy(larger, end);
  return larger;
}

function inflateSmall(packed: Buffer, maxBytes: number): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    throw codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? new TooLargeError(maxBytes) : error;
  }
}
