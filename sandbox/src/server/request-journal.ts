/** One request that reached the sandbox. */
export interface JournalEntry {
  /** `undefined` for an unknown path. */
  readonly operation: string | undefined;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** Wall time of the data clock in milliseconds. */
  readonly time: number;
  /** `undefined` until a status line is sent. */
  readonly status: number | undefined;
}

const maxEntries = 10_000;

/** The requests that reached the sandbox: all are counted, and the last 10,000 are kept. */
export class RequestJournal {
  readonly #recent: JournalEntry[] = [];
  readonly #byOperation = new Map<string, number>();
  readonly #byStatus = new Map<number, number>();
  #total = 0;

  /** Records an arriving request. The returned function records the status of its response. */
  arrived(request: Omit<JournalEntry, 'status'>): (status: number) => void {
    const entry: { -readonly [K in keyof JournalEntry]: JournalEntry[K] } = {
      ...request,
      status: undefined,
    };
    this.#recent.push(entry);
    // Trimmed by halves, so that a full journal does not move all entries at every request.
    if (this.#recent.length >= 2 * maxEntries) this.#recent.splice(0, maxEntries);
    this.#total += 1;
    if (request.operation !== undefined) increment(this.#byOperation, request.operation);
    return (status) => {
      entry.status = status;
      increment(this.#byStatus, status);
    };
  }

  /** The last requests, oldest first, at most 10,000. */
  get recent(): readonly JournalEntry[] {
    return this.#recent.slice(-maxEntries);
  }

  /** All requests since the start. */
  get total(): number {
    return this.#total;
  }

  countOfOperation(operation: string): number {
    return this.#byOperation.get(operation) ?? 0;
  }

  countOfStatus(status: number): number {
    return this.#byStatus.get(status) ?? 0;
  }
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
