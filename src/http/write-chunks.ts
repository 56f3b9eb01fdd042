import { once } from 'node:events';
import type { Writable } from 'node:stream';

/**
 * Writes the chunks one after the other and ends the stream, never faster than the reader reads: what
 * a slow reader keeps alive is references to the chunks, not copies. Rejects with an `AbortError`
 * when the signal aborts first.
 */
export async function writeChunks(
  stream: Writable,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    if (!stream.write(chunk)) await once(stream, 'drain', { signal });
  }
  stream.end();
}
