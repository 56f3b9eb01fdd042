import PQueue from 'p-queue';
import { ApiError } from '../api/errors.ts';
import type { RejectedEntry } from '../api/service.ts';
import { type DatasetName, datasetNames } from '../domain/dataset.ts';
import { Alarm } from '../lib/alarm.ts';
import type { Clock } from '../lib/clock.ts';
import type { AccountState } from '../state/account-state.ts';
import type { Refresh } from './refresh.ts';
import type { Timetable } from './timetable.ts';

/** The loop turns at least this often, so that staleness shows and a stuck loop can be told from an idle one. */
const heartbeatMilliseconds = 10_000;
const shortestPostponementMilliseconds = 1_000;

/** What happened, for the log and the exporter's own metrics. */
export interface PollerEvents {
  /** What the page shows may have changed. */
  changed(): void;
  refreshed(dataset: DatasetName, rejected: readonly RejectedEntry[]): void;
  failed(dataset: DatasetName, error: ApiError): void;
}

export interface PollerOptions {
  readonly state: AccountState;
  readonly refreshes: { readonly [D in DatasetName]: Refresh };
  readonly timetable: Timetable;
  /** Milliseconds until the budget admits a request; 0 when it does now. */
  readonly nextAdmissionIn: () => number;
  readonly clock: Clock;
  readonly concurrency: number;
  readonly events: PollerEvents;
}

/**
 * Runs the timetable of one account, one loop deciding and a queue bounding what is under way. It asks
 * the budget before it starts anything; the client asks again for every single request.
 */
export class Poller {
  readonly #options: PollerOptions;
  readonly #queue: PQueue;
  readonly #alarm: Alarm;
  readonly #stopping = new AbortController();
  #loop: Promise<void> | undefined;
  #lastTurnAt: number;
  #staleness = '';

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#queue = new PQueue({ concurrency: options.concurrency });
    this.#alarm = new Alarm(options.clock);
    this.#lastTurnAt = options.clock.monotonic();
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Gives up what is under way; resolves when nothing is left running. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the poller stops'));
    this.#alarm.ring();
    await this.#loop;
    await this.#queue.onIdle();
  }

  /** Milliseconds since the loop last turned. */
  get silentFor(): number {
    return this.#options.clock.monotonic() - this.#lastTurnAt;
  }

  async #run(): Promise<void> {
    const { clock, timetable, nextAdmissionIn } = this.#options;
    while (!this.#stopping.signal.aborted) {
      this.#lastTurnAt = clock.monotonic();
      this.#dispatch();
      this.#announceStaleness();
      const dueIn = Math.max(timetable.nextDueIn(clock.monotonic()), nextAdmissionIn());
      await this.#alarm.wait(Math.min(Math.max(1, dueIn), heartbeatMilliseconds));
    }
  }

  #dispatch(): void {
    const { clock, timetable, nextAdmissionIn, concurrency } = this.#options;
    while (this.#queue.pending < concurrency && nextAdmissionIn() <= 0) {
      const dataset = timetable.take(clock.monotonic());
      if (dataset === undefined) return;
      void this.#queue.add(() => this.#refresh(dataset));
    }
  }

  async #refresh(dataset: DatasetName): Promise<void> {
    const { refreshes, timetable, clock, events } = this.#options;
    const startedAt = clock.monotonic();
    try {
      const rejected = await refreshes[dataset](this.#stopping.signal);
      timetable.succeeded(dataset, startedAt);
      events.refreshed(dataset, rejected);
      events.changed();
    } catch (error) {
      this.#refreshFailed(dataset, toApiError(dataset, error));
    } finally {
      this.#alarm.ring();
    }
  }

  #refreshFailed(dataset: DatasetName, error: ApiError): void {
    const { state, timetable, clock, events, nextAdmissionIn } = this.#options;
    const now = clock.monotonic();
    if (error.reason === 'budget' || error.reason === 'aborted') {
      const wait = Math.max(shortestPostponementMilliseconds, nextAdmissionIn());
      timetable.postponed(dataset, now + wait);
      return;
    }
    const persistent = error.reason === 'unauthorized' || error.reason === 'forbidden';
    timetable.failed(dataset, now, persistent ? 'persistent' : 'transient');
    state.failed(dataset, error);
    events.failed(dataset, error);
    events.changed();
  }

  /** Data grow stale without anything happening; the page must show that too. */
  #announceStaleness(): void {
    const { datasets } = this.#options.state.snapshot();
    const staleness = datasetNames.filter((name) => datasets[name].stale).join();
    if (staleness === this.#staleness) return;
    this.#staleness = staleness;
    this.#options.events.changed();
  }
}

/** Whatever else is thrown is a mistake of the exporter; the other datasets go on all the same. */
function toApiError(dataset: DatasetName, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError({ reason: 'internal', operation: dataset, message, cause: error });
}
