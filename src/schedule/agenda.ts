import type { DatasetName, DatasetPolicies, RefreshClass } from '../domain/dataset.ts';
import type { Random } from '../lib/random.ts';
import type { AgendaEntry, AgendaItem, KnownItem } from './agenda-item.ts';
import { type FailureKind, FailureStreak, retryMilliseconds } from './backoff.ts';
import { type DatasetQueue, DatasetQueues } from './dataset-queue.ts';
import { type EventAllowance, RateMeter } from './event-allowance.ts';
import { IndexedHeap } from './indexed-heap.ts';
import type { Plan } from './plan.ts';
import { TokenBucket } from './token-bucket.ts';

/** Planned refreshes may run this much ahead of their rate, so that delays do not add up. */
const headroom = 1.1;
/** Of what the plan leaves of the budget, what is due may take this much, so that what is new comes soon. */
const spareShare = 0.5;
/** Planned requests that may follow each other at once, if no refresh of a status dataset takes more. */
const plannedBurst = 5;
const eventMemorySeconds = 6 * 3600;
/** With nothing to spend, status datasets still come once in so long: the budget may let one request probe. */
const probeIntervalSeconds = 3600;

/** Requests that may follow each other at once, by why they are sent; negative when too many were. */
export type Allowances = { readonly [C in RefreshClass]: number };

const fullAllowances: Allowances = {
  status: Number.POSITIVE_INFINITY,
  event: Number.POSITIVE_INFINITY,
  background: Number.POSITIVE_INFINITY,
};

/** What an item's turn came from, and when; it goes back to the agenda when it is over. */
export interface AgendaTask extends AgendaItem {
  readonly reason: RefreshClass;
}

export interface AgendaCounts {
  /** Items waiting for their turn, by why it comes. */
  readonly classes: { readonly [C in RefreshClass]: number };
  readonly running: number;
  /** Items that failed, or could not be tried, and wait to be tried again. */
  readonly retrying: number;
}

interface AgendaOptions {
  readonly random: Random;
  readonly policies: DatasetPolicies;
}

/**
 * What is due next, and the one owner of retries. Status datasets come first, then what events ask for
 * (within their allowance), then everything in turn, the relatively latest first, so that nothing starves;
 * all of it within the planned rates. Times are milliseconds of a monotonic clock.
 */
