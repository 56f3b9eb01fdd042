import { type DatasetName, datasetNames } from '../domain/dataset.ts';
import { backoffMilliseconds } from '../lib/backoff.ts';
import type { Random } from '../lib/random.ts';

/** Failures that only a person can end are retried rarely, the others often enough to see the service come back. */
const backoffs = {
  transient: { baseMilliseconds: 60_000, capMilliseconds: 300_000 },
  persistent: { baseMilliseconds: 300_000, capMilliseconds: 900_000 },
} as const;

interface Entry {
  dueAt: number;
  running: boolean;
  failures: number;
}

export interface TimetableOptions {
  readonly intervalSeconds: { readonly [D in DatasetName]: number };
  readonly random: Random;
}

/**
 * When each dataset is due. The one owner of retries: a failed refresh comes back here, later and later.
 * Times are milliseconds of a monotonic clock that starts at or after 0.
 */
export class Timetable {
  readonly #options: TimetableOptions;
  readonly #entries: { readonly [D in DatasetName]: Entry } = {
    checks: { dueAt: 0, running: false, failures: 0 },
    credits: { dueAt: 0, running: false, failures: 0 },
  };

  constructor(options: TimetableOptions) {
    this.#options = options;
  }

  /** The dataset that has been due the longest; marks it as running. */
  take(now: number): DatasetName | undefined {
    const due = this.#waiting().filter((dataset) => this.#entries[dataset].dueAt <= now);
    const [first] = due.sort((a, b) => this.#entries[a].dueAt - this.#entries[b].dueAt);
    if (first !== undefined) this.#entries[first].running = true;
    return first;
  }

  /** Milliseconds until something is due; Infinity while everything is running. */
  nextDueIn(now: number): number {
    const due = this.#waiting().map((dataset) => this.#entries[dataset].dueAt);
    return Math.max(0, Math.min(...due) - now);
  }

  succeeded(dataset: DatasetName, startedAt: number): void {
    const dueAt = startedAt + this.#options.intervalSeconds[dataset] * 1000;
    this.#settle(dataset, dueAt, 0);
  }

  failed(dataset: DatasetName, now: number, kind: keyof typeof backoffs): void {
    const failures = this.#entries[dataset].failures + 1;
    const delay = backoffMilliseconds(backoffs[kind], failures, this.#options.random);
    this.#settle(dataset, now + delay, failures);
  }

  /** It could not be tried at all; that is no failure. */
  postponed(dataset: DatasetName, dueAt: number): void {
    this.#settle(dataset, dueAt, this.#entries[dataset].failures);
  }

  #settle(dataset: DatasetName, dueAt: number, failures: number): void {
    const entry = this.#entries[dataset];
    entry.dueAt = dueAt;
    entry.failures = failures;
    entry.running = false;
  }

  #waiting(): DatasetName[] {
    return datasetNames.filter((dataset) => !this.#entries[dataset].running);
  }
}
