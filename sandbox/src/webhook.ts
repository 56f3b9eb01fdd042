import { request } from 'undici';
import type { World } from './account/world.ts';
import { type Clock, unixSeconds } from './lib/clock.ts';
import type { CheckStatus } from './vocabulary.ts';

const everyMilliseconds = 1_000;
const timeoutMilliseconds = 5_000;

interface WebhookOptions {
  readonly url: string;
  readonly world: World;
  readonly clock: Pick<Clock, 'now'>;
}

/** Calls an address when a check goes down or up, like the webhooks of the service. */
export class Webhook {
  readonly #options: WebhookOptions;
  readonly #states = new Map<number, 'UP' | 'DOWN'>();
  /** Calls with a successful response. */
  delivered = 0;

  constructor(options: WebhookOptions) {
    this.#options = options;
  }

  /**
   * Sends a call for every change since the last call of this method. A failed call is not
   * repeated.
   */
  async callForChanges(): Promise<void> {
    const { world, clock } = this.#options;
    const now = unixSeconds(clock);
    const calls: Promise<void>[] = [];
    for (const check of world.checks) {
      const state = confirmedState(world.observer.observe(check, now).status);
      const before = this.#states.get(check.id);
      if (state === undefined || state === before) continue;
      this.#states.set(check.id, state);
      if (before === undefined) continue;
      const { id, name } = check;
      calls.push(
        this.#call({
          check_id: id,
          check_name: name,
          previous_state: before,
          current_state: state,
        }),
      );
    }
    await Promise.all(calls);
  }

  /** Checks for changes once a second until the signal aborts. */
  async run(sleep: Clock['sleep'], signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.callForChanges();
      await sleep(everyMilliseconds, signal).catch(() => undefined);
    }
  }

  async #call(body: object): Promise<void> {
    try {
      const reply = await request(this.#options.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        headersTimeout: timeoutMilliseconds,
        bodyTimeout: timeoutMilliseconds,
      });
      await reply.body.dump();
      if (reply.statusCode < 300) this.delivered += 1;
    } catch {
      // The receiver is not reachable; the next change is sent again.
    }
  }
}

/** Undefined for statuses that are neither up nor confirmed down. */
function confirmedState(status: CheckStatus): 'UP' | 'DOWN' | undefined {
  if (status === 'up') return 'UP';
  return status === 'down' ? 'DOWN' : undefined;
}
