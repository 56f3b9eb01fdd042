import type { AttemptResult } from '../../src/api/http/attempt.ts';
import { bearerToken } from '../../src/api/http/authentication.ts';
import { HttpClient, type HttpClientOptions } from '../../src/api/http/client.ts';
import type { Gate, RequestOutcome } from '../../src/budget/gate.ts';
import { Scrubber, Secret } from '../../src/lib/secret.ts';
import { VirtualClock } from './virtual-clock.ts';

/** A clock that counts its sleepers, so that a test can wait until a timer is set. */
export class CountingClock extends VirtualClock {
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

/** A transport that records all calls. */
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
  }

  async get(signal: AbortSignal = new AbortController().signal): Promise<unknown> {
    return this.transport.get({ operation: 'test', path: 'checks', signal });
  }
}
