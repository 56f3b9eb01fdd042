import type { AccountParts, FinishedPasts } from '../../feature.ts';
import { unixSeconds } from '../../lib/clock.ts';
import type { MonthCalendar } from '../../lib/month-calendar.ts';
import { present } from '../../lib/present.ts';
import { type ItemKind, itemKinds } from '../../store/store.ts';
import { StoreError } from '../../store/store-error.ts';
import type { PastItem } from '../series/past-item.ts';
import { pastUntil } from '../series/past-states.ts';
import type { BackfillJob, BackfillJobState } from './backfill-job.ts';
import type { BackfillRequest, JobDocument } from './documents.ts';
import type { FirstSeen } from './first-seen.ts';
import { JobPasts } from './job-pasts.ts';
import { longestReportSeconds, reportsOf } from './report-length.ts';

/** The progress of a backfill job, which reads the time before the items were first seen. */
export type BackfillView = BackfillJobState & {
  /** Seconds until all open items are read at the current budget; absent without an estimate. */
  readonly doneInSeconds?: number;
};

export interface BackfillCost {
  readonly checks: number;
  readonly transactions: number;
  readonly requests: number;
  /** The expected duration at the current budget; absent without an estimate. */
  readonly seconds?: number;
}

type BackfillOutcome =
  | { readonly view: BackfillView | undefined }
  | { readonly refusal: string; readonly isConflict?: boolean };

interface BackfillControlOptions
  extends Pick<
    AccountParts,
    'account' | 'state' | 'serviceClock' | 'policies' | 'isPastRead' | 'secondsToRead' | 'log'
  > {
  readonly firstSeen: FirstSeen;
  readonly job: BackfillJob;
}

/** Begins the backfill job of an account, and reports its progress and its result. */
export class BackfillControl {
  readonly #options: BackfillControlOptions;
  #isFinished = true;

  constructor(options: BackfillControlOptions) {
    this.#options = options;
  }

  get account(): string {
    return this.#options.account;
  }

  /** The months of the report. */
  get calendar(): Pick<MonthCalendar, 'zone' | 'begun'> {
    return this.#options.policies.calendar;
  }

  /** Whether the checks of the account are known: a job reads the past of these. */
  get isListRead(): boolean {
    return this.#options.state.datasets.itemsIn('checks') !== undefined;
  }

