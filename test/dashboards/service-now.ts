import { z } from 'zod';
import type { SandboxCheck } from '../../sandbox/src/account/checks.ts';
import type { SandboxTransaction } from '../../sandbox/src/account/transactions.ts';
import { listActions } from '../../sandbox/src/operations/reports/actions.ts';
import { statusReport } from '../../sandbox/src/operations/transactions/transaction-reports.ts';
import type { Sandbox } from '../../sandbox/src/sandbox.ts';
import {
  reportedStates,
  transactionStates,
} from '../../sandbox/src/simulation/transaction-states.ts';
import { getOrMake } from '../../src/lib/get-or-make.ts';

const day = 86_400;
const month = 30 * day;
const objective = 0.999;

export type Kind = 'check' | 'transaction';

const sent = z.object({
  actions: z.object({
    alerts: z.array(z.object({ time: z.number(), via: z.string(), status: z.string() })),
  }),
});
/** Statuses whose names in entries lack the underscore of the documented names in filters. */
const namesInFilters: Readonly<Record<string, string>> = {
  notdelivered: 'not_delivered',
  nocredits: 'no_credits',
};
const failing = z.object({ error_in_step: z.number().optional() });

/** A check or transaction as the service has it. UNIX seconds. */
export interface Item {
  readonly kind: Kind;
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly isDown: boolean;
  readonly downSince: number | undefined;
  readonly isInMaintenance: boolean;
  readonly nextMaintenance: number | undefined;
  readonly responseSeconds: number | undefined;
}

/** In seconds. The exporter ignores results that are younger, because more of them may arrive. */
const lateResults = 420;

/** The truth about an account: when its list was last read, and now. */
export class ServiceNow {
  readonly #sandbox: Sandbox;
  readonly #ratios = new Map<string, readonly number[]>();
  readonly #testsRead = new Map<number, number>();
  /** The times of responses with results, by check; UNIX seconds. */
  #resultsReadAt: ReadonlyMap<number, readonly number[]> | undefined;
  readonly checks: readonly Item[];
  readonly transactions: readonly Item[];
  /** The times at which the lists were read. */
  readonly readAt: Readonly<Record<Kind, number>>;
  readonly now: number;

  readonly #knownDays: number;

