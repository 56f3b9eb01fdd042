import { promisify } from 'node:util';
import { constants, gzip, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import type { Clock } from '../lib/clock.ts';

const compressInBackground = promisify(gzip);
const level = constants.Z_BEST_SPEED;
/** Below this many bytes, a small window compresses as well. */
const smallBody = 16_384;
/**
 * Below this many bytes, compression takes some milliseconds. A thread would take others, so that
 * responses to requests of the same moment would arrive in an order that depends on the machine.
 */
const mediumBody = 2 ** 20;

async function compress(bytes: Buffer): Promise<Buffer> {
  if (bytes.length < smallBody) return gzipSync(bytes, { level, windowBits: 12, memLevel: 5 });
  return bytes.length < mediumBody
    ? gzipSync(bytes, { level })
    : compressInBackground(bytes, { level });
}

/** A response before it is written. */
export interface JsonResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

interface ExchangeOptions {
  readonly request: Request;
  readonly response: Response;
  /** Real time, for delayed responses. */
  readonly clock: Pick<Clock, 'sleep'>;
  /** Called with the status as soon as it is known. */
  readonly onStatus: (status: number) => void;
}

/** One request and the means to respond, correctly or not. */
export class ServerExchange {
  readonly request: Request;
  readonly response: Response;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly #onStatus: (status: number) => void;

  constructor({ request, response, clock, onStatus }: ExchangeOptions) {
    this.request = request;
    this.response = response;
    this.clock = clock;
    this.#onStatus = onStatus;
  }

  /** The response of the API: JSON, gzip-encoded when requested (API 3.1, section 8, rule 5). */
  async deliver({ status, headers, body }: JsonResponse): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(body));
    await this.deliverBytes(status, { 'Content-Type': jsonType, ...headers }, bytes);
  }

  async deliverBytes(
    status: number,
    headers: Readonly<Record<string, string>>,
    bytes: Buffer,
  ): Promise<void> {
    if (this.request.acceptsEncodings('gzip', 'identity') !== 'gzip') {
      this.send(status, { ...headers, Vary: 'Accept-Encoding' }, bytes);
      return;
    }
    const packed = await compress(bytes);
    const packedHeaders = { ...headers, Vary: 'Accept-Encoding', 'Content-Encoding': 'gzip' };
    this.send(status, packedHeaders, packed);
  }

  /** Exactly these bytes. */
  send(status: number, headers: Readonly<Record<string, string>>, bytes: Buffer): void {
    this.head(status, { ...headers, 'Content-Length': String(bytes.length) });
    this.response.end(bytes);
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    this.#onStatus(status);
    this.response.writeHead(status, headers);
  }
}

export const jsonType = 'application/json; charset=utf-8';
