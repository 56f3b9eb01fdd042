import type { StateSpan, TimeRange } from '../../domain/interval.ts';
import { encodeStates } from '../../history/past-states.ts';
import { type DocumentChanges, DocumentSet } from '../../store/format/document-set.ts';
import { type ItemKind, itemKinds } from '../../store/store.ts';
import type {
  BackfillJobDocument,
  PastDocument,
  PastMaintenanceDocument,
  PastResponseTimesDocument,
} from './documents.ts';
import {
  type ReadResponseTimes,
  ResponseTimeReports,
  reportsOf,
  shortestReportSeconds,
} from './response-time-reports.ts';

/** The request of an operator. Times are UNIX seconds. */
export interface BackfillRequest {
  readonly fromSeconds: number;
  /** The end of the range; absent if it is the first sight of each item. */
  readonly toSeconds?: number;
  /** Whether the hourly response times of checks are also read. */
  readonly responseTimes?: true;
}

/** A job, and the part of it that is still unread. */
export type BackfillJobState = BackfillRequest & {
  readonly requestedAtSeconds: number;
  readonly items: number;
  /** Items with a stored past. */
  readonly read: number;
  /** Items that were read although entries of a report could not be; such as `check 12`. */
  readonly incomplete: readonly string[];
  /** Items that the account may not read. */
  readonly refused: number;
  /** Items that were removed before they were read. */
  readonly gone: number;
  /** Items that were first seen too recently: the service's report may not be complete yet. */
  readonly waiting: number;
  /** The number of refreshes that can run now. */
  readonly open: number;
  /** The number of requests until all readable items are read. */
  readonly requestsLeft: number;
};

/** Whether an item can be read now. */
export type Readiness = 'ready' | 'waiting' | 'gone';

interface BackfillJobOptions {
  /** Resolves when the documents are durable. */
  readonly storeDocuments: (documents: DocumentChanges) => Promise<void>;
  readonly readiness: (kind: ItemKind, id: number) => Readiness;
  /** The past of a check within the range of the request; undefined if there is none. */
  readonly rangeOf: (id: number, request: BackfillRequest) => TimeRange | undefined;
}

/** The data that were read of one item. */
interface ReadPast {
  readonly id: number;
  readonly range: TimeRange;
  readonly spans: readonly StateSpan[];
  /** The number of entries of the report that could not be read. */
  readonly unreadable: number;
}

/** The subject of a refresh: one check by its id, or maintenance together with all transactions. */
type BackfillId = number | 'account';

