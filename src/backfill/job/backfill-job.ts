import type { DeeperItems } from '../../datasets/history.ts';
import type { ItemId } from '../../domain/dataset.ts';
import type { TimeRange } from '../../domain/interval.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import type { DocumentChanges } from '../../store/format/document-set.ts';
import { type ItemKind, itemKinds } from '../../store/store.ts';
import type { IncompleteItem } from '../../tally/incomplete-reports.ts';
import {
  BackfillChanges,
  type BackfillRequest,
  type JobDocument,
  type PastDocument,
  type StoredBackfill,
} from './documents.ts';
import type { FirstSeen } from './first-seen.ts';
import { reportsOf, shortestReportSeconds } from './report-length.ts';
import { type Readiness, UnreadRanges } from './unread-ranges.ts';

/** What has become of an item of a job. A waiting one was first seen too recently. */
type Progress = 'read' | 'refused' | Readiness;

/** A job, its items by what has become of them, and what is left of it. */
export interface BackfillJobState extends BackfillRequest {
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
}

/** Ids of checks and transactions. */
type Ids = Readonly<Record<ItemKind, readonly number[]>>;

/** What a job knows of an item. */
interface JobItem {
  /** Absent until it is read. */
  past: PastDocument | undefined;
  /** It can be read now: what is known of its reports. */
  open: IncompleteItem | undefined;
}

type JobItems = Readonly<Record<ItemKind, Map<number, JobItem>>>;

interface BackfillJobOptions {
  readonly firstSeen: FirstSeen;
  /** Resolves when the documents are durable. */
  readonly storeDocuments: (documents: DocumentChanges) => Promise<void>;
  /** UNIX seconds of the service's clock. */
  readonly nowSeconds: () => number;
}

/**
 * The past of an account that an operator requested, item by item. An item counts as read only when
 * its data are durable, so that no response is requested twice after a crash.
 */
export class BackfillJob implements DeeperItems {
  readonly unread: UnreadRanges;
  readonly #options: BackfillJobOptions;
  #job: JobDocument | undefined;
  #items: JobItems = { check: new Map(), transaction: new Map() };
  /** The maintenance can be read now, together with all transactions. */
  #account: IncompleteItem | undefined;
  /** The number of subjects that can be read now: checks, and the account. */
  #open = 0;
  #version = 0;

  constructor(options: BackfillJobOptions) {
    this.#options = options;
    this.unread = new UnreadRanges(options.firstSeen, options.nowSeconds);
  }

  /** Changes when other items are open. */
  get version(): number {
    return this.#version;
  }

  get request(): JobDocument | undefined {
    return this.#job;
  }

