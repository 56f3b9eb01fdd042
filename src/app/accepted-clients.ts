import type { Client, KnownClients } from '../http/access/client.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import { Coalescer } from '../lib/coalescer.ts';
import { RecentMap } from '../lib/recent-map.ts';
import { DocumentSet } from '../store/format/document-set.ts';
import { exporterAccount, type Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';

const document = 'accepted clients';

const maxClients = 100;
/** Sooner than this a client that is stored already is not stored again. */
const freshSeconds = 3600;
const minIntervalMilliseconds = 60_000;

interface AcceptedClient {
  readonly address: string;
  readonly agent: string;
  readonly atSeconds: number;
}

/**
 * Remembers across restarts which clients last used a correct password, for the order in which passwords are checked: only
 * who they were, neither the password nor anything made from it. When it is lost, known clients queue like any other.
 */
export class AcceptedClients implements KnownClients {
  readonly #store: Store;
  readonly #clock: Clock;
  /** The one that was accepted longest ago first. */
  readonly #clients = new RecentMap<string, AcceptedClient>(maxClients);
  readonly #keeping: Coalescer;
  #hasNews = false;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#keeping = new Coalescer(() => this.#keep(), { clock, minIntervalMilliseconds });
  }

  async restore(): Promise<void> {
    const { documents } = await this.#store.load(exporterAccount);
    for (const client of documents.get(document) ?? []) this.#clients.set(keyOf(client), client);
  }

  has(client: Client): boolean {
    return this.#clients.has(keyOf(client));
  }

  accepted({ address, agent }: Client): void {
    const key = keyOf({ address, agent });
    const atSeconds = unixSeconds(this.#clock);
    const known = this.#clients.get(key);
    // One of the future was stored before the clock was set back.
    if (known !== undefined && Math.abs(atSeconds - known.atSeconds) <= freshSeconds) return;
    this.#clients.set(key, { address, agent, atSeconds });
    this.#hasNews = true;
    this.#keeping.ask();
  }

  /** Resolves when all is stored, or cannot be. */
  async stop(): Promise<void> {
    await this.#keeping.stop();
    if (this.#hasNews) await this.#keep();
  }

  async #keep(): Promise<void> {
    this.#hasNews = false;
    const clients = [...this.#clients.values()].map(({ address, agent, atSeconds }) => ({
      address,
      agent,
      atSeconds,
    }));
    try {
      await this.#store.commit({
        account: exporterAccount,
        documents: new DocumentSet<null>().set(document, clients),
      });
    } catch (error) {
      // The store says so itself, and only the order depends on it.
      if (!(error instanceof StoreError)) throw error;
      this.#hasNews = true;
    }
  }
}

function keyOf({ address, agent }: Client): string {
  return `${address} ${agent}`;
}
