import type { StateSpan, TimeRange } from '../../domain/interval.ts';
import { encodeStates } from '../../history/past-states.ts';
import type { HourlyAverages } from '../../slo/hourly-averages.ts';
import { type DocumentChanges, DocumentSet } from '../../store/format/document-set.ts';
import { type ItemKind, itemKinds } from '../../store/store.ts';
import type {
  BackfillJobDocument,
  PastDocument,
  PastMaintenanceDocument,
  PastResponseTimesDocument,
} from './documents.ts';
import { ResponseTimeReports, reportsOf, shortestReportSeconds } from './response-time-reports.ts';

/** What an operator asks for. Times are UNIX seconds. */
export interface BackfillRequest {
  readonly fromSeconds: number;
  /** The end, where it is earlier than the first sight of the items. */
  readonly toSeconds?: number;
  /** Of checks, by the hour. */
  readonly responseTimes?: true;
}

/** A job, and what of it is still to be read. */
export type BackfillJobState = BackfillRequest & {
  readonly requestedAtSeconds: number;
  readonly items: number;
  /** Items whose past is stored. */
  readonly read: number;
  /** Items that the service does not let the account read. */
  readonly refused: number;
  /** Items that are no longer listed, and were not read before. */
  readonly gone: number;
  /** Items that were first seen too recently: the service's report of them may not be complete yet. */
  readonly waiting: number;
  /** Refreshes that may be made now. */
  readonly open: number;
  /** Requests until everything has been read that can be. */
  readonly requestsLeft: number;
};

/** What may be read of an item, by what is known of it now. */
export type Readiness = 'ready' | 'waiting' | 'gone';

interface BackfillJobOptions {
  /** Resolves when the documents are durable. */
  readonly persist: (documents: DocumentChanges) => Promise<void>;
  readonly readiness: (kind: ItemKind, id: number) => Readiness;
  /** The past of a check within the request; undefined where there is none. */
  readonly rangeOf: (id: number, request: BackfillRequest) => TimeRange | undefined;
}

/** What was read of one item. */
export interface ReadPast {
  readonly id: number;
  readonly range: TimeRange;
  readonly spans: readonly StateSpan[];
}

/** The subject of a refresh: a check by its id, or maintenance and all transactions together. */
export type BackfillId = number | 'account';

/**
 * The past of an account that an operator has asked for, item by item. What was read is durable before it counts as read, so that no
 * response is asked for twice, whenever the process ends.
 */
export class BackfillJob {
  readonly #options: BackfillJobOptions;
  #job: BackfillJobDocument | undefined;
  #maintenance: PastMaintenanceDocument | undefined;
  #pasts: Record<ItemKind, Map<number, PastDocument>> = emptyPasts();
  #responseTimes = new ResponseTimeReports();
  #open: Set<BackfillId> = new Set();
  #version = 0;

  constructor(options: BackfillJobOptions) {
    this.#options = options;
  }

  /** Another number when other items are open. */
  get version(): number {
    return this.#version;
  }

  get request(): (BackfillRequest & { readonly requestedAtSeconds: number }) | undefined {
    const job = this.#job;
    return job && { ...requestOf(job), requestedAtSeconds: job.requestedAtSeconds };
  }

