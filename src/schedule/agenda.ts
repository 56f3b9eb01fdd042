import {
  type Allowances,
  type DatasetName,
  datasetPolicies,
  type RefreshClass,
} from '../domain/dataset.ts';
import type { Random } from '../lib/random.ts';
import { AgendaFigures } from './agenda-figures.ts';
import { PlannedAllowances, probeIntervalSeconds } from './allowances.ts';
import { Batches } from './batches.ts';
import type { AccountSlots, DatasetQueue } from './dataset-queue.ts';
import { DatasetQueues } from './dataset-queues.ts';
import type { EventAllowance } from './event-allowance.ts';
import { FirstSightRequests } from './first-sight-requests.ts';
import { IndexedHeap } from './indexed-heap.ts';
import type { Plan } from './plan.ts';
import type { AgendaEntry, AllowanceName, KnownItem, RefreshTask } from './refresh-task.ts';
import { type FailureFacts, isYielding, Retries } from './retries.ts';
import type { FailureKind } from './retry-delay.ts';

/** An item to refresh now, with the reason. The caller returns it to the agenda afterwards. */
export interface AgendaTask extends RefreshTask {
  readonly reason: RefreshClass;
}

/** One kind of refresh that the agenda starts. Times are milliseconds. */
interface Turn {
  /** It starts even while others are held after failures. */
  readonly isNeverHeld?: boolean;
  /** 0: at once; Infinity: there is none. */
  readonly startsIn: (now: number) => number;
  readonly start: (now: number) => AgendaTask | undefined;
}

/**
 * Decides which item is refreshed next, and is the only owner of retries. The order is: status
 * datasets; items that events request, within their allowance; the requests of first sight, in
 * their order; items without data, paid from the rest of first sight's credit; pasts beyond 35 days,
 * from what is left of it and at their planned rate; and background items, the most overdue first in
 * relation to their intervals, so that none starves. Nothing exceeds the planned rates. Times are
 * milliseconds of a monotonic clock.
 */
export class Agenda {
  readonly #queues: DatasetQueues;
  readonly #requested = new IndexedHeap<AgendaEntry>(isRequestedBefore);
  readonly #first = new FirstSightRequests();
  readonly #retries: Retries;
  readonly #allowances = new PlannedAllowances();
  readonly #batches = new Batches();
  /** What waits, and for how long. */
  readonly figures: AgendaFigures;