  /** The subjects that can be read now. */
  ids(): ItemId[] {
    const checks = [...this.#items.check].filter(([, { open }]) => open !== undefined);
    const ids = checks.map(([id]) => id);
    return this.#account === undefined ? ids : [...ids, 'account'];
  }

  isOpen(id: ItemId): boolean {
    return this.open(id) !== undefined;
  }

  /** A subject that can be read now, with what is known of its reports. */
  open(id: ItemId): IncompleteItem | undefined {
    return id === 'account' ? this.#account : this.#items.check.get(id)?.open;
  }

  /**
   * The number of requests of the whole job while any is left, otherwise 0. It stays the same
   * during the job, so that not every refresh causes a new plan.
   */
  get requests(): number {
    const job = this.#job;
    if (this.#open === 0 || job === undefined) return 0;
    const { fromSeconds, toSeconds = job.requestedAtSeconds } = job;
    return job.check.length * (1 + reportsOf({ fromSeconds, toSeconds }, job)) + 1;
  }

  itemsOf(kind: ItemKind): readonly number[] {
    return this.#job?.[kind] ?? [];
  }

  past(kind: ItemKind, id: number): PastDocument | undefined {
    return this.#items[kind].get(id)?.past;
  }

  /** The unread response times of a check; undefined if none are left, or its states are unread. */
  unmeasured(id: number): TimeRange | undefined {
    const { past, measuredUntilSeconds } = this.past('check', id) ?? {};
    if (this.#job?.responseTimes === undefined || past === undefined) return undefined;
    const seenSeconds = this.#options.firstSeen.get('check', id)?.atSeconds ?? past.toSeconds;
    const toSeconds = Math.min(past.toSeconds, seenSeconds);
    const fromSeconds = measuredUntilSeconds ?? past.fromSeconds;
    return fromSeconds < toSeconds ? { fromSeconds, toSeconds } : undefined;
  }

  /** Begins a job and deletes the previous one, which has no open items. Resolves when durable. */
  async begin(job: JobDocument): Promise<void> {
    const changes = new BackfillChanges().setJob(job);
    for (const kind of itemKinds) {
      for (const [id, { past }] of this.#items[kind]) {
        if (past !== undefined) changes.setPast(kind, id, null);
      }
    }
    await this.#options.storeDocuments(changes);
    this.restore({ job, check: new Map(), transaction: new Map() });
  }

  /**
   * Adds items that were listed later, or of which more was given up since they were read. Call it
   * only while nothing is open. Resolves when durable.
   */
  async extend(added: Ids, requestedAtSeconds: number): Promise<void> {
    if (this.#job === undefined) return;
    const { maintenance: _, ...job } = this.#job;
    const changes = new BackfillChanges();
    for (const kind of itemKinds) {
      for (const id of added[kind]) if (this.past(kind, id)) changes.setPast(kind, id, null);
    }
    await this.#storeJob(
      {
        ...job,
        requestedAtSeconds,
        check: [...new Set([...job.check, ...added.check])],
        transaction: [...new Set([...job.transaction, ...added.transaction])],
      },
      changes,
    );
    for (const kind of itemKinds)
      for (const id of added[kind]) this.#item(kind, id).past = undefined;
    this.update();
  }

  /** Those of these items of which the job has not read everything. Call it only while nothing is open. */
  lacking(kind: ItemKind, ids: readonly number[]): readonly number[] {
    const job = this.#job;
    const jobIds = new Set(job?.[kind]);
    return ids.filter((id) => {
      if (job === undefined || !jobIds.has(id)) return true;
      const { toSeconds = Number.POSITIVE_INFINITY } = this.past(kind, id)?.past ?? {};
      return (this.unread.of(kind, id, job)?.toSeconds ?? 0) > toSeconds;
    });
  }

  /** Stores the past of a check, or more of it. Resolves when durable. */
  async read(id: number, past: PastDocument): Promise<void> {
    await this.#options.storeDocuments(new BackfillChanges().setPast('check', id, past));
    const item = this.#item('check', id);
    item.past = past;
    if (this.#isRead('check', id)) this.#setOpen(item, false);
  }

  /** Stores the maintenance of all items, and the pasts of all transactions. */
  async readAccount(
    maintenance: NonNullable<JobDocument['maintenance']>,
    transactions: ReadonlyMap<number, PastDocument>,
  ): Promise<void> {
    if (this.#job === undefined) return;
    const changes = new BackfillChanges();
    for (const [id, past] of transactions) changes.setPast('transaction', id, past);
    await this.#storeJob({ ...this.#job, maintenance }, changes);
    this.#items = { ...this.#items, transaction: itemsWith(transactions) };
  }

  /** Requests shorter reports after one was refused; false if none are shorter. */
  async shortenReports({ fromSeconds, toSeconds }: TimeRange): Promise<boolean> {
    const isShortest = toSeconds - fromSeconds <= shortestReportSeconds;
    if (this.#job === undefined || isShortest) return false;
    await this.#storeJob({ ...this.#job, reportSeconds: shortestReportSeconds });
    return true;
  }

  async #storeJob(job: JobDocument, changes = new BackfillChanges()): Promise<void> {
    await this.#options.storeDocuments(changes.setJob(job));
    this.#job = job;
    this.update();
  }

  /** Continues a job. A stored one must be restored before the first list. */
  restore({ job, check, transaction }: Omit<StoredBackfill, 'firstSeen'>): void {
    this.#job = job;
    this.#items = { check: itemsWith(check), transaction: itemsWith(transaction) };
    this.update();
  }

  /** The readable items change with every list, and with time. */
  update(): void {
    const job = this.#job;
    if (job === undefined) return;
    for (const id of job.check) {
      const isReady =
        !this.#isRead('check', id) && this.unread.readiness('check', id, job) === 'open';
      this.#setOpen(this.#item('check', id), isReady);
    }
    const isWaiting = job.transaction.some(
      (id) => this.unread.readiness('transaction', id, job) === 'waiting',
    );
    const account = { open: this.#account };
    this.#setOpen(account, job.maintenance === undefined && !isWaiting);
    this.#account = account.open;
  }

  #item(kind: ItemKind, id: number): JobItem {
    return getOrMake(this.#items[kind], id, () => ({ past: undefined, open: undefined }));
  }

  #setOpen(subject: Pick<JobItem, 'open'>, isOpen: boolean): void {
    if (isOpen === (subject.open !== undefined)) return;
    subject.open = isOpen ? { incompleteReports: undefined } : undefined;
    this.#open += isOpen ? 1 : -1;
    this.#version += 1;
  }

  get state(): BackfillJobState | undefined {
    const job = this.#job;
    if (job === undefined) return undefined;
    const { check, transaction, maintenance, reportSeconds, ...request } = job;
    const counts = { items: 0, read: 0, refused: 0, gone: 0, waiting: 0, open: 0 };
    const incomplete: string[] = [];
    for (const kind of itemKinds) {
      for (const id of job[kind]) {
        counts.items += 1;
        counts[this.#progress(kind, id, job)] += 1;
        const isIncomplete = this.#isRead(kind, id) && this.past(kind, id)?.unreadable;
        if (isIncomplete) incomplete.push(`${kind} ${id}`);
      }
    }
    const left = { open: this.#open, requestsLeft: this.#requestsLeft(job) };
    return { ...request, ...counts, incomplete, ...left };
  }

  /**
   * How many of these items cannot be read yet, and the seconds until all of them can, provided that
   * each is tested on time.
   */
  waiting(
    ids: Ids,
    request: BackfillRequest,
  ): { readonly items: number; readonly seconds: number } {
    let [items, readySeconds] = [0, 0];
    for (const kind of itemKinds) {
      for (const id of ids[kind]) {
        if (this.#isRead(kind, id)) continue;
        if (this.unread.readiness(kind, id, request) !== 'waiting') continue;
        items += 1;
        readySeconds = Math.max(readySeconds, this.unread.readyAtSeconds(kind, id, request));
      }
    }
    return { items, seconds: Math.max(0, readySeconds - this.#options.nowSeconds()) };
  }

  /** Whether everything that the job requests of an item is read. */
  #isRead(kind: ItemKind, id: number): boolean {
    if (this.past(kind, id) === undefined) return false;
    return kind === 'transaction' || this.unmeasured(id) === undefined;
  }

  #progress(kind: ItemKind, id: number, job: JobDocument): Progress {
    if (this.#isRead(kind, id)) return this.past(kind, id)?.past === undefined ? 'refused' : 'read';
    const readiness = this.unread.readiness(kind, id, job);
    // An item that has become readable waits for the next list, which opens it.
    const isOpen = this.isOpen(kind === 'check' ? id : 'account');
    return readiness === 'open' && !isOpen ? 'waiting' : readiness;
  }

  /** Maintenance and all transactions count as one. */
  #requestsLeft(job: JobDocument): number {
    let requests = job.maintenance === undefined ? 1 : 0;
    for (const id of job.check) {
      if (this.#isRead('check', id)) continue;
      if (this.unread.readiness('check', id, job) === 'gone') continue;
      const areStatesRead = this.past('check', id) !== undefined;
      const range = areStatesRead ? this.unmeasured(id) : this.unread.of('check', id, job);
      requests += (areStatesRead ? 0 : 1) + (range === undefined ? 0 : reportsOf(range, job));
    }
    return requests;
  }
}

function itemsWith(pasts: ReadonlyMap<number, PastDocument>): Map<number, JobItem> {
  return new Map([...pasts].map(([id, past]) => [id, { past, open: undefined }]));
}