export class Agenda {
  readonly #random: Random;
  readonly #policies: DatasetPolicies;
  readonly #queues = new DatasetQueues();
  readonly #requested = new IndexedHeap<AgendaEntry>(
    (a, b) => (a.request?.dueBy ?? 0) < (b.request?.dueBy ?? 0),
  );
  readonly #retrying = new IndexedHeap<AgendaEntry>((a, b) => a.retryAt < b.retryAt);
  readonly #tokens = {
    status: new TokenBucket(),
    event: new TokenBucket(),
    background: new TokenBucket(),
  } as const satisfies Record<RefreshClass, TokenBucket>;
  readonly #eventMeter = new RateMeter(eventMemorySeconds);
  readonly #streak: FailureStreak;
  /** What a former process had left, until the first plan is adopted. */
  #restored: { readonly allowances: Allowances; readonly at: number } | undefined = {
    allowances: fullAllowances,
    at: 0,
  };
  #running = 0;

  constructor({ random, policies }: AgendaOptions) {
    this.#random = random;
    this.#policies = policies;
    this.#streak = new FailureStreak(random);
  }

  /** Goes on with what there was `elapsedSeconds` ago (a negative number is read as 0); before the first plan. */
  restore(allowances: Allowances, elapsedSeconds: number, now: number): void {
    this.#restored = { allowances, at: now - Math.max(0, elapsedSeconds) * 1000 };
  }

  /** Undefined before the first plan. */
  allowances(now: number): Allowances | undefined {
    if (this.#restored !== undefined) return undefined;
    const { status, event, background } = this.#tokens;
    return {
      status: status.level(now),
      event: event.level(now),
      background: background.level(now),
    };
  }

  /** Takes over the intervals of a plan; datasets that are not in it are dropped. O(number of datasets). */
  applyPlan(plan: Plan, allowance: EventAllowance, now: number): void {
    const names = new Set(plan.datasets.map((dataset) => dataset.name));
    for (const turn of [...this.#queues]) {
      if (names.has(turn.dataset)) continue;
      for (const entry of [...turn.entries()]) this.#remove(turn, entry);
      if (turn.empty) this.#queues.delete(turn);
    }
    const planned = { status: 0, background: 0 };
    let statusCost = 0;
    for (const dataset of plan.datasets) {
      const isIdle = dataset.status && !Number.isFinite(dataset.intervalSeconds);
      this.#queues.applyPlan(
        isIdle ? { ...dataset, intervalSeconds: probeIntervalSeconds } : dataset,
      );
      planned[dataset.status ? 'status' : 'background'] += dataset.requestsPerSecond;
      if (dataset.status) statusCost += dataset.cost;
    }
    const { status, event, background } = this.#tokens;
    // Room for two of each, so that a dear one never holds up the others.
    const statusBurst = Math.max(plannedBurst, 2 * statusCost);
    const statusRate = Math.max(planned.status * headroom, statusCost / probeIntervalSeconds);
    status.configure(statusRate, statusBurst, now);
    const backgroundRate = planned.background * headroom + plan.spareRequestsPerSecond * spareShare;
    background.configure(backgroundRate, plannedBurst, now);
    event.configure(allowance.requestsPerSecond, allowance.burst, now);
    if (this.#restored === undefined) return;
    const { allowances, at } = this.#restored;
    status.resume(allowances.status, at, now);
    background.resume(allowances.background, at, now);
    event.resume(allowances.event, at, now);
    this.#restored = undefined;
  }

  /** Makes the items of a dataset of the plan be exactly these. */
  reconcile(dataset: DatasetName, items: Iterable<KnownItem>, now: number): void {
    const turn = this.#queues.of(dataset);
    if (turn === undefined) return;
    for (const entry of turn.reconcile(items, now)) this.#remove(turn, entry);
  }

  /** An event wants the item refreshed ahead of its turn. False when the agenda does not have it. */
  expedite(item: AgendaItem, now: number): boolean {
    const entry = this.#queues.find(item);
    if (entry === undefined) return false;
    if (entry.request !== undefined) return true;
    const patience = this.#policies[item.dataset].patienceSeconds * 1000;
    entry.request = { since: now, dueBy: now + patience };
    if (entry.running === undefined && !this.#retrying.has(entry)) this.#requested.add(entry);
    return true;
  }

  /** Takes the cost of a refresh that an event asked for and that is done at once; false when there is no room for it. */
  takeEvent(dataset: DatasetName, now: number): boolean {
    const cost = this.#queues.cost({ dataset, id: 0 });
    if (this.#tokens.event.waitFor(cost, now) > 0) return false;
    this.#tokens.event.take(cost);
    this.#eventMeter.count(cost, now);
    return true;
  }

  /** The item whose turn it is, now under way until it is given back. */
  next(now: number): AgendaTask | undefined {
    this.#releaseRetries(now);
    const status = this.#queues.mostOverdue(now, true);
    if (status !== undefined && this.#plannedIn('status', now) === 0) {
      return this.#start(status, 'status');
    }
    if (this.#streak.millisecondsToHold(now, this.#running) > 0) return undefined;
    const wanted = this.#requested.peek();
    if (wanted !== undefined && this.#eventIn(now) === 0) {
      this.#eventMeter.count(this.#queues.cost(wanted), now);
      return this.#start(wanted, 'event');
    }
    const background = this.#queues.mostOverdue(now, false);
    if (background === undefined || this.#plannedIn('background', now) > 0) return undefined;
    return this.#start(background, 'background');
  }

  /** Milliseconds until `next` has something; Infinity when only an event or a given back item can change that. */
  nextDueIn(now: number): number {
    this.#releaseRetries(now);
    const hold = this.#streak.millisecondsToHold(now, this.#running);
    const waits = [this.#retryIn(now), Math.max(hold, this.#eventIn(now))];
    waits.push(this.#plannedIn('status', now));
    waits.push(Math.max(hold, this.#plannedIn('background', now)));
    return Math.max(0, Math.min(...waits));
  }

  succeeded(task: AgendaTask, startedAt: number): void {
    this.#streak.succeeded();
    this.#settle(task, (turn, entry) => {
      entry.anchor =
        task.reason === 'event' && entry.fetched ? startedAt : turn.nextAnchor(entry, startedAt);
      entry.fetched = true;
      entry.failures = 0;
      this.#enqueue(entry);
    });
  }

  failed(task: AgendaTask, kind: FailureKind, now: number): void {
    this.#streak.failed(now);
    this.#settle(task, (turn, entry) => {
      entry.failures += 1;
      const delay = retryMilliseconds(turn.status, kind, entry.failures, this.#random);
      this.#retryAt(entry, now + delay);
    });
  }

  /**
   * It could not be tried, or not to its end, before `until`; that is no failure. It will cost as much again,
   * so its whole cost is given back: requests that it may have sent are held against the budget alone.
   */
  postponed(task: AgendaTask, until: number): void {
    this.#settle(task, (turn, entry) => {
      this.#tokens[task.reason].giveBack(turn.cost);
      this.#retryAt(entry, until);
    });
  }

  /** The service refuses this one item: it has had its turn, and waits for the next one or for an event. */
  skipped(task: AgendaTask, startedAt: number): void {
    this.#settle(task, (turn, entry) => {
      entry.anchor = turn.nextAnchor(entry, startedAt);
      entry.fetched = true;
      this.#enqueue(entry);
    });
  }

  /** Requests per second that events took of late; the plan leaves room for them. */
  eventRate(now: number): number {
    return this.#eventMeter.read(now);
  }

  counts(): AgendaCounts {
    const classes = { status: 0, event: this.#requested.size, background: 0 };
    for (const turn of this.#queues) {
      classes[turn.status ? 'status' : 'background'] += turn.size;
    }
    return { classes, running: this.#running, retrying: this.#retrying.size };
  }

  /** For how long the longest due item has been waiting for its turn; 0 when nothing is due. */
  oldestDueSeconds(now: number): number {
    const oldest = this.#queues.oldestDueAt(now);
    const wanted = this.#requested.peek()?.request;
    return (now - Math.min(oldest, wanted?.since ?? now)) / 1000;
  }

  #retryIn(now: number): number {
    return (this.#retrying.peek()?.retryAt ?? Number.POSITIVE_INFINITY) - now;
  }

  #eventIn(now: number): number {
    const wanted = this.#requested.peek();
    if (wanted === undefined) return Number.POSITIVE_INFINITY;
    return this.#tokens.event.waitFor(this.#queues.cost(wanted), now);
  }

  /** Once something is due the latest item is waited for, or a dear one would never get its turn. */
  #plannedIn(by: 'status' | 'background', now: number): number {
    const latest = this.#queues.mostOverdue(now, by === 'status');
    if (latest !== undefined) return this.#tokens[by].waitFor(this.#queues.cost(latest), now);
    return this.#queues.dueIn(now, by === 'status');
  }

  #start(entry: AgendaEntry, because: RefreshClass): AgendaTask {
    this.#tokens[because].take(this.#queues.cost(entry));
    this.#queues.of(entry.dataset)?.dequeue(entry);
    this.#requested.delete(entry);
    entry.running = { wanted: entry.request };
    entry.request = undefined;
    this.#running += 1;
    return { dataset: entry.dataset, id: entry.id, reason: because };
  }

  #settle(task: AgendaTask, giveBack: (turn: DatasetQueue, entry: AgendaEntry) => void): void {
    const turn = this.#queues.of(task.dataset);
    const entry = turn?.find(task.id);
    if (turn === undefined || entry?.running === undefined) return;
    this.#running -= 1;
    if (entry.dropped) turn.drop(entry);
    else giveBack(turn, entry);
    entry.running = undefined;
  }

  #retryAt(entry: AgendaEntry, at: number): void {
    entry.request ??= entry.running?.wanted;
    entry.retryAt = at;
    this.#retrying.add(entry);
  }

  #releaseRetries(now: number): void {
    for (;;) {
      const entry = this.#retrying.peek();
      if (entry === undefined || entry.retryAt > now) return;
      this.#retrying.delete(entry);
      this.#enqueue(entry);
    }
  }

  #enqueue(entry: AgendaEntry): void {
    this.#queues.of(entry.dataset)?.enqueue(entry);
    if (entry.request !== undefined) this.#requested.add(entry);
  }

  /** An item under way stays known until it is given back, so that it is never under way twice. */
  #remove(turn: DatasetQueue, entry: AgendaEntry): void {
    entry.dropped = true;
    if (entry.running === undefined) turn.drop(entry);
    this.#requested.delete(entry);
    this.#retrying.delete(entry);
  }
}
