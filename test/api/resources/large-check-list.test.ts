import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parseJson } from '../../../src/api/http/client.ts';
import type { Reader } from '../../../src/api/reader.ts';
import { createServiceV31 } from '../../../src/api/versions.ts';
import { readCapped } from '../../../src/lib/read-capped.ts';

const { signal } = new AbortController();
const chunkBytes = 64 * 1024;

/** A list of more than a megabyte, in which what is tested, and how long names are, depends on how often it was read. */
function bodyOf(reading: number): Buffer {
  const checks = Array.from({ length: 6000 }, (_, index) => ({
    id: index + 1,
    name: `check ${index} ${'of the shop '.repeat(8)}${index % 50 === reading ? 'renamed' : ''}`,
    status: (index + reading) % 7 === 0 ? 'down' : 'up',
    lasttesttime: 1_700_000_000 + index + (index % 3 === 0 ? 60 * reading : 0),
    lastresponsetime: 95 + ((index * 7 + reading * 31) % 20),
  }));
  return Buffer.from(JSON.stringify({ checks, counts: { total: checks.length } }));
}

interface Reply {
  readonly body: Buffer;
  readonly gzip: boolean;
  /** The connection is lost after so many bytes. */
  readonly lostAfter?: number;
}

/** The service that gives these replies one after the other, in the memory that the reader of the list has for them. */
function serviceOf(replies: readonly Reply[]) {
  const left = [...replies];
  const memories: ArrayBufferLike[] = [];
  const reader: Reader = {
    baseUrl: 'https://api.test',
    get: async ({ operation }, bodyReader) => {
      const { body, gzip, lostAfter } = left.shift() ?? { body: Buffer.from('{}'), gzip: false };
      const wire = gzip ? gzipSync(body) : body;
      const arrived = await readCapped(chunks(wire, lostAfter), {
        gzip,
        maxBytes: 10_000_000,
        announcedBytes: wire.length,
        onChunk: () => {},
        room: bodyReader?.room(),
      });
      memories.push(arrived.buffer);
      return (
        (await bodyReader?.read(arrived, (_text, value) => value)) ?? parseJson(arrived, operation)
      );
    },
  };
  const service = createServiceV31({ reader });
  return { items: async () => (await service.listChecks(signal)).items, memories };
}

function chunks(wire: Buffer, lostAfter = wire.length): Readable {
  return Readable.from(
    (function* () {
      for (let from = 0; from < lostAfter; from += chunkBytes) {
        yield Buffer.from(wire.subarray(from, Math.min(from + chunkBytes, lostAfter)));
      }
      if (lostAfter < wire.length) throw new Error('the connection was lost');
    })(),
  );
}

const read = (reading: number) => serviceOf([{ body: bodyOf(reading), gzip: false }]).items();

test.each([false, true])(
  'a large list reads the same in the memory of one before (gzip: %s)',
  async (gzip) => {
    const readings = [0, 1, 2, 3, 2, 9, 4];
    const { items, memories } = serviceOf(
      readings.map((reading) => ({ body: bodyOf(reading), gzip })),
    );
    for (const reading of readings) expect(await items()).toStrictEqual(await read(reading));

    expect(new Set(memories).size).toBe(2);
  },
);

test('what is left in its memory by a reply that broke off is not read', async () => {
  const whole = (reading: number) => ({ body: bodyOf(reading), gzip: false });
  const { items } = serviceOf([
    ...[whole(0), whole(1), whole(2)],
    { body: bodyOf(3), gzip: false, lostAfter: 500_000 },
    ...[whole(4), whole(5), whole(6)],
  ]);
  for (const reading of [0, 1, 2]) expect(await items()).toStrictEqual(await read(reading));
  await expect(items()).rejects.toThrow('the connection was lost');
  for (const reading of [4, 5, 6]) expect(await items()).toStrictEqual(await read(reading));
});
