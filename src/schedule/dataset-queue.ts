import { type DatasetName, datasetNames, datasetPolicies, type ItemId } from '../domain/dataset.ts';
import { getOrMake } from '../lib/get-or-make.ts';
import { hashUnit } from '../lib/random.ts';
import type { Slot } from '../state/items/slots.ts';
import type { PlannedDataset } from './demand.ts';
import { type AgendaEntry, createEntry, type KnownItem, type RefreshTask } from './refresh-task.ts';
import { grown, roomFor, SlotHeap } from './slot-heap.ts';

/** The slots of the listed items. */
interface SlottedItems {
  slotOf(id: number): Slot | undefined;
}

export interface AccountSlots {
  readonly checks: SlottedItems;
  readonly transactions: SlottedItems;
}

/** Of the account, whose data can be in one queue with those of checks. */
const accountSlot: Slot = { slot: 0, generation: 1 };

/** The row of an item is after that of the account. */
function afterAccount(item: Slot | undefined): Slot | undefined {
  return item && { slot: item.slot + 1, generation: item.generation };
}

/** Bits of a row. `isListed` is true or false, in turn, for the items of one reconciliation. */
const flag = { hasData: 1, isDeeper: 2, isListed: 4 };

/**
 * The items of one dataset in the order in which they are due. All have the same interval, so a new
 * plan does not change the order. An item is a row of arrays, by its slot; only while it is more
 * than that it is an entry, too. Times are milliseconds of a monotonic clock.
 */
export class DatasetQueue {
  readonly dataset: DatasetName;
  readonly #slotOf: (id: ItemId) => Slot | undefined;
  /** By slot: the entry of an item that is more than a row. */
  readonly #entries: (AgendaEntry | undefined)[] = [];
  /** Those that run, also of items that have left: at most as many as are refreshed at a time. */
  readonly #running: AgendaEntry[] = [];
  /** By slot: the id of the item in a row; 0 for the account. */
  #ids = new Float64Array(0);
  /** By slot: the generation of the item in a row; 0 without an item. */
  #generations = new Uint32Array(0);
  /** By slot: the start of the present interval. Without data: when the item was first seen. */
  #anchors = new Float64Array(0);
  /** By slot: the item's position in the interval of its dataset, of 2 ** 32. */
  #phases = new Uint32Array(0);
  #flags = new Uint8Array(0);
  #rows = 0;
  #isListed = false;
  readonly #fetched = new SlotHeap((a, b) => this.#anchor(a) < this.#anchor(b));
  /** Items without data: due at once, in the order of first sight, then by phase. */
  readonly #fresh = new SlotHeap((a, b) => {
    const [of, other] = [this.#anchor(a), this.#anchor(b)];
    return of < other || (of === other && this.#phase(a) < this.#phase(b));
  });
  intervalMilliseconds = Number.POSITIVE_INFINITY;
  #lastingMilliseconds = Number.POSITIVE_INFINITY;
  cost = 1;
  status = false;
  /** Each item is refreshed once, in the order of first sight, and never in the background. */
  isOnce = false;

  constructor(dataset: DatasetName, { checks, transactions }: AccountSlots) {
    this.dataset = dataset;
    const items = datasetPolicies[dataset].scope === 'check' ? checks : transactions;
    this.#slotOf = (id) => (id === 'account' ? accountSlot : afterAccount(items.slotOf(id)));
  }

  /** The number of items that wait. */
  get size(): number {
    return this.#fetched.size + this.#fresh.size;
  }

  /** Items without data that wait. */
  get freshSize(): number {
    return this.#fresh.size;
  }

  /** Returns whether items are refreshed at an interval, not only once. */
  get isStanding(): boolean {
    return !this.isOnce;
  }

  get empty(): boolean {
    return this.#rows === 0 && this.#running.length === 0;
  }

  /** Undefined for an unknown item, and for one that is only a row. */
  entryOf(id: ItemId): AgendaEntry | undefined {
    const row = this.#rowOf(id);
    return row === undefined ? undefined : this.#entries[row];
  }

