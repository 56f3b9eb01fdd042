import { datasetPolicies } from '../domain/dataset.ts';
import { IndexedHeap } from './indexed-heap.ts';
import type { AgendaEntry } from './refresh-task.ts';

/** The requests of first sight that wait, by their place. */
export class FirstSightRequests {
  readonly #waiting = new IndexedHeap<AgendaEntry>(
    (a, b) => (a.request?.place ?? 0) < (b.request?.place ?? 0),
  );
  #others = 0;
  /** The number of running refreshes of pasts; they may show the start of an open outage. */
  #pastsRunning = 0;
  #isHeld = false;

  get size(): number {
    return this.#waiting.size;
  }

  /** The number of requests other than for the past. */
  get others(): number {
    return this.#others;
  }

  /** True from a restart to a success, so that a crash loop does not spend the credit. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  hold(): void {
    this.#isHeld = true;
  }

  refreshSucceeded(): void {
    this.#isHeld = false;
  }

  /** The item whose request is next; undefined while it must wait for another refresh. */
  next(): AgendaEntry | undefined {
    const first = this.#waiting.peek();
    if (first === undefined || this.#isHeld) return undefined;
    // Results and analyses of an outage are read from its start, which its report shows.
    return this.#isPast(first) || this.#pastsRunning === 0 ? first : undefined;
  }

  add(entry: AgendaEntry): void {
    if (this.#waiting.has(entry)) return;
    this.#waiting.add(entry);
    if (!this.#isPast(entry)) this.#others += 1;
  }

  delete(entry: AgendaEntry): void {
    if (!this.#waiting.has(entry)) return;
    this.#waiting.delete(entry);
    if (!this.#isPast(entry)) this.#others -= 1;
  }

  /** Call this for the start of every refresh. */
  refreshStarted(entry: AgendaEntry): void {
    this.delete(entry);
    if (entry.request?.place !== undefined) entry.placeableAt = Number.POSITIVE_INFINITY;
    if (this.#isPast(entry)) this.#pastsRunning += 1;
  }

  /** Call this for the end of every refresh. */
  refreshEnded(entry: AgendaEntry): void {
    if (this.#isPast(entry)) this.#pastsRunning -= 1;
  }

  #isPast({ dataset }: AgendaEntry): boolean {
    return datasetPolicies[dataset].isOnce === true;
  }
}