  /** Resolves when the job is stored. */
  async begin(request: BackfillRequest): Promise<BackfillOutcome> {
    const { job, isPastRead } = this.#options;
    if (!isPastRead) return { refusal: 'the dataset history is disabled in the configuration' };
    const running = job.request;
    if (running !== undefined && covers(running, request)) return await this.#continue(running);
    if (job.ids().length > 0) {
      return { refusal: 'another backfill job of the account is running', isConflict: true };
    }
    const ids = this.#idsWithin(request);
    if (ids.check.length + ids.transaction.length === 0) {
      // Also of checks that were created after that time, or of an account without any.
      return {
        refusal:
          'there is nothing to read: in that time the exporter has watched every check and transaction that existed',
      };
    }
    const requestedAtSeconds = this.#nowSeconds;
    return await this.#started(request, ids, () =>
      job.begin({ ...request, ...ids, requestedAtSeconds, reportSeconds: longestReportSeconds }),
    );
  }

  /**
   * Adds the items that were listed since the job began, when all others are read, and those of
   * which more was given up. Nothing else is read again but maintenance and transactions, which are
   * read for all items at once.
   */
  async #continue(running: JobDocument): Promise<BackfillOutcome> {
    const { job } = this.#options;
    const ids = this.#idsWithin(running);
    const check = job.lacking('check', ids.check);
    const transaction = job.lacking('transaction', ids.transaction);
    if (job.ids().length > 0 || check.length + transaction.length === 0) {
      return { view: this.view };
    }
    return await this.#started(running, { check, transaction }, () =>
      job.extend({ check, transaction }, this.#nowSeconds),
    );
  }

  async #started(
    { fromSeconds }: BackfillRequest,
    { check, transaction }: Record<ItemKind, readonly number[]>,
    store: () => Promise<void>,
  ): Promise<BackfillOutcome> {
    const { account, log } = this.#options;
    try {
      await store();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return { refusal: `the job could not be stored: ${error.message}` };
    }
    this.#isFinished = false;
    const from = new Date(fromSeconds * 1000).toISOString();
    log.info({ account, from, items: check.length + transaction.length }, 'backfill started');
    return { view: this.view };
  }

  cost(request: BackfillRequest): BackfillCost {
    const ids = this.#idsWithin(request);
    const [checks, transactions] = [ids.check.length, ids.transaction.length];
    const requests =
      checks + this.#accountRequests(transactions) + this.#responseTimeReports(ids.check, request);
    const waiting = this.#options.job.waiting(ids, request);
    const seconds = this.#seconds(requests, waiting, checks + transactions);
    return { checks, transactions, requests, ...(Number.isFinite(seconds) && { seconds }) };
  }

  /**
   * Undefined without a job. Without a forecast while the check list cannot be read, or the budget
   * holds back every request.
   */
  get view(): BackfillView | undefined {
    const { state, job } = this.#options;
    const [request, view] = [job.request, job.state];
    if (request === undefined || view === undefined) return undefined;
    const left = view.open + view.waiting;
    if (left === 0 || state.datasets.of('checks').failure !== undefined) return view;
    const waiting = { ...job.waiting(request, request), items: view.waiting };
    const doneInSeconds = this.#seconds(view.requestsLeft, waiting, left);
    return { ...view, ...(Number.isFinite(doneInSeconds) && { doneInSeconds }) };
  }

  /** Undefined without a job, and while it is running or waiting. */
  get finishedPasts(): FinishedPasts | undefined {
    const { job } = this.#options;
    if (!this.#isFinished || job.request === undefined) return undefined;
    return new JobPasts(job, job.request);
  }

  /**
   * Yields the items that the job has read so far, in the order of their ids, up to first sight: the
   * series of what follows exist.
   */
  *items(): Iterable<PastItem> {
    const { firstSeen, job, state } = this.#options;
    const { checks = [], transactions = [] } = state.snapshot();
    const rows = {
      check: new Map(checks.map((row) => [row.id, row])),
      transaction: new Map(transactions.map((row) => [row.id, row])),
    };
    for (const kind of itemKinds) {
      const maintenance = new Map(job.request?.maintenance?.[kind]);
      for (const id of job.itemsOf(kind).toSorted((a, b) => a - b)) {
        const seen = firstSeen.get(kind, id);
        if (seen === undefined) continue;
        const { measuredUntilSeconds: _, past, ...read } = job.past(kind, id) ?? {};
        // Only what was given up since is read of it.
        if (past !== undefined && past.fromSeconds >= seen.atSeconds) continue;
        yield {
          kind,
          id,
          labels: seen.labels,
          firstSeenSeconds: seen.atSeconds,
          ...present({ past: past && pastUntil(past, seen.atSeconds) }),
          ...read,
          maintenance: maintenance.get(id) ?? [],
          ...present({
            labelsNow: firstSeen.labelsNow(kind, id),
            objective: rows[kind].get(id)?.budget?.objective.ratio,
          }),
        };
      }
    }
  }

  /** Must be called after each refresh. */
  refreshed(): void {
    const { account, job, log } = this.#options;
    if (this.#isFinished || job.requests > 0) return;
    const { read, incomplete = [], refused, gone, waiting = 0 } = job.state ?? {};
    if (waiting > 0) return;
    this.#isFinished = true;
    const fields = { account, read, incomplete: incomplete.length, refused, gone };
    log.info(fields, 'backfill finished');
  }

  /** Must be called after the state was restored: a stored job that is unfinished continues. */
  restored(): void {
    const job = this.#options.job.state;
    this.#isFinished = job === undefined || (job.open === 0 && job.waiting === 0);
  }

  #idsWithin(request: BackfillRequest): Record<ItemKind, number[]> {
    const { firstSeen, job } = this.#options;
    const idsOf = (kind: ItemKind) =>
      [...firstSeen.itemsOf(kind).ids()].filter(
        (id) => job.unread.of(kind, id, request) !== undefined,
      );
    return { check: idsOf('check'), transaction: idsOf('transaction') };
  }

  #responseTimeReports(ids: readonly number[], request: BackfillRequest): number {
    const { job } = this.#options;
    const ranges = ids.flatMap((id) => job.unread.of('check', id, request) ?? []);
    return ranges.reduce((sum, range) => sum + reportsOf(range, request), 0);
  }

  /** Requests for maintenance, and one per 100 transactions (API 3.1, section 4.6). */
  #accountRequests(transactions: number): number {
    const { version } = this.#options.state.size;
    const maintenance = { '3.1': 2, '2.1': 1, '2.0': 0 }[version];
    return maintenance + Math.ceil(transactions / 100);
  }

  /** The requests of waiting items begin after the wait, and those of other items now. */
  #seconds(requests: number, waiting: { items: number; seconds: number }, items: number): number {
    const { secondsToRead } = this.#options;
    const late = Math.ceil((requests * waiting.items) / Math.max(1, items));
    return Math.max(secondsToRead(requests), waiting.seconds + secondsToRead(late));
  }

  get #nowSeconds(): number {
    return unixSeconds(this.#options.serviceClock);
  }
}

function covers(job: BackfillRequest, request: BackfillRequest): boolean {
  const { fromSeconds, toSeconds, responseTimes } = request;
  if (job.fromSeconds > fromSeconds || (responseTimes && !job.responseTimes)) return false;
  return job.toSeconds === undefined || (toSeconds !== undefined && toSeconds <= job.toSeconds);
}