  /** The entry of an item that runs, also if it has left. */
  runningOf(id: ItemId): AgendaEntry | undefined {
    return this.#running.find((entry) => entry.id === id);
  }

  /** Undefined for an unknown item. `rest` ends the entry. */
  find(id: ItemId): AgendaEntry | undefined {
    const row = this.#rowOf(id);
    return row === undefined ? undefined : this.entryAt(row);
  }

  /** The entry of the item in a row. */
  entryAt(slot: number): AgendaEntry {
    const { dataset } = this;
    const entry = this.#entries[slot] ?? createEntry({ dataset, id: this.#idAt(slot) }, slot);
    this.#entries[slot] = entry;
    return entry;
  }

  /** The item of an entry is only a row again. */
  rest({ slot }: AgendaEntry): void {
    if (slot >= 0) this.#entries[slot] = undefined;
  }

  /** The item of an entry waits no longer: it is refreshed now. */
  started(entry: AgendaEntry): void {
    this.dequeue(entry.slot);
    this.#running.push(entry);
  }

  ended(entry: AgendaEntry): void {
    this.#running.splice(this.#running.indexOf(entry), 1);
  }

  applyPlan(planned: PlannedDataset): void {
    this.intervalMilliseconds = planned.intervalSeconds * 1000;
    this.#lastingMilliseconds = planned.lastingIntervalSeconds * 1000;
    this.cost = planned.cost;
    this.status = planned.status;
    this.isOnce = planned.isOnce === true;
  }

