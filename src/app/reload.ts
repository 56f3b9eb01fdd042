import type { Configuration } from '../config/configuration.ts';
import type { LastReload } from '../http/ports.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Scrubber } from '../lib/secret.ts';
import type { AccountChanges } from './accounts.ts';

export interface ReloaderOptions {
  /** Reads the configuration again, secrets included; throws when there is anything wrong with it. */
  readonly read: () => Configuration;
  /** Takes it into use, all of it or, when it rejects, none. */
  readonly apply: (configuration: Configuration) => Promise<AccountChanges>;
  readonly onReload: (last: { successful: boolean; succeededAtSeconds: number }) => void;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly scrubber: Scrubber;
}

/** Reads the configuration again when it is asked to; one time after the other. */
export class Reloader {
  readonly #options: ReloaderOptions;
  #last: LastReload;
  #running: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(options: ReloaderOptions) {
    this.#options = options;
    this.#last = { succeededAtSeconds: unixSeconds(options.clock) };
  }

  get last(): LastReload {
    return this.#last;
  }

  /** Resolves when it is over. */
  reload(): Promise<LastReload> {
    const reloading = this.#running.then(() => this.#reload());
    this.#running = reloading;
    return reloading;
  }

  /** Resolves when nothing is under way; nothing is read from then on. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#running;
  }

  async #reload(): Promise<LastReload> {
    if (this.#ended) return { ...this.#last, failure: 'the exporter is stopping' };
    const { read, apply, onReload, clock, log, scrubber } = this.#options;
    try {
      const changes = await apply(read());
      this.#last = { succeededAtSeconds: unixSeconds(clock) };
      log.info(changes, 'configuration reloaded');
    } catch (error) {
      const failure = scrubber.scrub(error instanceof Error ? error.message : String(error));
      this.#last = { ...this.#last, failure };
      log.error({ reason: failure }, 'the configuration could not be reloaded and stays as it was');
    }
    const { failure, succeededAtSeconds } = this.#last;
    onReload({ successful: failure === undefined, succeededAtSeconds });
    return this.#last;
  }
}