  /** Outages and ratios are known for the last `knownDays`. */
  constructor(
    sandbox: Sandbox,
    readAt: Readonly<Record<Kind, number>>,
    now: number,
    knownDays = 36,
  ) {
    this.#knownDays = knownDays;
    this.#sandbox = sandbox;
    this.readAt = readAt;
    this.now = now;
    this.checks = sandbox.world.checks.map((check) => this.#check(check));
    this.transactions = sandbox.world.transactions.all.map((one) => this.#transaction(one));
  }

  get world(): Sandbox['world'] {
    return this.#sandbox.world;
  }

  /** The present value of a limit header. */
  limit(window: 'short' | 'long') {
    return this.#sandbox.limits.reading(window);
  }

  /** The paths whose response was a document. */
  wasRead(end: string): boolean {
    const { recent } = this.#sandbox.journal;
    return recent.some(({ path, status }) => status === 200 && path.endsWith(end));
  }

  /** The number of the step at which a transaction fails, counted from 1. */
  failingStep(id: number): number | undefined {
    const transaction = this.world.transactions.find(id);
    if (transaction === undefined) throw new Error(`the service has no transaction ${id}`);
    const to = this.readAt.transaction;
    const { states } = statusReport(this.world, transaction, { from: to - day, to }, to, 'desc');
    return failing.parse(states[0]).error_in_step;
  }

  /** The outages of a check, including open ones. */
  outagesOf(id: number): readonly { readonly from: number; readonly to: number }[] {
    return this.#spans('check', id).spans.filter(({ status }) => status === 'down');
  }

  of(kind: Kind): readonly Item[] {
    return kind === 'check' ? this.checks : this.transactions;
  }

  /** The state that the list showed at a time. */
  stateAt(id: number, time: number): string {
    const check = this.world.check(id);
    return check === undefined ? 'gone' : this.#sandbox.history.stateAt(check, time);
  }

  /**
   * The number of tests of a check with a measured time that were read: after the first response,
   * until a minute ago.
   */
  testsRead(id: number): number {
    return getOrMake(this.#testsRead, id, () => this.#countTestsRead(id));
  }

  #countTestsRead(id: number): number {
    this.#resultsReadAt ??= this.#timesOfResults();
    const readings = this.#resultsReadAt.get(id) ?? [];
    const check = this.world.check(id);
    const [first, last] = [readings[0], readings.at(-1)];
    if (check === undefined || first === undefined || last === undefined) return 0;
    const results = [...this.#sandbox.history.results(check, first + 1, last - lateResults)];
    return results.filter(({ responseMilliseconds }) => responseMilliseconds !== undefined).length;
  }

  #timesOfResults(): ReadonlyMap<number, readonly number[]> {
    const times = new Map<number, number[]>();
    for (const { path, status, time } of this.#sandbox.journal.recent) {
      const id = /\/results\/(\d+)$/.exec(path)?.[1];
      if (id === undefined || status !== 200 || time >= (this.now - 60) * 1000) continue;
      getOrMake(times, Number(id), () => []).push(Math.floor(time / 1000));
    }
    return times;
  }

  /**
   * The allowed values of the remaining error budget of 30 days. The windows end at the item's
   * horizon, which is some time since `earliest`.
   */
  budgets(kind: Kind, id: number, earliest: number, latest = this.now): readonly number[] {
    return this.ratios(kind, id, month, earliest, latest).map(
      (ratio) => 1 - ratio / (1 - objective),
    );
  }

  /** The error ratios of a window for each second at which it may end, the latest first. */
  ratios(
    kind: Kind,
    id: number,
    length: number,
    earliest: number,
    latest = this.now,
  ): readonly number[] {
    const key = `${kind} ${id} ${length} ${earliest} ${latest}`;
    const known = this.#ratios.get(key) ?? this.#ratiosOf(kind, id, length, earliest, latest);
    this.#ratios.set(key, known);
    return known;
  }

  /** The last requests, with their times in milliseconds. */
  get requests(): readonly { readonly time: number }[] {
    return this.#sandbox.journal.recent;
  }

  /** The times of the responses to an operation, in order. */
  answersOf(operation: string): readonly number[] {
    return this.#sandbox.journal.recent.flatMap((request) =>
      request.operation === operation && request.status === 200
        ? [Math.floor(request.time / 1000)]
        : [],
    );
  }

  /** Alerts that were sent in a range, both ends included, by medium and status. */
  alertsSent(from: number, to: number): ReadonlyMap<string, number> {
    const inputs = { from, to, limit: 1_000_000 };
    const { now, world } = this;
    const list = listActions.run(inputs, { version: '3.1', world, now, askedAt: now });
    const counts = new Map<string, number>();
    for (const { via, status } of sent.parse(list).actions.alerts) {
      const key = `${via} ${namesInFilters[status] ?? status}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  #ratiosOf(
    kind: Kind,
    id: number,
    length: number,
    earliest: number,
    latest: number,
  ): readonly number[] {
    const { spans, created } = this.#spans(kind, id);
    const planned = this.#maintenance(kind, id);
    const pieces = spans.flatMap((span) => without(span, planned));
    const ends = Array.from({ length: latest - earliest + 1 }, (_, at) => latest - at);
    return ends.map((end) => {
      const begin = Math.max(created, end - length);
      const sum = (status: string) =>
        pieces.reduce(
          (total, piece) =>
            piece.status === status
              ? total + Math.max(0, Math.min(end, piece.to) - Math.max(begin, piece.from))
              : total,
          0,
        );
      const [up, down] = [sum('up'), sum('down')];
      return down / (up + down);
    });
  }

  #spans(kind: Kind, id: number) {
    const { world, history } = this.#sandbox;
    const from = this.now - this.#knownDays * day;
    const check = world.check(id);
    if (kind === 'check' && check !== undefined) {
      const spans = history.segments(check, from, this.now, this.now);
      return { spans, created: check.created };
    }
    const transaction = world.transactions.find(id);
    if (transaction === undefined) throw new Error(`the service has no ${kind} ${id}`);
    const range = { from, to: this.now };
    const told = reportedStates(history, transaction, range, this.now, {
      reportsEnd: 'last-test',
    });
    const rest = { from: told.at(-1)?.to ?? from, to: this.now };
    const spans = [...told, ...transactionStates(history, transaction, rest)];
    return { spans, created: transaction.createdAt };
  }

  #maintenance(kind: Kind, id: number) {
    const { windows, occurrencesInOrder } = this.world.maintenance;
    const ofItem = new Set(
      windows.all
        .filter(({ uptimeids, tmsids }) => (kind === 'check' ? uptimeids : tmsids).includes(id))
        .map((window) => window.id),
    );
    return occurrencesInOrder.filter(({ maintenanceid }) => ofItem.has(maintenanceid));
  }

  #planned(kind: Kind, id: number) {
    const planned = this.#maintenance(kind, id);
    return {
      isInMaintenance: planned.some(({ from, to }) => from <= this.now && this.now < to),
      nextMaintenance: planned.find(({ from }) => from > this.now)?.from,
    };
  }

  #check(check: SandboxCheck): Item {
    const at = this.readAt.check;
    const { status, lastTest, lastOutage } = this.world.observer.observe(check, at);
    const planned = this.#planned('check', check.id);
    const isDown = status === 'down' && !planned.isInMaintenance;
    const measured = status === 'up' ? lastTest?.responseMilliseconds : undefined;
    return {
      kind: 'check',
      id: check.id,
      name: check.name,
      status,
      isDown,
      downSince: isDown ? lastOutage?.start : undefined,
      ...planned,
      responseSeconds: measured === undefined ? undefined : measured / 1000,
    };
  }

  #transaction(one: SandboxTransaction): Item {
    const { status, downtime } = this.world.transactionObserver.observe(
      one,
      this.readAt.transaction,
    );
    const planned = this.#planned('transaction', one.id);
    const isDown = status === 'failing' && !planned.isInMaintenance;
    return {
      kind: 'transaction',
      id: one.id,
      name: one.settings.name,
      status: one.settings.active ? status : 'paused',
      isDown,
      downSince: isDown ? downtime?.start : undefined,
      ...planned,
      responseSeconds: undefined,
    };
  }
}

interface Span {
  readonly status: string;
  readonly from: number;
  readonly to: number;
}

/** The part of a span outside the others. */
function without(span: Span, others: readonly Omit<Span, 'status'>[]): Span[] {
  let rest: Span[] = [span];
  for (const { from, to } of others) {
    rest = rest
      .flatMap((one) => [
        { ...one, to: Math.min(one.to, from) },
        { ...one, from: Math.max(one.from, to) },
      ])
      .filter((one) => one.from < one.to);
  }
  return rest;
}
