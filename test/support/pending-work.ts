import { HttpClient, type HttpClientOptions } from '../../src/api/http/client.ts';
import type { ReadRequest } from '../../src/api/reader.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Store } from '../../src/store/store.ts';

/**
 * Counts the work that ends without the clock. While there is some, virtual time stands still. Work
 * that only waits for the clock is not counted: a response that hangs, a sleep.
 */
export class PendingWork {
  #count = 0;

  /** Counts work until its promise settles. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await work;
    } finally {
      this.#count -= 1;
    }
  }

  /** A clock for work that is counted: while it sleeps, its count belongs to the clock. */
  handingOver(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      sleep: async (milliseconds, signal) => {
        this.#count -= 1;
        try {
          await clock.sleep(milliseconds, signal);
        } finally {
          this.#count += 1;
        }
      },
    };
  }

  /** Resolves when there is no work, also none that waits for a turn of the event loop. */
  async quiet(): Promise<void> {
    do await new Promise(setImmediate);
    while (this.#count !== 0 || process.getActiveResourcesInfo().includes('Immediate'));
  }
}

/** A store whose reads and writes are counted, because on a real disk they take real time. */
export function countedStore(store: Store, work: PendingWork): Store {
  return {
    id: store.id,
    accounts: () => work.during(store.accounts()),
    load: (account) => work.during(store.load(account)),
    readMonth: (batch) => work.during(store.readMonth(batch)),
    commit: (changes) => work.during(store.commit(changes)),
    close: () => store.close(),
  };
}

/** What a client asks and reads. */
export interface ClientEvents {
  /** A request is about to be sent, if the budget admits it. */
  readonly onRequest?: ((request: ReadRequest) => void) | undefined;
  /** A response was read. */
  readonly onRead?: ((request: ReadRequest, body: unknown) => void) | undefined;
  /** A request was not sent, or its response cannot be used. */
  readonly onFailed?: ((request: ReadRequest, error: unknown) => void) | undefined;
}

/** A client whose requests are counted until their responses have been read. */
export class CountedClient extends HttpClient {
  readonly #work: PendingWork;
  readonly #events: ClientEvents;

  constructor(options: HttpClientOptions, work: PendingWork, events: ClientEvents = {}) {
    super(options);
    this.#work = work;
    this.#events = events;
  }

  override async get(request: ReadRequest): Promise<unknown> {
    this.#events.onRequest?.(request);
    try {
      const body = await this.#work.during(super.get(request));
      this.#events.onRead?.(request, body);
      return body;
    } catch (error) {
      this.#events.onFailed?.(request, error);
      throw error;
    }
  }
}
