import type { StateSpan, TimeRange } from '../../domain/interval.ts';
import type { OwnItems } from '../../schedule/refresh.ts';
import type { DocumentChanges } from '../../store/format/document-set.ts';
import type { ItemKind } from '../../store/store.ts';
import { encodeStates } from '../series/past-states.ts';
import { type BackfillRequest, requestOf } from './backfill-request.ts';
import {
  BackfillChanges,
  type BackfillJobDocument,
  type PastDocument,
  type PastResponseTimesDocument,
  type StoredBackfill,
} from './documents.ts';
import { JobPasts } from './job-pasts.ts';
import {
  type BackfillId,
  type BackfillJobState,
  jobProgress,
  type Readiness,
} from './job-progress.ts';
import {
  type ReadResponseTimes,
  reportsOf,
  shortestReportSeconds,
} from './response-time-reports.ts';

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

/** The maintenance of each item within the range of a job. */
export type MaintenanceByKind = Readonly<
  Record<ItemKind, ReadonlyMap<number, readonly TimeRange[]>>
>;

/**
 * The past of an account that an operator requested, item by item. An item counts as read only when
 * its data are durable, so that no response is requested twice after a crash.
 */
export class BackfillJob implements OwnItems {
  readonly #options: BackfillJobOptions;
  #job: BackfillJobDocument | undefined;
  #pasts = new JobPasts();
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
  ids(): BackfillId[] {
    return [...this.#open];
  }

  isOpen(id: BackfillId): boolean {
    return this.#open.has(id);
  }

  /**
   * The number of requests of the whole job while any is left, otherwise 0. It stays the same
   * during the job, so that not every refresh causes a new plan.
   */
  get requests(): number {
    const job = this.#job;
    if (this.#open.size === 0 || job === undefined) return 0;
    const { fromSeconds, toSeconds = job.requestedAtSeconds, reportSeconds } = job;
    return job.check.length * (1 + reportsOf({ fromSeconds, toSeconds }, reportSeconds)) + 1;
  }

  get state(): BackfillJobState | undefined {
    const job = this.#job;
    if (job === undefined) return undefined;
    const facts = { ...this.#options, pasts: this.#pasts, open: this.#open };
    const { requestedAtSeconds } = job;
    return { ...requestOf(job), requestedAtSeconds, ...jobProgress(job, facts) };
  }

  itemsOf(kind: ItemKind): readonly number[] {
    return this.#job?.[kind] ?? [];
  }

  past(kind: ItemKind, id: number): PastDocument | undefined {
    return this.#pasts.get(kind, id);
  }

  /** The number of entries of an item's reports that could not be read. */
  unreadable(kind: ItemKind, id: number): number {
    return this.#pasts.unreadable(kind, id);
  }

  /** The range of the next report; undefined if none is left, or while states are unread. */
  responseTimesToRead(id: number): TimeRange | undefined {
    const job = this.#job;
    const left = job && this.#pasts.responseTimesLeft(job, id);
    if (left === undefined || job?.reportSeconds === undefined) return undefined;
    const { fromSeconds, toSeconds } = left;
    return { fromSeconds, toSeconds: Math.min(toSeconds, fromSeconds + job.reportSeconds) };
  }

  /** A check's hourly response times, or why there are none; undefined if not requested. */
  responseTimes(id: number): PastResponseTimesDocument | undefined {
    return this.#pasts.responseTimes.get(id);
  }

  /** The maintenance of each item within the range of the job. */
  maintenance(
    kind: ItemKind,
  ): ReadonlyMap<number, readonly (readonly [from: number, to: number])[]> {
    return new Map(this.#pasts.maintenance?.[kind] ?? []);
  }

  /** Begins a job and deletes the previous one, which has no open items. Resolves when durable. */
  async begin(job: BackfillJobDocument): Promise<void> {
    await this.#options.storeDocuments(this.#pasts.deletion().setJob(job));
    this.#job = job;
    this.#pasts = new JobPasts();
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
    await this.#options.storeDocuments(new BackfillChanges().setJob(job).setMaintenance(null));
    this.#job = job;
    this.#pasts.maintenance = undefined;
    this.update();
  }

  /** Continues a stored job. Must be called before the first list. */
  restore({ job, ...pasts }: Omit<StoredBackfill, 'firstSeen'>): void {
    this.#job = job;
    this.#pasts = new JobPasts(pasts);
    this.update();
  }

  /** The readable items change with every list, and with time. */
  update(): void {
    const job = this.#job;
    if (job === undefined) return;
    const { readiness } = this.#options;
    const isReady = (kind: ItemKind) => (id: number) =>
      !this.#pasts.isRead(job, kind, id) && readiness(kind, id) === 'ready';
    const open = new Set<BackfillId>(job.check.filter(isReady('check')));
    const isWaiting = job.transaction.some((id) => readiness('transaction', id) === 'waiting');
    if (this.#pasts.maintenance === undefined && !isWaiting) open.add('account');
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
    await this.#recordResponseTimes(id, this.#pasts.responseTimes.extended(id, read));
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
      await this.#options.storeDocuments(new BackfillChanges().setJob(shortened));
      this.#job = shortened;
    }
    return true;
  }

  /** Stores the maintenance of all items, and the pasts of all transactions. */
  async readAccount(
    maintenance: MaintenanceByKind,
    transactions: readonly ReadPast[],
  ): Promise<void> {
    const read = {
      check: boundsIn(maintenance.check),
      transaction: boundsIn(maintenance.transaction),
    };
    const pasts = transactions.map((past) => [past.id, pastOf(past)] as const);
    const changes = new BackfillChanges().setMaintenance(read);
    for (const [id, past] of pasts) changes.setPast('transaction', id, past);
    await this.#options.storeDocuments(changes);
    this.#pasts.maintenance = read;
    this.#pasts.setTransactions(pasts);
    this.update();
  }

  async #record(id: number, past: PastDocument): Promise<void> {
    await this.#options.storeDocuments(new BackfillChanges().setPast('check', id, past));
    this.#pasts.setCheck(id, past);
    this.#closeIfRead(id);
  }

  async #recordResponseTimes(id: number, document: PastResponseTimesDocument): Promise<void> {
    await this.#options.storeDocuments(new BackfillChanges().setResponseTimes(id, document));
    this.#pasts.responseTimes.set(id, document);
    this.#closeIfRead(id);
  }

  #closeIfRead(id: number): void {
    if (this.#job === undefined || !this.#pasts.isRead(this.#job, 'check', id)) return;
    this.#open.delete(id);
    this.#version += 1;
  }
}

function pastOf({ range, spans, unreadable }: ReadPast): PastDocument {
  const { fromSeconds, toSeconds } = range;
  const states = encodeStates(spans);
  return { fromSeconds, toSeconds, states, ...(unreadable > 0 && { unreadable }) };
}

/** Items without maintenance are left out. */
function boundsIn(maintenance: ReadonlyMap<number, readonly TimeRange[]>) {
  return [...maintenance]
    .filter(([, ranges]) => ranges.length > 0)
    .map(([id, ranges]): [number, [number, number][]] => [id, ranges.map(boundsOf)]);
}

function boundsOf({ fromSeconds, toSeconds }: TimeRange): [number, number] {
  return [fromSeconds, toSeconds];
}
