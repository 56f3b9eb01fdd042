import { onTestFinished } from 'vitest';
import type { AttemptResult } from '../../src/api/http/attempt.ts';
import { bearerToken } from '../../src/api/http/authentication.ts';
import { HttpClient, type HttpClientOptions } from '../../src/api/http/client.ts';
import type { Gate, RequestOutcome } from '../../src/budget/gate.ts';
import { Scrubber, Secret } from '../../src/lib/secret.ts';
import { type Responder, ResponseServer } from './response-server.ts';
import type { selfSigned } from './self-signed.ts';
import { VirtualClock } from './virtual-clock.ts';

/** A clock that counts its sleepers, so that a test can wait until a timer is set. */
class CountingClock extends VirtualClock {
  sleeps = 0;

  override async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.sleeps++;
    await super.sleep(milliseconds, signal);
  }

  async sleptTimes(count: number): Promise<void> {
    while (this.sleeps < count) await new Promise(setImmediate);
  }
}

export const token = 'tok+en/with=odd"characters-0123456789';

/** A transport that records all calls. It is closed when the test ends. */
export class TransportBench {
  readonly clock = new CountingClock();
  readonly exchanges: AttemptResult[] = [];
  /** The outcomes of each permit. */
  readonly releases: RequestOutcome[][] = [];
  open = true;
  readonly transport: HttpClient;

  constructor(options: Pick<HttpClientOptions, 'baseUrl'> & Partial<HttpClientOptions>) {
    const secret = new Secret(token);
    const gate: Gate = {
      admit: () => {
        if (!this.open) return undefined;
        const released: RequestOutcome[] = [];
        this.releases.push(released);
        return { release: (outcome) => released.push(outcome) };
      },
    };
    this.transport = new HttpClient({
      version: '3.1',
      authentication: bearerToken(secret),
      gate,
      clock: this.clock,
      scrubber: new Scrubber([secret]),
      events: { attempted: (exchange) => this.exchanges.push(exchange) },
      ...options,
    });
    onTestFinished(() => this.transport.close());
  }

  async get(signal: AbortSignal = new AbortController().signal): Promise<unknown> {
    return this.transport.get({ operation: 'test', path: 'checks', signal });
  }
}

/** A transport and the server whose responses it reads. */
export async function servedBench(
  respond: Responder,
  { tls, ...options }: Partial<HttpClientOptions> & { readonly tls?: typeof selfSigned } = {},
) {
  const server = await ResponseServer.start(respond, tls);
  return { server, bench: new TransportBench({ baseUrl: server.url, ...options }) };
}
