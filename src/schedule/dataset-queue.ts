import type { DatasetName, ItemId } from '../domain/dataset.ts';
import { getOrMake } from '../lib/get-or-make.ts';
import type { PlannedDataset } from './demand.ts';
import { IndexedHeap } from './indexed-heap.ts';
import { type AgendaEntry, createEntry, type KnownItem, type RefreshTask } from './refresh-task.ts';

/**
 * The items of one dataset in the order in which they are due. All have the same interval, so a new
 * plan does not change the order. Times are milliseconds of a monotonic clock.
 */
export class DatasetQueue {
  readonly dataset: DatasetName;
  readonly #entries = new Map<ItemId, AgendaEntry>();
  readonly #fetched = new IndexedHeap<AgendaEntry>((a, b) => a.anchor < b.anchor);
  /** Items without data: due at once, in the order of first sight, then by phase. */
  readonly #fresh = new IndexedHeap<AgendaEntry>(
    (a, b) => a.anchor < b.anchor || (a.anchor === b.anchor && a.phase < b.phase),
  );
  #listing = 0;
  intervalMilliseconds = Number.POSITIVE_INFINITY;
  #lastingMilliseconds = Number.POSITIVE_INFINITY;
  cost = 1;
  status = false;
  /** Each item is refreshed once, in the order of first sight, and never in the background. */
  isOnce = false;

  constructor(dataset: DatasetName) {
    this.dataset = dataset;
  }

  get size(): number {
    return this.#fetched.size + this.#fresh.size;
  }

  /** Items without data. */
  get freshSize(): number {
    return this.#fresh.size;
  }

  /** Returns whether items are refreshed at an interval, not only once. */
  get isStanding(): boolean {
    return !this.isOnce;
  }

  get empty(): boolean {
    return this.#entries.size === 0;
  }

  find(id: ItemId): AgendaEntry | undefined {
    return this.#entries.get(id);
  }

  entries(): Iterable<AgendaEntry> {
    return this.#entries.values();
  }

  applyPlan(planned: PlannedDataset): void {
    this.intervalMilliseconds = planned.intervalSeconds * 1000;
    this.#lastingMilliseconds = planned.lastingIntervalSeconds * 1000;
    this.cost = planned.cost;
    this.status = planned.status;
    this.isOnce = planned.isOnce === true;
  }

  /** Sets the items; returns the entries of removed items. */
  reconcile(items: Iterable<KnownItem>, now: number): AgendaEntry[] {
    this.#listing += 1;
    let listed = 0;
    for (const { id, ageSeconds, isDeeper = false } of items) {
      const entry = this.#entries.get(id) ?? this.#create(id, now, ageSeconds);
      if (isDeeper && !entry.isDeeper) this.#renew(entry, now);
      entry.isDeeper = isDeeper;
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

  /** The next entry without data. */
  get fresh(): AgendaEntry | undefined {
    return this.#fresh.peek();
  }

  /** The more overdue one of the first entry with data and the first without. */
  head(now: number): AgendaEntry | undefined {
    const fetched = this.#fetched.peek();
    const fresh = this.#fresh.peek();
    if (fetched === undefined || fresh === undefined) return fetched ?? fresh;
    return this.lateness(fetched, now) > this.lateness(fresh, now) ? fetched : fresh;
  }

  /** The age of the data in intervals: 1 if the item is just due, more if it is late. */
  lateness(entry: AgendaEntry, now: number): number {
    const intervals = (now - entry.anchor) / this.intervalMilliseconds;
    return entry.fetched ? intervals : 1 + intervals;
  }

  dueAt(entry: AgendaEntry): number {
    return entry.fetched ? entry.anchor + this.intervalMilliseconds : entry.anchor;
  }

  /** Milliseconds until the next item is due; Infinity without items. */
  dueIn(now: number): number {
    const entry = this.head(now);
    return entry === undefined ? Number.POSITIVE_INFINITY : Math.max(0, this.dueAt(entry) - now);
  }

  /**
   * The start of the next interval. An item refreshed on time keeps its phase, even if the request
   * takes long. An item refreshed early, or later than half an interval, starts a new interval now.
   * After the first fetch, the interval is shifted to the item's phase: by a part of the lasting
   * interval, because the present one is several times as long while the past is read.
   */
  nextAnchor(entry: AgendaEntry, startedAt: number): number {
    const interval = this.intervalMilliseconds;
    if (!Number.isFinite(interval)) return startedAt;
    if (!entry.fetched) return startedAt + (this.status ? 0 : this.#shift(entry));
    const dueAt = this.dueAt(entry);
    const onTime = startedAt >= dueAt && startedAt < dueAt + interval / 2;
    return onTime ? dueAt : startedAt;
  }

  /** At most half of either interval, so that no item is due before it was read. */
  #shift({ phase }: AgendaEntry): number {
    return (phase - 0.5) * Math.min(this.intervalMilliseconds, this.#lastingMilliseconds);
  }

  /** An item that was read, or refused, lacks data again. */
  #renew(entry: AgendaEntry, now: number): void {
    this.dequeue(entry);
    entry.fetched = false;
    if (entry.running === undefined && entry.retryAt <= now) this.enqueue(entry);
  }

  #create(id: ItemId, now: number, ageSeconds: number | undefined): AgendaEntry {
    const entry = createEntry({ dataset: this.dataset, id }, now, ageSeconds);
    this.#entries.set(id, entry);
    this.enqueue(entry);
    return entry;
  }
}

