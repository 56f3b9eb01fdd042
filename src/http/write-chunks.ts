import { once } from 'node:events';
import type { Writable } from 'node:stream';

/**
 * Writes the chunks and ends the stream when they are taken. Chunks that are there already are handed over
 * at once: what a slow reader keeps alive is references to them, not copies, and the system is called once
 * for many. Chunks that are made on the way are written no faster than the reader reads. Rejects with an
 * `AbortError` when the signal aborts first.
 */
export async function writeChunks(
  stream: Writable,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  if (Symbol.iterator in chunks) {
    stream.cork();
    for (const chunk of chunks) stream.write(chunk);
    stream.uncork();
    await drained(stream, signal);
  } else {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      stream.write(chunk);
      await drained(stream, signal);
    }
  }
  stream.end();
}

/** Ending a response earlier would let a server that stops take it for finished. */
async function drained(stream: Writable, signal: AbortSignal): Promise<void> {
  if (stream.writableNeedDrain) await once(stream, 'drain', { signal });
}