  /** What may be read now. */
  open(): BackfillId[] {
    return [...this.#open];
  }

  isOpen(id: BackfillId): boolean {
    return this.#open.has(id);
  }

  /** Refreshes of the whole job while there is any to make, otherwise 0: a plan does not change with each of them. */
  get refreshes(): number {
    const job = this.#job;
    if (this.#open.size === 0 || job === undefined) return 0;
    const { fromSeconds, toSeconds = job.requestedAtSeconds, reportSeconds } = job;
    return job.check.length * (1 + reportsOf({ fromSeconds, toSeconds }, reportSeconds)) + 1;
  }

  get state(): BackfillJobState | undefined {
    const job = this.#job;
    if (job === undefined) return undefined;
    const counts = { items: 0, read: 0, refused: 0, gone: 0, waiting: 0 };
    for (const kind of itemKinds) {
      for (const id of job[kind]) {
        counts.items += 1;
        const past = this.#pasts[kind].get(id);
        if (past !== undefined && this.#isRead(kind, id)) {
          counts['states' in past ? 'read' : 'refused'] += 1;
        } else if (this.#readinessOf(kind, id) === 'gone') counts.gone += 1;
        else if (this.#readinessOf(kind, id) === 'waiting') counts.waiting += 1;
      }
    }
    return {
      ...requestOf(job),
      requestedAtSeconds: job.requestedAtSeconds,
      ...counts,
      open: this.#open.size,
      requestsLeft: this.#requestsLeft(job),
    };
  }

  /** Maintenance and all transactions count as one. */
  #requestsLeft(job: BackfillJobDocument): number {
    let requests = this.#maintenance === undefined ? 1 : 0;
    for (const id of job.check) {
      if (this.#isRead('check', id) || this.#readinessOf('check', id) === 'gone') continue;
      const past = this.#pasts.check.get(id);
      const range =
        past === undefined
          ? this.#options.rangeOf(id, requestOf(job))
          : this.#responseTimesLeft(id);
      if (past === undefined) requests += 1;
      if (range !== undefined) requests += reportsOf(range, job.reportSeconds);
    }
    return requests;
  }

  /** The ids of the items of the job. */
  ids(kind: ItemKind): readonly number[] {
    return this.#job?.[kind] ?? [];
  }

  past(kind: ItemKind, id: number): PastDocument | undefined {
    return this.#pasts[kind].get(id);
  }

  /** The period of the next report of response times; undefined when there is none to read, or the states come first. */
  responseTimesToRead(id: number): TimeRange | undefined {
    const left = this.#responseTimesLeft(id);
    const reportSeconds = this.#job?.reportSeconds;
    if (left === undefined || reportSeconds === undefined) return undefined;
    const { fromSeconds, toSeconds } = left;
    return { fromSeconds, toSeconds: Math.min(toSeconds, fromSeconds + reportSeconds) };
  }

  /** The response times of a check by the hour, or why there are none; undefined where they were not asked for. */
  responseTimes(id: number): PastResponseTimesDocument | undefined {
    return this.#responseTimes.get(id);
  }

  /** By check, within the time of the job. */
  maintenance(): ReadonlyMap<number, readonly (readonly [from: number, to: number])[]> {
    return new Map(this.#maintenance?.check ?? []);
  }

  /** Begins a job and drops the one before, of which nothing may be open; resolves when that is durable. */
  async begin(job: BackfillJobDocument): Promise<void> {
    const documents: DocumentChanges = new DocumentSet<null>().set('backfill job', job);
    documents.set('backfill maintenance', null);
    for (const kind of itemKinds) {
      for (const id of this.#pasts[kind].keys()) documents.set(`backfill of ${kind} ${id}`, null);
    }
    for (const id of this.#responseTimes.ids()) {
      documents.set(`backfill response times of check ${id}`, null);
    }
    await this.#options.persist(documents);
    this.#job = job;
    this.#maintenance = undefined;
    this.#pasts = emptyPasts();
    this.#responseTimes = new ResponseTimeReports();
    this.update();
  }

  /** Continues a stored job; before anything is listed. */
  restore(documents: DocumentSet): void {
    this.#job = documents.get('backfill job');
    this.#maintenance = documents.get('backfill maintenance');
    for (const kind of itemKinds) {
      this.#pasts[kind] = new Map(documents.family(`backfill of ${kind}`));
    }
    this.#responseTimes = new ResponseTimeReports(
      documents.family('backfill response times of check'),
    );
    this.update();
  }

  /** What may be read changes with every list, and with time. */
  update(): void {
    const job = this.#job;
    if (job === undefined) return;
    const isReady = (kind: ItemKind) => (id: number) =>
      !this.#isRead(kind, id) && this.#readinessOf(kind, id) === 'ready';
    const open = new Set<BackfillId>(job.check.filter(isReady('check')));
    const isWaiting = job.transaction.some(
      (id) => this.#readinessOf('transaction', id) === 'waiting',
    );
    if (this.#maintenance === undefined && !isWaiting) open.add('account');
    if (open.size === this.#open.size && [...open].every((id) => this.#open.has(id))) return;
    this.#open = open;
    this.#version += 1;
  }

  /** Takes over what was read of a check. */
  readCheck(id: number, range: TimeRange, spans: readonly StateSpan[]): Promise<void> {
    return this.#record(id, pastOf(range, spans));
  }

  /** The service does not let the account read it. */
  refusedCheck(id: number, refusal: string): Promise<void> {
    return this.#record(id, { refusal });
  }

  /** Takes over what was read of the response times of a check; resolves when that is durable. */
  async readResponseTimes(
    id: number,
    untilSeconds: number,
    runs: readonly HourlyAverages[],
  ): Promise<void> {
    await this.#recordResponseTimes(id, this.#responseTimes.extended(id, untilSeconds, runs));
  }

  /** The service does not let the account read the response times of a check; its states may be read. */
  refusedResponseTimes(id: number, refusal: string): Promise<void> {
    return this.#recordResponseTimes(id, { refusal });
  }

  /** Asks for shorter reports of response times after one was refused. Returns whether shorter ones than that are possible. */
  async shortenReports({ fromSeconds, toSeconds }: TimeRange): Promise<boolean> {
    const job = this.#job;
    if (job?.reportSeconds === undefined) return false;
    if (toSeconds - fromSeconds <= shortestReportSeconds) return false;
    if (job.reportSeconds > shortestReportSeconds) {
      const shortened = { ...job, reportSeconds: shortestReportSeconds };
      await this.#options.persist(new DocumentSet<null>().set('backfill job', shortened));
      this.#job = shortened;
    }
    return true;
  }

  /** Takes over the maintenance of the checks, and the pasts of all transactions. */
  async readAccount(
    maintenance: ReadonlyMap<number, readonly TimeRange[]>,
    transactions: readonly ReadPast[],
  ): Promise<void> {
    const check = [...maintenance]
      .filter(([, ranges]) => ranges.length > 0)
      .map(([id, ranges]) => [id, ranges.map(boundsOf)] as const);
    const pasts = transactions.map(({ id, range, spans }) => [id, pastOf(range, spans)] as const);
    const documents: DocumentChanges = new DocumentSet<null>();
    documents.set('backfill maintenance', { check });
    for (const [id, past] of pasts) documents.set(`backfill of transaction ${id}`, past);
    await this.#options.persist(documents);
    this.#maintenance = { check };
    this.#pasts.transaction = new Map(pasts);
    this.update();
  }

  async #record(id: number, past: PastDocument): Promise<void> {
    await this.#options.persist(new DocumentSet<null>().set(`backfill of check ${id}`, past));
    this.#pasts.check.set(id, past);
    this.#closeIfRead(id);
  }

  async #recordResponseTimes(id: number, document: PastResponseTimesDocument): Promise<void> {
    const name = `backfill response times of check ${id}` as const;
    await this.#options.persist(new DocumentSet<null>().set(name, document));
    this.#responseTimes.set(id, document);
    this.#closeIfRead(id);
  }

  #closeIfRead(id: number): void {
    if (!this.#isRead('check', id)) return;
    this.#open.delete(id);
    this.#version += 1;
  }

  #isRead(kind: ItemKind, id: number): boolean {
    if (!this.#pasts[kind].has(id)) return false;
    return kind === 'transaction' || this.#responseTimesLeft(id) === undefined;
  }

  #responseTimesLeft(id: number): TimeRange | undefined {
    const past = this.#pasts.check.get(id);
    if (this.#job?.reportSeconds === undefined || past === undefined || 'refusal' in past) {
      return undefined;
    }
    return this.#responseTimes.left(id, past);
  }

  #readinessOf(kind: ItemKind, id: number): Readiness {
    return this.#options.readiness(kind, id);
  }
}

function requestOf(job: BackfillJobDocument): BackfillRequest {
  const { fromSeconds, toSeconds, reportSeconds } = job;
  return {
    fromSeconds,
    ...(toSeconds !== undefined && { toSeconds }),
    ...(reportSeconds !== undefined && { responseTimes: true }),
  };
}

function pastOf({ fromSeconds, toSeconds }: TimeRange, spans: readonly StateSpan[]): PastDocument {
  return { fromSeconds, toSeconds, states: encodeStates(spans) };
}

function boundsOf({ fromSeconds, toSeconds }: TimeRange): readonly [number, number] {
  return [fromSeconds, toSeconds];
}

function emptyPasts(): Record<ItemKind, Map<number, PastDocument>> {
  return { check: new Map(), transaction: new Map() };
}