/** The queues of all datasets. Times are milliseconds of a monotonic clock. */
export class DatasetQueues {
  readonly #queues = new Map<DatasetName, DatasetQueue>();

  [Symbol.iterator](): Iterator<DatasetQueue> {
    return this.#queues.values();
  }

  of(dataset: DatasetName): DatasetQueue | undefined {
    return this.#queues.get(dataset);
  }

  find({ dataset, id }: RefreshTask): AgendaEntry | undefined {
    return this.#queues.get(dataset)?.find(id);
  }

  /** Requests per refresh of one item. */
  cost(dataset: DatasetName): number {
    return this.#queues.get(dataset)?.cost ?? 1;
  }

  applyPlan(planned: PlannedDataset): void {
    const { name } = planned;
    getOrMake(this.#queues, name, () => new DatasetQueue(name)).applyPlan(planned);
  }

  delete(queue: DatasetQueue): void {
    this.#queues.delete(queue.dataset);
  }

  /** The most overdue head of a queue, measured in intervals; undefined if none is due. */
  mostOverdue(now: number, status: boolean): AgendaEntry | undefined {
    let latest: AgendaEntry | undefined;
    let maxLateness = 0;
    for (const queue of this.#queues.values()) {
      if (queue.status !== status || !queue.isStanding) continue;
      const entry = queue.head(now);
      if (entry === undefined || queue.dueAt(entry) > now) continue;
      const lateness = queue.lateness(entry, now);
      if (latest !== undefined && lateness <= maxLateness) continue;
      latest = entry;
      maxLateness = lateness;
    }
    return latest;
  }

  /** The next item whose past beyond 35 days is to be read. */
  deeper(): AgendaEntry | undefined {
    for (const { isOnce, fresh } of this.#queues.values()) {
      if (isOnce && fresh?.isDeeper) return fresh;
    }
    return undefined;
  }

  /** A background item without data, from the dataset with the shortest interval that has one. */
  fresh(): AgendaEntry | undefined {
    let first: AgendaEntry | undefined;
    let shortest = Number.POSITIVE_INFINITY;
    for (const { status, isStanding, fresh, intervalMilliseconds } of this.#queues.values()) {
      if (status || !isStanding || fresh === undefined || intervalMilliseconds >= shortest)
        continue;
      first = fresh;
      shortest = intervalMilliseconds;
    }
    return first;
  }

  /** Milliseconds until the first item is due; Infinity without items. */
  dueIn(now: number, status: boolean): number {
    let soonest = Number.POSITIVE_INFINITY;
    for (const queue of this.#queues.values()) {
      if (queue.status !== status || !queue.isStanding) continue;
      soonest = Math.min(soonest, queue.dueIn(now));
    }
    return soonest;
  }

  /** The time at which the oldest due item became due; `now` if none is due. */
  oldestDueAt(now: number): number {
    let oldest = now;
    for (const queue of this.#queues.values()) {
      const entry = queue.isStanding ? queue.head(now) : undefined;
      if (entry !== undefined) oldest = Math.min(oldest, queue.dueAt(entry));
    }
    return oldest;
  }

  /** Seconds for which the most overdue item of each dataset has been due; 0 if none is. */
  overdueSeconds(now: number): { [D in DatasetName]?: number } {
    const standing = [...this.#queues.values()].filter(({ isStanding }) => isStanding);
    return Object.fromEntries(
      standing.map((queue) => {
        const entry = queue.head(now);
        const dueAt = entry === undefined ? now : Math.min(now, queue.dueAt(entry));
        return [queue.dataset, (now - dueAt) / 1000];
      }),
    );
  }
}
