import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import type { Response } from 'express';
import { type JsonResponse, jsonType, type ServerExchange } from '../server/exchange.ts';
import type { FaultKind } from './fault-kind.ts';

const dripMilliseconds = 1000;
/** Longer than any client waits. */
const longestSleepMilliseconds = 86_400_000;
const bombBlockBytes = 2 ** 20;
const bombBlocks = 1024;

function proper(planned: JsonResponse): { bytes: Buffer; headers: Record<string, string> } {
  const bytes = Buffer.from(JSON.stringify(planned.body));
  return { bytes, headers: { 'Content-Type': jsonType, ...planned.headers } };
}

function sendPacked(
  exchange: ServerExchange,
  planned: JsonResponse,
  damage: (packed: Buffer) => Buffer,
): void {
  const { bytes, headers } = proper(planned);
  const damaged = damage(gzipSync(bytes));
  exchange.send(planned.status, { ...headers, 'Content-Encoding': 'gzip' }, damaged);
}

/** Responses that fail on the way: connections and encodings. */
export const transportFaults = {
  'reset-before-headers': {
    description: 'the connection is reset before anything is sent',
    act: (exchange) => {
      exchange.request.socket.resetAndDestroy();
    },
  },
  'reset-in-body': {
    description: 'the connection is reset after half of the body',
    act: (exchange, planned) => {
      const { bytes, headers } = proper(planned);
      exchange.head(planned.status, { ...headers, 'Content-Length': String(bytes.length) });
      exchange.response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
        exchange.request.socket.resetAndDestroy();
      });
    },
  },
  hang: {
    description: 'the request never gets a response',
    act: async (exchange) => {
      const gone = goneSignal(exchange);
      while (!gone.aborted) await sleep(exchange, longestSleepMilliseconds, gone);
    },
  },
  drip: {
    description: 'the body is sent at one byte per second',
    act: async (exchange, planned) => {
      const { bytes, headers } = proper(planned);
      const gone = goneSignal(exchange);
      exchange.head(planned.status, { ...headers, 'Content-Length': String(bytes.length) });
      for (let sent = 0; sent < bytes.length && !gone.aborted; sent++) {
        exchange.response.write(bytes.subarray(sent, sent + 1));
        await sleep(exchange, dripMilliseconds, gone);
      }
      exchange.response.end();
    },
  },
  'corrupt-gzip': {
    description: 'a gzip-encoded body with corrupt bytes in the middle',
    act: (exchange, planned) =>
      sendPacked(exchange, planned, (packed) => {
        const middle = Math.floor(packed.length / 2);
        return packed.fill(0xff, middle, middle + 16);
      }),
  },
  'truncated-gzip': {
    description: 'a gzip-encoded body that ends in the middle',
    act: (exchange, planned) =>
      sendPacked(exchange, planned, (packed) => packed.subarray(0, Math.floor(packed.length / 2))),
  },
  'gzip-bomb': {
    description: 'a gzip-encoded body of 1 MB that inflates to 1 GiB',
    act: async (exchange, planned) => {
      const { headers } = proper(planned);
      const { response } = exchange;
      exchange.head(planned.status, { ...headers, 'Content-Encoding': 'gzip' });
      // Gzip members may follow one another, so one compressed block is sent repeatedly.
      const block = gzipSync(Buffer.alloc(bombBlockBytes, ' '));
      response.write(gzipSync('{"padding":"'));
      for (let sent = 0; sent < bombBlocks && !response.destroyed; sent++) {
        if (!response.write(block)) await drained(response);
      }
      response.end(gzipSync('"}'));
    },
  },
  'invalid-utf8': {
    description:
      'bytes that are not UTF-8, in the first name of the body or else in an extra attribute',
    act: (exchange, planned) => {
      const { bytes, headers } = proper(planned);
      return exchange.deliverBytes(planned.status, headers, withInvalidUtf8(bytes));
    },
  },
} as const satisfies Record<string, FaultKind>;

/** Aborts when the client has closed the connection. */
function goneSignal({ response }: ServerExchange): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** Resolves after some time, or when the client has gone. */
async function sleep({ clock }: ServerExchange, milliseconds: number, gone: AbortSignal) {
  try {
    await clock.sleep(milliseconds, gone);
  } catch (error) {
    if (!gone.aborted) throw error;
  }
}

/** Resolves when more can be written, or the connection has ended. */
async function drained(response: Response): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  // The loser of the race is aborted, and its rejection is expected.
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  settled.abort();
}

function withInvalidUtf8(json: Buffer): Buffer {
  const invalid = Buffer.from([0xff, 0xc3, 0x28]);
  const nameKey = '"name":"';
  const name = json.indexOf(nameKey);
  if (name >= 0) {
    const at = name + nameKey.length;
    return Buffer.concat([json.subarray(0, at), invalid, json.subarray(at)]);
  }
  return Buffer.concat([Buffer.from('{"note":"'), invalid, Buffer.from('",'), json.subarray(1)]);
}
