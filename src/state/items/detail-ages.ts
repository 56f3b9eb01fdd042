/** The items that have one detail, ordered by when it was fetched (monotonic milliseconds). */
class AgeQueue {
  /** In the order of the times, unless `#isOrdered` is false. */
  #fetchedAt = new Map<number, number>();
  readonly #expired = new Map<number, number>();
  #newest = Number.NEGATIVE_INFINITY;
  #isOrdered = true;
  #freshSince = Number.NEGATIVE_INFINITY;

  set(id: number, at: number): void {
    this.forget(id);
    this.#fetchedAt.set(id, at);
    if (at < this.#newest) this.#isOrdered = false;
    else this.#newest = at;
  }

  forget(id: number): void {
    this.#fetchedAt.delete(id);
    this.#expired.delete(id);
  }

  /** Calls back with each item whose value became stale, or fresh again. */
  moveTo(freshSince: number, changed: (id: number) => void): void {
    if (freshSince < this.#freshSince) this.#revive(freshSince, changed);
    this.#freshSince = freshSince;
    if (!this.#isOrdered) this.#sort();
    for (const [id, at] of this.#fetchedAt) {
      if (at >= freshSince) return;
      this.#fetchedAt.delete(id);
      this.#expired.set(id, at);
      changed(id);
    }
  }

  /** A longer interval allows older values. */
  #revive(freshSince: number, changed: (id: number) => void): void {
    for (const [id, at] of this.#expired) {
      if (at < freshSince) continue;
      this.set(id, at);
      changed(id);
    }
  }

  #sort(): void {
    this.#fetchedAt = new Map([...this.#fetchedAt].sort(([, a], [, b]) => a - b));
    this.#isOrdered = true;
  }
}

/**
 * When each detail of each item was fetched, in order, so that stale details are found without
 * checking the others. Times are milliseconds of the monotonic clock.
 */
export class DetailAges<N extends PropertyKey> {
  readonly #queues: ReadonlyMap<N, AgeQueue>;

  constructor(names: readonly N[]) {
    this.#queues = new Map(names.map((name) => [name, new AgeQueue()]));
  }

  set(id: number, name: N, at: number): void {
    this.#queues.get(name)?.set(id, at);
  }

  forget(id: number): void {
    for (const queue of this.#queues.values()) queue.forget(id);
  }

  /** Calls back with each item that has a detail which became stale, or fresh again. */
  moveTo(freshSince: (name: N) => number, changed: (id: number) => void): void {
    for (const [name, queue] of this.#queues) queue.moveTo(freshSince(name), changed);
  }
}
