import type { AccountFeature } from '../feature.ts';
import type { Clock } from '../lib/clock.ts';
import { Coalescer } from '../lib/coalescer.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import type { AccountState } from '../state/account-state.ts';
import type { AccountStorage } from '../state/account-storage.ts';
import { StoreError } from '../store/store-error.ts';
import type { AccountEvents, AccountListener } from './account-events.ts';
import { budgetDocuments, type LimitingParts } from './stored-budget.ts';

interface DelayedStorageOptions {
  readonly storage: AccountStorage;
  readonly state: AccountState;
  readonly budget: LimitingParts;
  readonly features: readonly AccountFeature[];
  /** The time of the last change of the configuration, in UNIX seconds. */
  readonly configuredAtSeconds: () => number;
  readonly clock: Clock;
  readonly minIntervalMilliseconds: number;
  readonly events: AccountEvents;
}

/** Stores the budget and the state without the totals, some time after a refresh has ended. */
export class DelayedStorage implements AccountListener {
  readonly #options: DelayedStorageOptions;
  readonly #coalescer: Coalescer;

  constructor(options: DelayedStorageOptions) {
    this.#options = options;
    this.#coalescer = new Coalescer(() => this.#store(), options);
  }

  refreshed(): void {
    this.#coalescer.ask();
  }

  failed(): void {
    this.#coalescer.ask();
  }

  /** Resolves when the current state is stored, or when storing it has failed. */
  async flush(): Promise<void> {
    this.#coalescer.ask();
    await this.#coalescer.flush();
  }

  async #store(): Promise<void> {
    const { storage, state, budget, features, configuredAtSeconds, events } = this.#options;
    // With 25,000 checks, the end of the refresh and this take 50 ms each: other work may come between.
    await yieldToEventLoop();
    const documents = budgetDocuments(budget);
    documents.set('account', { configuredAtSeconds: configuredAtSeconds() });
    for (const feature of features) documents.add(feature.takeChanges());
    try {
      await storage.storeParts(state, documents);
      events.stored();
    } catch (error) {
      for (const feature of features) feature.notStored();
      if (!(error instanceof StoreError)) throw error;
      events.storeFailed(error);
    }
  }
}
