import type { DatasetName } from '../domain/dataset.ts';
import type { Random } from '../lib/random.ts';
import type { AgendaClass, AgendaEntry, AgendaItem, KnownItem } from './agenda-entry.ts';
import { datasetPolicies } from './datasets.ts';
import type { EventAllowance } from './event-allowance.ts';
import { FailureStreak } from './failure-streak.ts';
import { IndexedHeap } from './indexed-heap.ts';
import type { Plan } from './plan.ts';
import { RateMeter } from './rate-meter.ts';
import { type FailureKind, retryMilliseconds } from './retry-backoff.ts';
import { TokenBucket } from './token-bucket.ts';
import type { Turn } from './turn.ts';
import { Turns } from './turns.ts';

/** Planned refreshes may run this much ahead of their rate, so that delays do not add up. */
const headroom = 1.1;
/** Of what the plan leaves of the budget, what is due may take this much, so that what is new comes soon. */
const spareShare = 0.5;
/** Planned requests that may follow each other at once, if no refresh of a status dataset takes more. */
const plannedBurst = 5;
const eventMemorySeconds = 6 * 3600;

/** Requests that may follow each other at once, by why they are sent; negative when too many were. */
export type Allowances = { readonly [C in AgendaClass]: number };

const fullAllowances: Allowances = {
  status: Number.POSITIVE_INFINITY,
  event: Number.POSITIVE_INFINITY,
  background: Number.POSITIVE_INFINITY,
};

/** What an item's turn came from, and when; it goes back to the agenda when it is over. */
export interface AgendaTask extends AgendaItem {
  readonly because: AgendaClass;
}

export interface AgendaCounts {
  /** Items waiting for their turn, by why it comes. */
  readonly classes: { readonly [C in AgendaClass]: number };
  readonly running: number;
  /** Items that failed, or could not be tried, and wait to be tried again. */
  readonly retrying: number;
}

/**
 * What is due next, and the one owner of retries. Status datasets come first, then what events ask for
 * (within their allowance), then everything in turn, the relatively latest first, so that nothing starves;
 * all of it within the planned rates. Times are milliseconds of a monotonic clock.
 */