  /**
   * Sets the items. `remove` receives the entries of items that are no longer listed. A running one
   * stays until it is returned, so that an item never runs twice at once.
   */
  reconcile(items: Iterable<KnownItem>, now: number, remove: (entry: AgendaEntry) => void): void {
    this.#isListed = !this.#isListed;
    let listed = 0;
    for (const { id, ageSeconds, isDeeper = false } of items) {
      const place = this.#slotOf(id);
      if (place === undefined) continue;
      const { slot, generation } = place;
      if (this.#generations[slot] !== generation) {
        this.#evict(slot, remove);
        this.#create(place, id, now, ageSeconds, remove);
      }
      if (isDeeper && !this.isDeeper(slot)) this.#renew(slot, now);
      this.#set(slot, flag.isDeeper, isDeeper);
      if (this.#has(slot, flag.isListed) === this.#isListed) continue;
      this.#set(slot, flag.isListed, this.#isListed);
      listed += 1;
    }
    if (listed === this.#rows) return;
    for (const slot of this.#flags.keys()) {
      if (this.#has(slot, flag.isListed) !== this.#isListed) this.#evict(slot, remove);
    }
  }

  enqueue(slot: number): void {
    (this.hasData(slot) ? this.#fetched : this.#fresh).add(slot);
  }

  dequeue(slot: number): void {
    this.#fetched.delete(slot);
    this.#fresh.delete(slot);
  }

  hasData(slot: number): boolean {
    return this.#has(slot, flag.hasData);
  }

  /** The item is to be read further back than before. */
  isDeeper(slot: number): boolean {
    return this.#has(slot, flag.isDeeper);
  }

  /** The item has data, or was refused, and its interval begins. It must not be in the queue. */
  fetched(slot: number, anchor: number): void {
    this.#anchors[slot] = anchor;
    this.#set(slot, flag.hasData, true);
  }

  /** The item was read as far back as is needed. */
  reachedEnd(slot: number): void {
    this.#set(slot, flag.isDeeper, false);
  }

  /** The next item without data; -1 if there is none. */
  get fresh(): number {
    return this.#fresh.peek();
  }

  /** The more overdue one of the first item with data and the first without; -1 without items. */
  head(now: number): number {
    const [first, fresh] = [this.#fetched.peek(), this.#fresh.peek()];
    if (first < 0 || fresh < 0) return Math.max(first, fresh);
    return this.lateness(first, now) > this.lateness(fresh, now) ? first : fresh;
  }

  /** The age of the data in intervals: 1 if the item is just due, more if it is late. */
  lateness(slot: number, now: number): number {
    const intervals = (now - this.#anchor(slot)) / this.intervalMilliseconds;
    return this.hasData(slot) ? intervals : 1 + intervals;
  }

  dueAt(slot: number): number {
    const anchor = this.#anchor(slot);
    return this.hasData(slot) ? anchor + this.intervalMilliseconds : anchor;
  }

  /** When an item is due, regardless of requests and retries; undefined if it is not listed. */
  dueAtOf(id: ItemId): number | undefined {
    const row = this.#rowOf(id);
    return row === undefined ? undefined : this.dueAt(row);
  }

  /** Milliseconds until the next item is due; Infinity without items. */
  dueIn(now: number): number {
    const slot = this.head(now);
    return slot < 0 ? Number.POSITIVE_INFINITY : Math.max(0, this.dueAt(slot) - now);
  }

  /**
   * The start of the next interval. An item refreshed on time keeps its phase, even if the request
   * takes long. An item refreshed early, or later than half an interval, starts a new interval now.
   * After the first fetch, the interval is shifted to the item's phase: by a part of the lasting
   * interval, because the present one is several times as long while the past is read.
   */
  nextAnchor(slot: number, startedAt: number): number {
    const interval = this.intervalMilliseconds;
    if (!Number.isFinite(interval)) return startedAt;
    if (!this.hasData(slot)) return startedAt + (this.status ? 0 : this.#shift(slot));
    const dueAt = this.dueAt(slot);
    const onTime = startedAt >= dueAt && startedAt < dueAt + interval / 2;
    return onTime ? dueAt : startedAt;
  }

  /** At most half of either interval, so that no item is due before it was read. */
  #shift(slot: number): number {
    const interval = Math.min(this.intervalMilliseconds, this.#lastingMilliseconds);
    return (this.#phase(slot) - 0.5) * interval;
  }

  /** The row of an item, if that is of this arrival of it. */
  #rowOf(id: ItemId): number | undefined {
    const place = this.#slotOf(id);
    if (place === undefined || this.#generations[place.slot] !== place.generation) return undefined;
    return place.slot;
  }

  #idAt(slot: number): ItemId {
    return slot === accountSlot.slot ? 'account' : (this.#ids[slot] ?? 0);
  }

  #anchor(slot: number): number {
    return this.#anchors[slot] as number;
  }

  #phase(slot: number): number {
    return (this.#phases[slot] as number) / 2 ** 32;
  }

  #has(slot: number, bit: number): boolean {
    return ((this.#flags[slot] as number) & bit) !== 0;
  }

  #set(slot: number, bit: number, value: boolean): void {
    const flags = this.#flags[slot] as number;
    this.#flags[slot] = value ? flags | bit : flags & ~bit;
  }

  /** An item that was read, or refused, lacks data again. */
  #renew(slot: number, now: number): void {
    this.dequeue(slot);
    this.#set(slot, flag.hasData, false);
    const { running, retryAt = 0 } = this.#entries[slot] ?? {};
    if (running === undefined && retryAt <= now) this.enqueue(slot);
  }

  #create(
    { slot, generation }: Slot,
    id: ItemId,
    now: number,
    ageSeconds: number | undefined,
    remove: (entry: AgendaEntry) => void,
  ): void {
    if (slot >= this.#ids.length) this.#grow(roomFor(slot + 1));
    this.#rows += 1;
    const number = id === 'account' ? 0 : id;
    this.#ids[slot] = number;
    this.#phases[slot] = hashUnit(datasetNames.indexOf(this.dataset), number) * 2 ** 32;
    this.#generations[slot] = generation;
    this.#anchors[slot] = now - (ageSeconds ?? 0) * 1000;
    this.#flags[slot] = ageSeconds === undefined ? 0 : flag.hasData;
    this.#set(slot, flag.isListed, !this.#isListed);
    // Its earlier row, if it still has one, is evicted with the items that are not listed.
    const running = this.runningOf(id);
    if (running === undefined) {
      this.enqueue(slot);
      return;
    }
    this.#leave(running, remove);
    running.slot = slot;
    this.#entries[slot] = running;
  }

  /** Empties a row, if it has an item. */
  #evict(slot: number, remove: (entry: AgendaEntry) => void): void {
    if ((this.#generations[slot] ?? 0) === 0) return;
    this.dequeue(slot);
    this.#generations[slot] = 0;
    this.#rows -= 1;
    const entry = this.#entries[slot];
    if (entry !== undefined) this.#leave(entry, remove);
  }

  #leave(entry: AgendaEntry, remove: (entry: AgendaEntry) => void): void {
    remove(entry);
    this.rest(entry);
    entry.slot = -1;
  }

  #grow(size: number): void {
    this.#ids = grown(new Float64Array(size), this.#ids);
    this.#generations = grown(new Uint32Array(size), this.#generations);
    this.#anchors = grown(new Float64Array(size), this.#anchors);
    this.#phases = grown(new Uint32Array(size), this.#phases);
    this.#flags = grown(new Uint8Array(size), this.#flags);
  }
}

/** The queues of all datasets. Times are milliseconds of a monotonic clock. */
export class DatasetQueues {
  readonly #slots: AccountSlots;
  readonly #queues = new Map<DatasetName, DatasetQueue>();

  constructor(slots: AccountSlots) {
    this.#slots = slots;
  }

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
    getOrMake(this.#queues, name, () => new DatasetQueue(name, this.#slots)).applyPlan(planned);
  }

  delete(queue: DatasetQueue): void {
    this.#queues.delete(queue.dataset);
  }

  /** The queue with the most overdue head, measured in intervals; undefined if none is due. */
  mostOverdue(now: number, status: boolean): DatasetQueue | undefined {
    let latest: DatasetQueue | undefined;
    let maxLateness = 0;
    for (const queue of this.#queues.values()) {
      if (queue.status !== status || !queue.isStanding) continue;
      const head = queue.head(now);
      if (head < 0 || queue.dueAt(head) > now) continue;
      const lateness = queue.lateness(head, now);
      if (latest !== undefined && lateness <= maxLateness) continue;
      latest = queue;
      maxLateness = lateness;
    }
    return latest;
  }

  /** The queue whose next item without data is one whose past beyond 35 days is to be read. */
  deeper(): DatasetQueue | undefined {
    for (const queue of this.#queues.values()) {
      if (queue.isOnce && queue.fresh >= 0 && queue.isDeeper(queue.fresh)) return queue;
    }
    return undefined;
  }

  /** The background queue with the shortest interval that has an item without data. */
  fresh(): DatasetQueue | undefined {
    let first: DatasetQueue | undefined;
    for (const queue of this.#queues.values()) {
      if (queue.status || !queue.isStanding || queue.fresh < 0) continue;
      const shortest = first?.intervalMilliseconds ?? Number.POSITIVE_INFINITY;
      if (queue.intervalMilliseconds < shortest) first = queue;
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
      const head = queue.isStanding ? queue.head(now) : -1;
      if (head >= 0) oldest = Math.min(oldest, queue.dueAt(head));
    }
    return oldest;
  }

  /** Seconds for which the most overdue item of each dataset has been due; 0 if none is. */
  overdueSeconds(now: number): { [D in DatasetName]?: number } {
    const standing = [...this.#queues.values()].filter(({ isStanding }) => isStanding);
    return Object.fromEntries(
      standing.map((queue) => {
        const head = queue.head(now);
        const dueAt = head < 0 ? now : Math.min(now, queue.dueAt(head));
        return [queue.dataset, (now - dueAt) / 1000];
      }),
    );
  }
}
