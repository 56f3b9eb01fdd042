import { bearerToken } from '../../src/api/authentication.ts';
import type { Exchange } from '../../src/api/exchange.ts';
import { Transport, type TransportOptions } from '../../src/api/transport.ts';
import type { Gate, Outcome } from '../../src/budget/gate.ts';
import { Scrubber, Secret } from '../../src/lib/secret.ts';
import { VirtualClock } from './virtual-clock.ts';

/** A clock that tells how often it was asked to sleep, so that a test can wait for a timer to be set. */
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

/** A transport with everything around it recorded. */
export class TransportBench {
  readonly clock = new CountingClock();
  readonly exchanges: Exchange[] = [];
  /** One list per permit given out: what it was settled with. */
  readonly settlements: Outcome[][] = [];
  open = true;
  readonly transport: Transport;

  constructor(options: Pick<TransportOptions, 'baseUrl'> & Partial<TransportOptions>) {
    const secret = new Secret(token);
    const gate: Gate = {
      admit: () => {
        if (!this.open) return undefined;
        const settled: Outcome[] = [];
        this.settlements.push(settled);
        return { settle: (outcome) => settled.push(outcome) };
      },
    };
    this.transport = new Transport({
      version: '3.1',
      authentication: bearerToken(secret),
      gate,
      clock: this.clock,
      scrubber: new Scrubber([secret]),
      onExchange: (exchange) => this.exchanges.push(exchange),
      ...options,
    });
  }

  async get(signal: AbortSignal = new AbortController().signal): Promise<unknown> {
    return this.transport.get({ operation: 'test', path: 'checks', signal });
  }
}
