import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { type StartOptions, startSandbox } from '../../src/sandbox/running-sandbox.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

export const token = 'token-for-tests';
export const readOnlyToken = 'read-only-token-for-tests';
export const bearer = { authorization: `Bearer ${token}` };

/** A sandbox on a free port with a clock that stands still, closed when the test ends. */
export async function startTestSandbox(options: Partial<StartOptions> = {}) {
  const clock = new VirtualClock();
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
  return { clock, sandbox, get: getFrom(sandbox.url) };
}

export interface WireEntry {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly [attribute: string]: unknown;
}

export interface WireBody {
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