/**
 * The past of an account that an operator requested, item by item. An item counts as read only when
 * its data are durable, so that no response is requested twice after a crash.
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

  /** Changes when other items are open. */
  get version(): number {
    return this.#version;
  }

  get request(): (BackfillRequest & { readonly requestedAtSeconds: number }) | undefined {
    const job = this.#job;
    return job && { ...requestOf(job), requestedAtSeconds: job.requestedAtSeconds };
  }

  /** The subjects that can be read now. */
  open(): BackfillId[] {
    return [...this.#open];
  }

  isOpen(id: BackfillId): boolean {
    return this.#open.has(id);
  }

  /**
   * The number of refreshes of the whole job while any is left, otherwise 0. It stays the same
   * during the job, so that not every refresh causes a new plan.
   */
  get refreshes(): number {
    const job = this.#job;
    if (this.#open.size === 0 || job === undefined) return 0;
    const { fromSeconds, toSeconds = job.requestedAtSeconds, reportSeconds } = job;
    return job.check.length * (1 + reportsOf({ fromSeconds, toSeconds }, reportSeconds)) + 1;
  }

  get state(): BackfillJobState | undefined {
    const job = this.#job;
    if (job === undefined) return undefined;
    const incomplete: string[] = [];
    const counts = { items: 0, read: 0, refused: 0, gone: 0, waiting: 0 };
    for (const kind of itemKinds) {
      for (const id of job[kind]) {
        counts.items += 1;
        const past = this.#pasts[kind].get(id);
        if (past !== undefined && this.#isRead(kind, id)) {
          counts['states' in past ? 'read' : 'refused'] += 1;
          if (this.unreadable(kind, id) > 0) incomplete.push(`${kind} ${id}`);
        } else if (this.#readinessOf(kind, id) === 'gone') counts.gone += 1;
        else if (this.#isWaiting(kind, id)) counts.waiting += 1;
      }
    }
    return {
      ...requestOf(job),
      requestedAtSeconds: job.requestedAtSeconds,
      ...{ ...counts, incomplete },
      open: this.#open.size,
      requestsLeft: this.#requestsLeft(job),
    };
  }

  /** What has become readable waits for the next list, which opens it. */
  #isWaiting(kind: ItemKind, id: number): boolean {
    if (this.#readinessOf(kind, id) === 'waiting') return true;
    if (kind === 'check') return !this.#open.has(id);
    return this.#maintenance === undefined && !this.#open.has('account');
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

  ids(kind: ItemKind): readonly number[] {
    return this.#job?.[kind] ?? [];
  }

  past(kind: ItemKind, id: number): PastDocument | undefined {
    return this.#pasts[kind].get(id);
  }

  /** The number of entries of an item's reports that could not be read. */
  unreadable(kind: ItemKind, id: number): number {
    const past = this.#pasts[kind].get(id);
    const responseTimes = kind === 'check' ? this.#responseTimes.get(id) : undefined;
    return [past, responseTimes].reduce(
      (sum, read) =>
        sum + (read !== undefined && 'unreadable' in read ? (read.unreadable ?? 0) : 0),
      0,
    );
  }

  /** The range of the next report; undefined if none is left, or while states are unread. */
  responseTimesToRead(id: number): TimeRange | undefined {
    const left = this.#responseTimesLeft(id);
    const reportSeconds = this.#job?.reportSeconds;
    if (left === undefined || reportSeconds === undefined) return undefined;
    const { fromSeconds, toSeconds } = left;
    return { fromSeconds, toSeconds: Math.min(toSeconds, fromSeconds + reportSeconds) };
  }

  /** A check's hourly response times, or why there are none; undefined if not requested. */
  responseTimes(id: number): PastResponseTimesDocument | undefined {
    return this.#responseTimes.get(id);
  }

  /** The maintenance of each check within the range of the job. */
  maintenance(): ReadonlyMap<number, readonly (readonly [from: number, to: number])[]> {
    return new Map(this.#maintenance?.check ?? []);
  }

  /** Begins a job and deletes the previous one, which has no open items. Resolves when durable. */
  async begin(job: BackfillJobDocument): Promise<void> {
    const documents: DocumentChanges = new DocumentSet<null>().set('backfill job', job);
    documents.set('backfill maintenance', null);
    for (const kind of itemKinds) {
      for (const id of this.#pasts[kind].keys()) documents.set(`backfill of ${kind} ${id}`, null);
    }
    for (const id of this.#responseTimes.ids()) {
      documents.set(`backfill response times of check ${id}`, null);
    }
    await this.#options.storeDocuments(documents);
    this.#job = job;
    this.#maintenance = undefined;
    this.#pasts = emptyPasts();
    this.#responseTimes = new ResponseTimeReports();
    this.update();
  }

  /**
   * Adds items that were listed later; nothing is read again but maintenance and transactions,
   * which are read for all items at once. Call it only while nothing is open. Resolves when durable.
   */
  async extend(
    added: Readonly<Record<ItemKind, readonly number[]>>,
    requestedAtSeconds: number,
  ): Promise<void> {
    if (this.#job === undefined) return;
    const job = {
      ...{ ...this.#job, requestedAtSeconds },
      check: [...this.#job.check, ...added.check],
      transaction: [...this.#job.transaction, ...added.transaction],
    };
    const documents: DocumentChanges = new DocumentSet<null>().set('backfill job', job);
    await this.#options.storeDocuments(documents.set('backfill maintenance', null));
    this.#job = job;
    this.#maintenance = undefined;
    this.update();
  }

  /** Continues a stored job. Must be called before the first list. */
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

  /** The readable items change with every list, and with time. */
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

  /** Stores the past of a check. */
  readCheck(past: ReadPast): Promise<void> {
    return this.#record(past.id, pastOf(past));
  }

  /** Records that the account may not read the past of a check. */
  refusedCheck(id: number, refusal: string): Promise<void> {
    return this.#record(id, { refusal });
  }

  /** Stores response times of a check that were read. Resolves when they are durable. */
  async readResponseTimes(id: number, read: ReadResponseTimes): Promise<void> {
    await this.#recordResponseTimes(id, this.#responseTimes.extended(id, read));
  }

  /** Records that the account may not read response times; states can still be readable. */
  refusedResponseTimes(id: number, refusal: string): Promise<void> {
    return this.#recordResponseTimes(id, { refusal });
  }

  /** Requests shorter reports after one was refused; false if none are shorter. */
  async shortenReports({ fromSeconds, toSeconds }: TimeRange): Promise<boolean> {
    const job = this.#job;
    if (job?.reportSeconds === undefined) return false;
    if (toSeconds - fromSeconds <= shortestReportSeconds) return false;
    if (job.reportSeconds > shortestReportSeconds) {
      const shortened = { ...job, reportSeconds: shortestReportSeconds };
      await this.#options.storeDocuments(new DocumentSet<null>().set('backfill job', shortened));
      this.#job = shortened;
    }
    return true;
  }

  /** Stores the maintenance of the checks, and the pasts of all transactions. */
  async readAccount(
    maintenance: ReadonlyMap<number, readonly TimeRange[]>,
    transactions: readonly ReadPast[],
  ): Promise<void> {
    const check = [...maintenance]
      .filter(([, ranges]) => ranges.length > 0)
      .map(([id, ranges]) => [id, ranges.map(boundsOf)] as const);
    const pasts = transactions.map((past) => [past.id, pastOf(past)] as const);
    const documents: DocumentChanges = new DocumentSet<null>();
    documents.set('backfill maintenance', { check });
    for (const [id, past] of pasts) documents.set(`backfill of transaction ${id}`, past);
    await this.#options.storeDocuments(documents);
    this.#maintenance = { check };
    this.#pasts.transaction = new Map(pasts);
    this.update();
  }

  async #record(id: number, past: PastDocument): Promise<void> {
    await this.#options.storeDocuments(
      new DocumentSet<null>().set(`backfill of check ${id}`, past),
    );
    this.#pasts.check.set(id, past);
    this.#closeIfRead(id);
  }

  async #recordResponseTimes(id: number, document: PastResponseTimesDocument): Promise<void> {
    const name = `backfill response times of check ${id}` as const;
    await this.#options.storeDocuments(new DocumentSet<null>().set(name, document));
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

function pastOf({ range, spans, unreadable }: ReadPast): PastDocument {
  const { fromSeconds, toSeconds } = range;
  const states = encodeStates(spans);
  return { fromSeconds, toSeconds, states, ...(unreadable > 0 && { unreadable }) };
}

function boundsOf({ fromSeconds, toSeconds }: TimeRange): readonly [number, number] {
  return [fromSeconds, toSeconds];
}

function emptyPasts(): Record<ItemKind, Map<number, PastDocument>> {
  return { check: new Map(), transaction: new Map() };
}