export class Agenda {
  readonly #random: Random;
  readonly #turns = new Turns();
  readonly #wanted = new IndexedHeap<AgendaEntry>(
    (a, b) => (a.wanted?.by ?? 0) < (b.wanted?.by ?? 0),
  );
  readonly #retrying = new IndexedHeap<AgendaEntry>((a, b) => a.retryAt < b.retryAt);
  readonly #tokens = {
    status: new TokenBucket(),
    event: new TokenBucket(),
    background: new TokenBucket(),
  } as const satisfies Record<AgendaClass, TokenBucket>;
  readonly #eventMeter = new RateMeter(eventMemorySeconds);
  readonly #streak: FailureStreak;
  /** What a former process had left, until the first plan is adopted. */
  #former: { readonly allowances: Allowances; readonly at: number } | undefined = {
    allowances: fullAllowances,
    at: 0,
  };
  #running = 0;

  constructor({ random }: { random: Random }) {
    this.#random = random;
    this.#streak = new FailureStreak(random);
  }

  /** Goes on with what there was `elapsedSeconds` ago (a negative number is read as 0); before the first plan. */
  restore(allowances: Allowances, elapsedSeconds: number, now: number): void {
    this.#former = { allowances, at: now - Math.max(0, elapsedSeconds) * 1000 };
  }

  /** Undefined before the first plan. */
  allowances(now: number): Allowances | undefined {
    if (this.#former !== undefined) return undefined;
    const { status, event, background } = this.#tokens;
    return {
      status: status.level(now),
      event: event.level(now),
      background: background.level(now),
    };
  }

  /** Takes over the intervals of a plan; datasets that are not in it are dropped. O(number of datasets). */
  adopt(plan: Plan, allowance: EventAllowance, now: number): void {
    const names = new Set(plan.datasets.map((dataset) => dataset.name));
    for (const turn of [...this.#turns]) {
      if (names.has(turn.dataset)) continue;
      for (const entry of [...turn.entries()]) this.#remove(turn, entry);
      if (turn.empty) this.#turns.delete(turn);
    }
    const planned = { status: 0, background: 0 };
    let statusCost = 0;
    for (const dataset of plan.datasets) {
      this.#turns.adopt(dataset);
      planned[dataset.status ? 'status' : 'background'] += dataset.requestsPerSecond;
      if (dataset.status) statusCost += dataset.cost;
    }
    const { status, event, background } = this.#tokens;
    // Room for two of each, so that a dear one never holds up the others.
    const statusBurst = Math.max(plannedBurst, 2 * statusCost);
    status.configure(planned.status * headroom, statusBurst, now);
    const backgroundRate = planned.background * headroom + plan.spareRequestsPerSecond * spareShare;
    background.configure(backgroundRate, plannedBurst, now);
    event.configure(allowance.requestsPerSecond, allowance.burst, now);
    if (this.#former === undefined) return;
    const { allowances, at } = this.#former;
    status.resume(allowances.status, at, now);
    background.resume(allowances.background, at, now);
    event.resume(allowances.event, at, now);
    this.#former = undefined;
  }

  /** Makes the items of a dataset of the plan be exactly these. */
  reconcile(dataset: DatasetName, items: Iterable<KnownItem>, now: number): void {
    const turn = this.#turns.of(dataset);
    if (turn === undefined) return;
    for (const entry of turn.list(items, now)) this.#remove(turn, entry);
  }

  /** An event wants the item refreshed ahead of its turn. False when the agenda does not have it. */
  raise(item: AgendaItem, now: number): boolean {
    const entry = this.#turns.find(item);
    if (entry === undefined) return false;
    if (entry.wanted !== undefined) return true;
    const patience = datasetPolicies[item.dataset].patienceSeconds * 1000;
    entry.wanted = { since: now, by: now + patience };
    if (entry.running === undefined && !this.#retrying.has(entry)) this.#wanted.add(entry);
    return true;
  }

  /** The item whose turn it is, now under way until it is given back. */
  next(now: number): AgendaTask | undefined {
    this.#releaseRetries(now);
    const status = this.#turns.latest(now, true);
    if (status !== undefined && this.#plannedIn('status', now) === 0) {
      return this.#spend(status, 'status');
    }
    if (this.#streak.holdsFor(now, this.#running) > 0) return undefined;
    const wanted = this.#wanted.peek();
    if (wanted !== undefined && this.#eventIn(now) === 0) {
      this.#eventMeter.count(this.#turns.cost(wanted), now);
      return this.#spend(wanted, 'event');
    }
    const background = this.#turns.latest(now, false);
    if (background === undefined || this.#plannedIn('background', now) > 0) return undefined;
    return this.#spend(background, 'background');
  }

  /** Milliseconds until `next` has something; Infinity when only an event or a given back item can change that. */
  nextDueIn(now: number): number {
    this.#releaseRetries(now);
    const hold = this.#streak.holdsFor(now, this.#running);
    const waits = [this.#retryIn(now), Math.max(hold, this.#eventIn(now))];
    waits.push(this.#plannedIn('status', now));
    waits.push(Math.max(hold, this.#plannedIn('background', now)));
    return Math.max(0, Math.min(...waits));
  }

  succeeded(task: AgendaTask, startedAt: number): void {
    this.#streak.succeeded();
    this.#settle(task, (turn, entry) => {
      entry.anchor =
        task.because === 'event' && entry.fetched ? startedAt : turn.nextAnchor(entry, startedAt);
      entry.fetched = true;
      entry.failures = 0;
      this.#queue(entry);
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
      this.#tokens[task.because].giveBack(turn.cost);
      this.#retryAt(entry, until);
    });
  }

  /** The service refuses this one item: it has had its turn, and waits for the next one or for an event. */
  skipped(task: AgendaTask, startedAt: number): void {
    this.#settle(task, (turn, entry) => {
      entry.anchor = turn.nextAnchor(entry, startedAt);
      entry.fetched = true;
      this.#queue(entry);
    });
  }

  /** Requests per second that events took of late; the plan leaves room for them. */
  eventRate(now: number): number {
    return this.#eventMeter.read(now);
  }

  counts(): AgendaCounts {
    const classes = { status: 0, event: this.#wanted.size, background: 0 };
    for (const turn of this.#turns) {
      classes[turn.status ? 'status' : 'background'] += turn.size;
    }
    return { classes, running: this.#running, retrying: this.#retrying.size };
  }

  /** For how long the longest due item has been waiting for its turn; 0 when nothing is due. */
  oldestDueSeconds(now: number): number {
    const oldest = this.#turns.oldestDueAt(now);
    const wanted = this.#wanted.peek()?.wanted;
    return (now - Math.min(oldest, wanted?.since ?? now)) / 1000;
  }

  #retryIn(now: number): number {
    return (this.#retrying.peek()?.retryAt ?? Number.POSITIVE_INFINITY) - now;
  }

  #eventIn(now: number): number {
    const wanted = this.#wanted.peek();
    if (wanted === undefined) return Number.POSITIVE_INFINITY;
    return this.#tokens.event.waitFor(this.#turns.cost(wanted), now);
  }

  /** Once something is due the latest item is waited for, or a dear one would never get its turn. */
  #plannedIn(by: 'status' | 'background', now: number): number {
    const latest = this.#turns.latest(now, by === 'status');
    if (latest !== undefined) return this.#tokens[by].waitFor(this.#turns.cost(latest), now);
    return this.#turns.dueIn(now, by === 'status');
  }

  #spend(entry: AgendaEntry, because: AgendaClass): AgendaTask {
    this.#tokens[because].take(this.#turns.cost(entry));
    this.#turns.of(entry.dataset)?.unqueue(entry);
    this.#wanted.delete(entry);
    entry.running = { wanted: entry.wanted };
    entry.wanted = undefined;
    this.#running += 1;
    return { dataset: entry.dataset, id: entry.id, because };
  }

  #settle(task: AgendaTask, giveBack: (turn: Turn, entry: AgendaEntry) => void): void {
    const turn = this.#turns.of(task.dataset);
    const entry = turn?.find(task.id);
    if (turn === undefined || entry?.running === undefined) return;
    this.#running -= 1;
    if (entry.dropped) turn.drop(entry);
    else giveBack(turn, entry);
    entry.running = undefined;
  }

  #retryAt(entry: AgendaEntry, at: number): void {
    entry.wanted ??= entry.running?.wanted;
    entry.retryAt = at;
    this.#retrying.add(entry);
  }

  #releaseRetries(now: number): void {
    for (;;) {
      const entry = this.#retrying.peek();
      if (entry === undefined || entry.retryAt > now) return;
      this.#retrying.delete(entry);
      this.#queue(entry);
    }
  }

  #queue(entry: AgendaEntry): void {
    this.#turns.of(entry.dataset)?.queue(entry);
    if (entry.wanted !== undefined) this.#wanted.add(entry);
  }

  /** An item under way stays known until it is given back, so that it is never under way twice. */
  #remove(turn: Turn, entry: AgendaEntry): void {
    entry.dropped = true;
    if (entry.running === undefined) turn.drop(entry);
    this.#wanted.delete(entry);
    this.#retrying.delete(entry);
  }
}
