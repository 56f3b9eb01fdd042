import { limitHeaderForms } from '../faults/quirks.ts';
import { hashUnit } from '../lib/hash.ts';
import type { Wire } from '../wire.ts';
import { type JsonResponse, jsonType, type ServerExchange } from './exchange.ts';
import { errorBody } from './http-error.ts';

const salts = { stray401: 91, stray403: 92, missingLimits: 93 } as const;

/** The number of a request, which decides what happens to it. */
interface RequestNumber {
  readonly seed: number;
  readonly number: number;
}

function isDrawn(wire: Wire, share: keyof typeof salts, { seed, number }: RequestNumber): boolean {
  return wire[share] > 0 && hashUnit(seed, number, salts[share]) < wire[share];
}

/** Refuses some requests that the service would have served. Returns whether this one is refused. */
export async function strayRefusal(
  exchange: ServerExchange,
  wire: Wire,
  request: RequestNumber,
): Promise<boolean> {
  if (isDrawn(wire, 'stray401', request)) {
    await exchange.deliver({
      status: 401,
      headers: {},
      body: errorBody(401, 'JWT-Auth-Only: Unable to decode JWT'),
    });
    return true;
  }
  if (!isDrawn(wire, 'stray403', request)) return false;
  await exchange.deliverBytes(403, textHeaders, Buffer.from('error code: 1020'));
  return true;
}

/** Delivers a response in the form of the wire. */
export async function deliverAsWired(
  exchange: ServerExchange,
  { status, headers, body }: JsonResponse,
  wire: Wire,
  request: RequestNumber,
): Promise<void> {
  const shown = isDrawn(wire, 'missingLimits', request)
    ? limitHeaderForms.absent(headers)
    : headers;
  if (status < 400 || wire.errorBodies === 'api') {
    await exchange.deliver({ status, headers: shown, body });
    return;
  }
  const [type, text] = errorForms[wire.errorBodies](status);
  await exchange.deliverBytes(status, { ...shown, 'Content-Type': type }, Buffer.from(text));
}

const textHeaders = { 'Content-Type': 'text/plain; charset=UTF-8' };

const errorForms = {
  json: (status: number) => [jsonType, JSON.stringify({ message: `request failed: ${status}` })],
  text: (status: number) => [textHeaders['Content-Type'], `error code: ${status}`],
  html: (status: number) => [
    'text/html; charset=UTF-8',
    `<html><head><title>${status}</title></head><body><h1>Error ${status}</h1></body></html>`,
  ],
} as const satisfies Record<string, (status: number) => readonly [type: string, text: string]>;
