import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { writeChunks } from '../../../src/http/metrics/metrics.ts';

/** A reader that takes a chunk only on request, and keeps all chunks. */
function slowReader() {
  const taken: Uint8Array[] = [];
  let take: () => void = () => undefined;
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk: Uint8Array, _encoding, done) {
      taken.push(chunk);
      take = done;
    },
  });
  return { stream, taken, takeOne: () => take() };
}

const chunks = ['a', 'b', 'c'].map((text) => Buffer.from(text));

/** The chunks as if they were made during the response. */
async function* made() {
  yield* chunks;
}

test('writes the chunks themselves, one by one as the reader takes them', async () => {
  const { stream, taken, takeOne } = slowReader();
  const written = writeChunks(stream, made(), new AbortController().signal);
  await new Promise(setImmediate);
  expect(stream.writableLength).toBe(1);

  for (const _chunk of chunks) {
    takeOne();
    await new Promise(setImmediate);
  }
  await written;

  expect(taken).toHaveLength(3);
  expect(taken.every((chunk, index) => chunk === chunks[index])).toBe(true);
  expect(stream.writableEnded).toBe(true);
});

test('gives up when the signal aborts', async () => {
  const { stream, taken } = slowReader();
  const abort = new AbortController();
  const written = writeChunks(stream, made(), abort.signal);
  await new Promise(setImmediate);

  abort.abort();

  await expect(written).rejects.toMatchObject({ name: 'AbortError' });
  expect(taken).toHaveLength(1);
});

test('hands chunks that are there over at once, and not as copies', async () => {
  const calls: unknown[][] = [];
  const stream = new Writable({
    writev(parts, done) {
      calls.push(parts.map(({ chunk }) => chunk));
      done();
    },
  });

  await writeChunks(stream, chunks, new AbortController().signal);

  expect(stream.writableEnded).toBe(true);
  expect(calls).toHaveLength(1);
  expect(calls[0]?.every((chunk, index) => chunk === chunks[index])).toBe(true);
});
