import { STATUS_CODES } from 'node:http';
import { request } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { type StartOptions, startSandbox } from '../src/running-sandbox.ts';
import { documentedWire } from '../src/wire.ts';
import { VirtualClock, wholeSecond } from './support/virtual-clock.ts';

export const token = 'token-for-tests';
export const readOnlyToken = 'read-only-token-for-tests';
export const bearer = { authorization: `Bearer ${token}` };
/** The headers that the legacy versions need, with the default credentials. */
export const legacyHeaders = {
  authorization: `Basic ${Buffer.from('demo@example.com:demo').toString('base64')}`,
  'app-key': 'demo-app-key',
};

/** Responds in all forms of the documents, with UTC days. */
export const asDocumented = { wire: documentedWire };

/** A sandbox on a free port with a stopped clock. It is closed when the test ends. */
export async function startTestSandbox(options: Partial<StartOptions> = {}) {
  const clock = new VirtualClock(wholeSecond);
  const sandbox = await startSandbox({
    clock,
    limitsClock: clock,
    token,
    readOnlyToken,
    host: '127.0.0.1',
    port: 0,
    ...options,
  });
  onTestFinished(() => sandbox.close());
  return { clock, sandbox, get: getFrom(sandbox.url), send: sendTo(sandbox.url) };
}

export interface Sent {
  /** A JSON body. */
  readonly json?: unknown;
  /** A URL-encoded body. */
  readonly form?: string | Readonly<Record<string, string>>;
  /** By default the credentials of the path's version. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a request with the credentials of its version. Returns status, headers and JSON of the
 * response.
 */
function sendTo(url: string) {
  return async <T = unknown>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    { json, form, headers = path.startsWith('/api/3.1') ? bearer : legacyHeaders }: Sent = {},
  ) => {
    const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
    const body =
      json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json);
    const response = await request(url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    });
    const answer = (await response.body.json()) as T;
    return { status: response.statusCode, headers: response.headers, body: answer };
  };
}

/** The response to a request that is refused with this message, or one that matches. */
export function refused(statuscode: number, message: string | RegExp) {
  const errormessage = typeof message === 'string' ? message : expect.stringMatching(message);
  const error = { statuscode, statusdesc: STATUS_CODES[statuscode], errormessage };
  return { status: statuscode, body: { error } };
}

export interface WireEntry {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly [attribute: string]: unknown;
}

interface WireBody {
  readonly checks: readonly WireEntry[];
  readonly counts: Readonly<Record<string, number>>;
  readonly error: {
    readonly statuscode: number;
    readonly statusdesc: string;
    errormessage: string;
  };
}

function getFrom(url: string) {
  return async (path: string, headers: Record<string, string> = bearer) => {
    const response = await request(url + path, { headers });
    const text = await response.body.text();
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      json: () => JSON.parse(text) as WireBody,
    };
  };
}
