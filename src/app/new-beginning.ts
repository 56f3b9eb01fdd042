import type { AttemptResult } from '../api/http/attempt.ts';
import type { Log } from '../lib/log.ts';
import type { AccountState } from '../state/account-state.ts';
import { StoreError } from '../store/store-error.ts';
import type { AccountListener } from './account-events.ts';

interface NewBeginningOptions {
  readonly account: string;
  readonly state: Pick<AccountState, 'beginAgain' | 'storeBeginning'>;
  readonly log: Log;
}

/**
 * The counters of a restored copy begin again at 0 with the first response, because it shows the
 * time of the service, and before anything is counted. Until that is stored, each response tries it
 * again, and the next start finds the copy as it was.
 */
export class NewBeginning implements AccountListener {
  readonly #options: NewBeginningOptions;
  #waitsFor: 'response' | 'store' | undefined;
  #storing: Promise<void> | undefined;
  #hasFailed = false;

  constructor(options: NewBeginningOptions) {
    this.#options = options;
  }

  /** The account was restored from a copy. */
  await(): void {
    this.#waitsFor = 'response';
  }

  attempted({ code }: AttemptResult): void {
    const hasResponse = /^\d/.test(code);
    if (this.#waitsFor === undefined || this.#storing !== undefined || !hasResponse) return;
    if (this.#waitsFor === 'response') this.#options.state.beginAgain();
    this.#waitsFor = 'store';
    this.#storing = this.#store().finally(() => {
      this.#storing = undefined;
    });
  }

  /** Resolves when nothing is being stored. */
  async ended(): Promise<void> {
    await this.#storing;
  }

  async #store(): Promise<void> {
    const { account, state, log } = this.#options;
    try {
      await state.storeBeginning();
      this.#waitsFor = undefined;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (this.#hasFailed || error.reason === 'fenced') return;
      this.#hasFailed = true;
      log.error(
        { account, reason: error.reason, error: error.message },
        'counters begin again, which could not be stored; trying again',
      );
    }
  }
}