  constructor(random: Random, slots: AccountSlots) {
    this.#queues = new DatasetQueues(slots);
    this.#retries = new Retries(random, (entry) => {
      if (isYielding(entry)) this.#queues.of(entry.dataset)?.yielded(entry.slot, entry.retryAt);
      this.#enqueue(entry);
    });
    this.figures = new AgendaFigures({
      queues: this.#queues,
      requested: this.#requested,
      first: this.#first,
      retries: this.#retries,
      allowances: this.#allowances,
    });
  }

  /** Restores allowances of `elapsedSeconds` ago (at least 0), before the first plan. */
  restore(allowances: Allowances, elapsedSeconds: number, now: number): void {
    this.#allowances.restore(allowances, elapsedSeconds, now);
    this.#first.hold();
  }

  /** Undefined before the first plan. */
  allowances(now: number): Allowances | undefined {
    return this.#allowances.levels(now);
  }

  /** Applies the intervals of a plan and drops datasets that it lacks. O(number of datasets). */
  applyPlan(plan: Plan, allowance: EventAllowance, now: number): void {
    const names = new Set(plan.datasets.map((dataset) => dataset.name));
    for (const queue of [...this.#queues]) {
      if (names.has(queue.dataset)) continue;
      queue.reconcile([], now, this.#remove);
      if (queue.empty) this.#queues.delete(queue);
    }
    for (const dataset of plan.datasets) {
      const isIdle = dataset.isStatus && !Number.isFinite(dataset.intervalSeconds);
      this.#queues.applyPlan(
        isIdle ? { ...dataset, intervalSeconds: probeIntervalSeconds } : dataset,
      );
    }
    this.#batches.applyPlan(plan);
    this.#allowances.applyPlan(plan, allowance, now);
  }

  /** Sets the items of a planned dataset. */
  reconcile(dataset: DatasetName, items: Iterable<KnownItem>, now: number): void {
    this.#queues.of(dataset)?.reconcile(items, now, this.#remove);
  }

  /** Requests items for first sight, once, in this order. A request by an event stays. */
  placeFirst(items: Iterable<RefreshTask>, now: number): void {
    let place = 0;
    for (const item of items) {
      place += 1;
      const entry = this.#queues.find(item);
      if (entry === undefined || entry.placeableAt > now || entry.running !== undefined) continue;
      if (entry.request !== undefined && entry.request.place === undefined) continue;
      this.#first.delete(entry);
      entry.request = { since: entry.request?.since ?? now, dueBy: now, place };
      if (!this.#retries.has(entry)) this.#enqueue(entry);
    }
  }

  /** Requests a refresh before it is due, because of an event. False for an unknown item. */
  expedite(item: RefreshTask, now: number): boolean {
    const entry = this.#queues.find(item);
    if (entry === undefined) return false;
    const patience = datasetPolicies[item.dataset].patienceSeconds * 1000;
    const yields = isYielding(entry);
    const dueBy = yields ? Number.POSITIVE_INFINITY : now + patience;
    const { request } = entry;
    if (request !== undefined && request.place === undefined && request.dueBy <= dueBy) return true;
    this.#first.delete(entry);
    this.#requested.delete(entry);
    entry.request = { since: now, dueBy, isUrgent: patience === 0 && !yields };
    if (entry.running === undefined && !this.#retries.has(entry)) this.#requested.add(entry);
    return true;
  }

  isRunning(item: RefreshTask): boolean {
    return this.#queues.of(item.dataset)?.runningOf(item.id) !== undefined;
  }

  /** Takes an immediate refresh from the event allowance; false if that is used up. */
  takeEvent(dataset: DatasetName, now: number): boolean {
    const cost = this.#queues.cost(dataset);
    if (this.#allowances.waitFor('event', cost, now) > 0) return false;
    this.#allowances.take('event', cost, now);
    return true;
  }

  /** Takes one request from the event allowance; false if less than half of a burst is left. */
  takeSpareEvent(now: number): boolean {
    if (!this.#allowances.hasSpareEvent(now)) return false;
    this.#allowances.take('event', 1, now);
    return true;
  }

  /** Returns the next due item, if any. It is running until the caller returns it. */
  next(now: number): AgendaTask | undefined {
    this.#retries.releaseDue(now);
    const isHeld = this.#retries.millisecondsToHold(now, this.#queues.running) > 0;
    for (const { startsIn, start, isNeverHeld } of this.#turns) {
      if (isHeld && isNeverHeld !== true) continue;
      if (startsIn(now) === 0) return start(now);
    }
    if (this.#plannedIn('background', now) > 0) this.#batches.end();
    return undefined;
  }

  /** Milliseconds until `next` returns an item; Infinity if that needs an event or a result. */
  nextDueIn(now: number): number {
    this.#retries.releaseDue(now);
    const hold = this.#retries.millisecondsToHold(now, this.#queues.running);
    const waits = this.#turns.map(({ startsIn, isNeverHeld }) =>
      Math.max(isNeverHeld === true ? 0 : hold, startsIn(now)),
    );
    return Math.max(0, Math.min(this.#retries.dueIn(now), ...waits));
  }

  /** `isUnfinished`: the item has more to read. */
  succeeded(task: AgendaTask, startedAt: number, isUnfinished = false): void {
    this.#first.refreshSucceeded();
    this.#refreshed(task, startedAt, isUnfinished);
    this.#retries.refreshSucceeded();
  }

  /** Nothing was requested, because the data were known: this ends no wait for the service. */
  unrequested(task: AgendaTask, startedAt: number, isUnfinished = false): void {
    this.#refreshed(task, startedAt, isUnfinished);
  }

  #refreshed(task: AgendaTask, startedAt: number, isUnfinished: boolean): void {
    this.#settle(task, (queue, entry) => {
      this.#retries.itemRefreshed(entry);
      if (queue.isOnce) {
        // It remains an item only if the report was incomplete. It is then requested again.
        entry.placeableAt = startedAt + datasetPolicies[task.dataset].floorSeconds * 1000;
        if (!isUnfinished) queue.reachedEnd(entry.slot);
        if (isUnfinished) this.#enqueue(entry);
        return;
      }
      const isEarly = task.reason === 'event' && queue.hasData(entry.slot);
      queue.fetched(entry.slot, isEarly ? startedAt : queue.nextAnchor(entry.slot, startedAt));
      // What the item lacks is older than any event, so it is read when no event waits.
      if (isUnfinished) entry.request ??= { since: startedAt, dueBy: Number.POSITIVE_INFINITY };
      this.#enqueue(entry);
    });
  }

  failed(task: AgendaTask, kind: FailureKind, now: number, facts: FailureFacts = {}): void {
    this.#retries.refreshFailed(now, facts);
    this.#settle(task, (queue, entry) => {
      const { isStatus, isOnce, usualMilliseconds: intervalMilliseconds } = queue;
      const isUrgent = isOnce || datasetPolicies[task.dataset].patienceSeconds === 0;
      const failure = { ...facts, kind, isStatus, isUrgent, intervalMilliseconds };
      this.#retries.addFailed(entry, failure, now);
    });
  }

  /**
   * The refresh could not be made or completed, and may be tried again from `until` on. This is not
   * a failure. Its whole cost is returned to the allowance, because the retry costs as much again.
   * Requests that were sent still count against the budget.
   */
  postponed(task: AgendaTask, until: number): void {
    this.#settle(task, (queue, entry) => {
      this.#allowances.giveBack(entry.running?.paidBy ?? task.reason, queue.cost);
      entry.placeableAt = 0;
      this.#retries.add(entry, until);
    });
  }

  /** The service refuses this item. It waits for its interval or an event. */
  skipped(task: AgendaTask, startedAt: number): void {
    this.#settle(task, (queue, entry) => {
      queue.fetched(entry.slot, queue.nextAnchor(entry.slot, startedAt));
      if (queue.isOnce) {
        queue.reachedEnd(entry.slot);
        entry.placeableAt = startedAt + datasetPolicies[task.dataset].patienceSeconds * 1000;
      }
      this.#enqueue(entry);
    });
  }

  /** Everything that waits after a failure may be tried again now. */
  retryNow(): void {
    this.#retries.releaseAll();
  }

  /** Recent requests per second for events. The plan reserves this rate. */
  eventRate(now: number): number {
    return this.#allowances.eventRate(now);
  }

  /** In order of precedence: the first one that can start does. */
  readonly #turns: readonly Turn[] = [
    {
      isNeverHeld: true,
      startsIn: (now) => this.#plannedIn('status', now),
      start: (now) => this.#startMostOverdue('status', now),
    },
    {
      startsIn: (now) => this.#paidIn('event', this.#requested.peek()?.dataset, now),
      start: (now) => this.#start(this.#requested.peek(), 'event', now),
    },
    {
      startsIn: (now) => this.#paidIn('firstSight', this.#first.next()?.dataset, now),
      start: (now) => this.#start(this.#first.next(), 'event', now, 'firstSight'),
    },
    {
      startsIn: (now) => (this.#creditedUnread(now) === undefined ? Number.POSITIVE_INFINITY : 0),
      start: (now) => this.#startUnread(this.#creditedUnread(now), now),
    },
    {
      startsIn: (now) => this.#paidIn('firstSight', this.#deeper?.dataset, now),
      start: (now) => this.#startUnread(this.#deeper, now),
    },
    {
      startsIn: (now) => Math.max(this.#plannedIn('background', now), this.#batchIn(now)),
      start: (now) => {
        this.#batches.itemStarts(now);
        return this.#startMostOverdue('background', now);
      },
    },
  ];

  /** Milliseconds until the allowance pays for a refresh of the dataset; Infinity without one. */
  #paidIn(by: AllowanceName, dataset: DatasetName | undefined, now: number): number {
    if (dataset === undefined) return Number.POSITIVE_INFINITY;
    return this.#allowances.waitFor(by, this.#queues.cost(dataset), now);
  }

  /** The next past beyond 35 days; undefined while first sight has requests. */
  get #deeper(): DatasetQueue | undefined {
    return this.#first.size > 0 || this.#first.isHeld ? undefined : this.#queues.deeper();
  }

  /** A background item without data, which the rest of first sight's credit pays for. */
  #creditedUnread(now: number): DatasetQueue | undefined {
    if (this.#first.size > 0 || this.#first.isHeld) return undefined;
    const unread = this.#queues.unread();
    if (unread === undefined) return undefined;
    return this.#allowances.credit(now) >= unread.cost ? unread : undefined;
  }

  #batchIn(now: number): number {
    const untilFull = this.#allowances.waitFor('background', Number.POSITIVE_INFINITY, now);
    return this.#batches.startIn(now, untilFull);
  }

  /**
   * Milliseconds until an item of the class may start. If items are due, this waits for the tokens
   * of the most overdue one. Otherwise a costly item would never be refreshed.
   */
  #plannedIn(by: 'status' | 'background', now: number): number {
    const latest = this.#queues.mostOverdue(now, by === 'status');
    if (latest !== undefined) return this.#allowances.waitFor(by, latest.cost, now);
    return this.#queues.dueIn(now, by === 'status');
  }

  #startMostOverdue(reason: 'status' | 'background', now: number): AgendaTask | undefined {
    const queue = this.#queues.mostOverdue(now, reason === 'status');
    return queue && this.#start(queue.entryAt(queue.head(now)), reason, now);
  }

  #startUnread(queue: DatasetQueue | undefined, now: number): AgendaTask | undefined {
    return queue && this.#start(queue.entryAt(queue.nextUnread), 'background', now, 'firstSight');
  }

  #start(
    entry: AgendaEntry | undefined,
    reason: RefreshClass,
    now: number,
    paidBy: AllowanceName = reason,
  ): AgendaTask | undefined {
    if (entry === undefined) return undefined;
    this.#allowances.take(paidBy, this.#queues.cost(entry.dataset), now);
    this.#queues.of(entry.dataset)?.started(entry);
    this.#requested.delete(entry);
    this.#first.refreshStarted(entry);
    entry.running = { request: entry.request, paidBy };
    entry.request = undefined;
    return { dataset: entry.dataset, id: entry.id, reason };
  }

  /** An item that has left meanwhile is not given back: its slot may be another item's. */
  #settle(task: AgendaTask, giveBack: (queue: DatasetQueue, entry: AgendaEntry) => void): void {
    const queue = this.#queues.of(task.dataset);
    const entry = queue?.runningOf(task.id);
    if (queue === undefined || entry === undefined) return;
    queue.ended(entry);
    this.#first.refreshEnded(entry);
    if (entry.slot >= 0) giveBack(queue, entry);
    entry.running = undefined;
    this.#rest(entry);
  }

  #enqueue(entry: AgendaEntry): void {
    this.#queues.of(entry.dataset)?.enqueue(entry.slot);
    if (entry.request === undefined) this.#rest(entry);
    else if (entry.request.place === undefined) this.#requested.add(entry);
    else this.#first.add(entry);
  }

  /** Ends the entry of an item of which nothing more is known than its row has. */
  #rest(entry: AgendaEntry): void {
    const { slot, running, request, failures, placeableAt } = entry;
    const isAtRest = request === undefined && failures === 0 && placeableAt === 0;
    if (running !== undefined || this.#retries.has(entry)) return;
    if (slot < 0 || isAtRest) this.#queues.of(entry.dataset)?.rest(entry);
  }

  /** The item of the entry is no longer listed. */
  readonly #remove = (entry: AgendaEntry): void => {
    this.#requested.delete(entry);
    this.#first.delete(entry);
    this.#retries.delete(entry);
  };
}

/** Urgent requests go first, however long the others have waited: those have background turns, too. */
function isRequestedBefore({ request: a }: AgendaEntry, { request: b }: AgendaEntry): boolean {
  const [isUrgent = false, isOtherUrgent = false] = [a?.isUrgent, b?.isUrgent];
  return isUrgent === isOtherUrgent ? (a?.dueBy ?? 0) < (b?.dueBy ?? 0) : isUrgent;
}
