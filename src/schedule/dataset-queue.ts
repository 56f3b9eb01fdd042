import type { DatasetName } from '../domain/dataset.ts';
import { type AgendaEntry, type AgendaItem, createEntry, type KnownItem } from './agenda-item.ts';
import type { PlannedDataset } from './demand.ts';
import { IndexedHeap } from './indexed-heap.ts';

/**
 * The items of one dataset in the order of their turns. All have the same interval, so a new plan
 * changes no order. Times are milliseconds of a monotonic clock.
 */
export class DatasetQueue {
  readonly dataset: DatasetName;
  readonly #entries = new Map<number, AgendaEntry>();
  readonly #fetched = new IndexedHeap<AgendaEntry>((a, b) => a.anchor < b.anchor);
  /** Never fetched: due at once, and in the order of their phases. */
  readonly #fresh = new IndexedHeap<AgendaEntry>(
    (a, b) => a.anchor < b.anchor || (a.anchor === b.anchor && a.phase < b.phase),
  );
  #listing = 0;
  intervalMilliseconds = Number.POSITIVE_INFINITY;
  cost = 1;
  status = false;

  constructor(dataset: DatasetName) {
    this.dataset = dataset;
  }

  get size(): number {
    return this.#fetched.size + this.#fresh.size;
  }

  get empty(): boolean {
    return this.#entries.size === 0;
  }

  find(id: number): AgendaEntry | undefined {
    return this.#entries.get(id);
  }

  entries(): Iterable<AgendaEntry> {
    return this.#entries.values();
  }

  /** Makes the items be exactly these; answers with the entries of those that are gone. */
  reconcile(items: Iterable<KnownItem>, now: number): AgendaEntry[] {
    this.#listing += 1;
    let listed = 0;
    for (const { id, ageSeconds } of items) {
      const entry = this.#entries.get(id) ?? this.#create(id, now, ageSeconds);
      if (entry.listing === this.#listing) continue;
      entry.listing = this.#listing;
      entry.dropped = false;
      listed += 1;
    }
    if (listed === this.#entries.size) return [];
    return [...this.#entries.values()].filter((entry) => entry.listing !== this.#listing);
  }

  drop(entry: AgendaEntry): void {
    this.#entries.delete(entry.id);
    this.dequeue(entry);
  }

  enqueue(entry: AgendaEntry): void {
    (entry.fetched ? this.#fetched : this.#fresh).add(entry);
  }

  dequeue(entry: AgendaEntry): void {
    this.#fetched.delete(entry);
    this.#fresh.delete(entry);
  }

  /** The entry whose turn is next, the later one of those with data and those without. */
  head(now: number): AgendaEntry | undefined {
    const fetched = this.#fetched.peek();
    const fresh = this.#fresh.peek();
    if (fetched === undefined || fresh === undefined) return fetched ?? fresh;
    return this.lateness(fetched, now) > this.lateness(fresh, now) ? fetched : fresh;
  }

  /** Age in intervals: 1 when the item is due, and more the later it is. */
  lateness(entry: AgendaEntry, now: number): number {
    const intervals = (now - entry.anchor) / this.intervalMilliseconds;
    return entry.fetched ? intervals : 1 + intervals;
  }

  dueAt(entry: AgendaEntry): number {
    return entry.fetched ? entry.anchor + this.intervalMilliseconds : entry.anchor;
  }

  /** Milliseconds until the next item is due; Infinity when there is none. */
  dueIn(now: number): number {
    const entry = this.head(now);
    return entry === undefined ? Number.POSITIVE_INFINITY : Math.max(0, this.dueAt(entry) - now);
  }

  /**
   * Where the next interval starts. An item in turn keeps its place however long the request takes;
   * one that is far behind starts anew. The first fetch leads to the item's place in the interval.
   */
  nextAnchor(entry: AgendaEntry, startedAt: number): number {
    const interval = this.intervalMilliseconds;
    if (!Number.isFinite(interval)) return startedAt;
    if (!entry.fetched) return this.status ? startedAt : startedAt + (entry.phase - 0.5) * interval;
    const dueAt = this.dueAt(entry);
    const inTime = startedAt >= dueAt && startedAt < dueAt + interval / 2;
    return inTime ? dueAt : startedAt;
  }

  #create(id: number, now: number, ageSeconds: number | undefined): AgendaEntry {
    const entry = createEntry({ dataset: this.dataset, id }, now, ageSeconds);
    this.#entries.set(id, entry);
    this.enqueue(entry);
    return entry;
  }
}

/** The turns of all datasets. Times are milliseconds of a monotonic clock. */
export class DatasetQueues {
  readonly #queues = new Map<DatasetName, DatasetQueue>();

  [Symbol.iterator](): Iterator<DatasetQueue> {
    return this.#queues.values();
  }

  of(dataset: DatasetName): DatasetQueue | undefined {
    return this.#queues.get(dataset);
  }

  find({ dataset, id }: AgendaItem): AgendaEntry | undefined {
    return this.#queues.get(dataset)?.find(id);
  }

  /** Requests that a refresh of the item costs. */
  cost({ dataset }: AgendaItem): number {
    return this.#queues.get(dataset)?.cost ?? 1;
  }

  applyPlan({ name, intervalSeconds, cost, status }: PlannedDataset): void {
    const turn = this.#queues.get(name) ?? new DatasetQueue(name);
    this.#queues.set(name, turn);
    turn.intervalMilliseconds = intervalSeconds * 1000;
    turn.cost = cost;
    turn.status = status;
  }

  delete(turn: DatasetQueue): void {
    this.#queues.delete(turn.dataset);
  }

  /** Of the due items at the head of the datasets, the one that is the most intervals late. */
  mostOverdue(now: number, status: boolean): AgendaEntry | undefined {
    let latest: AgendaEntry | undefined;
    let most = 0;
    for (const turn of this.#queues.values()) {
      if (turn.status !== status) continue;
      const entry = turn.head(now);
      if (entry === undefined || turn.dueAt(entry) > now) continue;
      const lateness = turn.lateness(entry, now);
      if (latest !== undefined && lateness <= most) continue;
      latest = entry;
      most = lateness;
    }
    return latest;
  }

  /** Milliseconds until the first item is due; Infinity when there is none. */
  dueIn(now: number, status: boolean): number {
    let soonest = Number.POSITIVE_INFINITY;
    for (const turn of this.#queues.values()) {
      if (turn.status === status) soonest = Math.min(soonest, turn.dueIn(now));
    }
    return soonest;
  }

  /** When the longest due item became due; `now` when none is. */
  oldestDueAt(now: number): number {
    let oldest = now;
    for (const turn of this.#queues.values()) {
      const entry = turn.head(now);
      if (entry !== undefined) oldest = Math.min(oldest, turn.dueAt(entry));
    }
    return oldest;
  }
}
