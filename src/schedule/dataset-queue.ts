import { type DatasetName, datasetNames, datasetPolicies, type ItemId } from '../domain/dataset.ts';
import { hashUnit } from '../lib/random.ts';
import type { Slot } from '../state/items/slots.ts';
import { AgendaRows, rowFlag } from './agenda-rows.ts';
import type { PlannedDataset } from './demand.ts';
import { type AgendaEntry, createEntry, type KnownItem } from './refresh-task.ts';
import { SlotHeap } from './slot-heap.ts';

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
  /**
   * The id is 0 for the account. The anchor is the start of the present interval or, without data,
   * when the item was first seen. The phase is the item's position in the interval of its dataset.
   */
  readonly #rows = new AgendaRows();
  /** The value of `isListed` for the items of the last reconciliation. */
  #isListed = false;
  readonly #fetched = new SlotHeap((a, b) => this.#rows.anchor(a) < this.#rows.anchor(b));
  /** Items without data: due at once, in the order of first sight, then by phase. */
  readonly #unread = new SlotHeap((a, b) => {
    const [of, other] = [this.#rows.anchor(a), this.#rows.anchor(b)];
    return of < other || (of === other && this.#rows.phase(a) < this.#rows.phase(b));
  });
  intervalMilliseconds = Number.POSITIVE_INFINITY;
  #lastingMilliseconds = Number.POSITIVE_INFINITY;
  cost = 1;
  isStatus = false;
  /** Each item is refreshed once, in the order of first sight, and never in the background. */
  isOnce = false;

  constructor(dataset: DatasetName, { checks, transactions }: AccountSlots) {
    this.dataset = dataset;
    const items = datasetPolicies[dataset].scope === 'check' ? checks : transactions;
    this.#slotOf = (id) => (id === 'account' ? accountSlot : afterAccount(items.slotOf(id)));
  }

  /** The number of items that wait. */
  get size(): number {
    return this.#fetched.size + this.#unread.size;
  }

  /** Items without data that wait. */
  get unreadSize(): number {
    return this.#unread.size;
  }

  get runningSize(): number {
    return this.#running.length;
  }

  /** Returns whether items are refreshed at an interval, not only once. */
  get isStanding(): boolean {
    return !this.isOnce;
  }

  get empty(): boolean {
    return this.#rows.size === 0 && this.#running.length === 0;
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
    const id = slot === accountSlot.slot ? 'account' : this.#rows.id(slot);
    const entry = this.#entries[slot] ?? createEntry({ dataset, id }, slot);
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
    this.isStatus = planned.isStatus;
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
      const { slot } = place;
      if (!this.#rows.holds(place)) {
        this.#evict(slot, remove);
        this.#create(place, id, now, ageSeconds, remove);
      }
      if (isDeeper && !this.isDeeper(slot)) this.#renew(slot, now);
      this.#rows.set(slot, rowFlag.isDeeper, isDeeper);
      if (this.#rows.has(slot, rowFlag.isListed) === this.#isListed) continue;
      this.#rows.set(slot, rowFlag.isListed, this.#isListed);
      listed += 1;
    }
    if (listed === this.#rows.size) return;
    for (const slot of this.#rows.slots()) {
      if (this.#rows.has(slot, rowFlag.isListed) !== this.#isListed) this.#evict(slot, remove);
    }
  }

  enqueue(slot: number): void {
    (this.hasData(slot) ? this.#fetched : this.#unread).add(slot);
  }

  dequeue(slot: number): void {
    this.#fetched.delete(slot);
    this.#unread.delete(slot);
  }

  hasData(slot: number): boolean {
    return this.#rows.has(slot, rowFlag.hasData);
  }

  /** The item is to be read further back than before. */
  isDeeper(slot: number): boolean {
    return this.#rows.has(slot, rowFlag.isDeeper);
  }

  /** The item has data, or was refused, and its interval begins. It must not be in the queue. */
  fetched(slot: number, anchor: number): void {
    this.#rows.setAnchor(slot, anchor);
    this.#rows.set(slot, rowFlag.hasData, true);
  }

  /**
   * An item that goes on failing is at its retry no more overdue than one that has just become due.
   * Otherwise a dataset that cannot be read would take more and more turns of the others.
   */
  yielded(slot: number, retryAt: number): void {
    if (this.isStatus || this.isOnce) return;
    const anchor = this.hasData(slot) ? retryAt - this.intervalMilliseconds : retryAt;
    this.#rows.setAnchor(slot, Math.max(anchor, this.#rows.anchor(slot)));
  }

  /** The item was read as far back as is needed. */
  reachedEnd(slot: number): void {
    this.#rows.set(slot, rowFlag.isDeeper, false);
  }

  /** The next item without data; -1 if there is none. */
  get nextUnread(): number {
    return this.#unread.peek();
  }

  /** The more overdue one of the first item with data and the first without; -1 without items. */
  head(now: number): number {
    const [fetched, unread] = [this.#fetched.peek(), this.#unread.peek()];
    if (fetched < 0 || unread < 0) return Math.max(fetched, unread);
    return this.lateness(fetched, now) > this.lateness(unread, now) ? fetched : unread;
  }

  /** The age of the data in intervals: 1 if the item is just due, more if it is late. */
  lateness(slot: number, now: number): number {
    const intervals = (now - this.#rows.anchor(slot)) / this.intervalMilliseconds;
    return this.hasData(slot) ? intervals : 1 + intervals;
  }

  dueAt(slot: number): number {
    const anchor = this.#rows.anchor(slot);
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
    if (!this.hasData(slot)) return startedAt + (this.isStatus ? 0 : this.#shift(slot));
    const dueAt = this.dueAt(slot);
    const onTime = startedAt >= dueAt && startedAt < dueAt + interval / 2;
    return onTime ? dueAt : startedAt;
  }

  /** The present interval, or the lasting one if that is shorter. */
  get usualMilliseconds(): number {
    return Math.min(this.intervalMilliseconds, this.#lastingMilliseconds);
  }

  /** At most half of either interval, so that no item is due before it was read. */
  #shift(slot: number): number {
    return (this.#rows.phase(slot) - 0.5) * this.usualMilliseconds;
  }

  /** The row of an item, if that is of this arrival of it. */
  #rowOf(id: ItemId): number | undefined {
    const place = this.#slotOf(id);
    return place !== undefined && this.#rows.holds(place) ? place.slot : undefined;
  }

  /** An item that was read, or refused, lacks data again. */
  #renew(slot: number, now: number): void {
    this.dequeue(slot);
    this.#rows.set(slot, rowFlag.hasData, false);
    const { running, retryAt = 0 } = this.#entries[slot] ?? {};
    if (running === undefined && retryAt <= now) this.enqueue(slot);
  }

  #create(
    place: Slot,
    id: ItemId,
    now: number,
    ageSeconds: number | undefined,
    remove: (entry: AgendaEntry) => void,
  ): void {
    const { slot } = place;
    const number = id === 'account' ? 0 : id;
    this.#rows.add(place, {
      id: number,
      anchor: now - (ageSeconds ?? 0) * 1000,
      phase: hashUnit(datasetNames.indexOf(this.dataset), number),
      hasData: ageSeconds !== undefined,
    });
    this.#rows.set(slot, rowFlag.isListed, !this.#isListed);
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
    if (!this.#rows.delete(slot)) return;
    this.dequeue(slot);
    const entry = this.#entries[slot];
    if (entry !== undefined) this.#leave(entry, remove);
  }

  #leave(entry: AgendaEntry, remove: (entry: AgendaEntry) => void): void {
    remove(entry);
    this.rest(entry);
    entry.slot = -1;
  }
}
