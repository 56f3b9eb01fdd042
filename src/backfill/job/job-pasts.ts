import type { TimeRange } from '../../domain/interval.ts';
import { type ItemKind, itemKinds } from '../../store/store.ts';
import {
  BackfillChanges,
  type BackfillJobDocument,
  type PastDocument,
  type PastMaintenanceDocument,
  type PastResponseTimesDocument,
  type StoredPasts,
} from './documents.ts';
import { ResponseTimeReports } from './response-time-reports.ts';

/** The pasts that a job has read and stored. */
export class JobPasts {
  readonly #pasts: Record<ItemKind, Map<number, PastDocument>>;
  readonly responseTimes: ResponseTimeReports;
  /** Undefined until maintenance and all transactions are read. */
  maintenance: PastMaintenanceDocument | undefined;

  constructor(stored?: StoredPasts) {
    this.maintenance = stored?.maintenance;
    this.#pasts = {
      check: stored?.check ?? new Map(),
      transaction: stored?.transaction ?? new Map(),
    };
    this.responseTimes = new ResponseTimeReports(stored?.responseTimes);
  }

  get(kind: ItemKind, id: number): PastDocument | undefined {
    return this.#pasts[kind].get(id);
  }

  /** The number of entries of an item's reports that could not be read. */
  unreadable(kind: ItemKind, id: number): number {
    const past = this.#pasts[kind].get(id);
    const responseTimes = kind === 'check' ? this.responseTimes.get(id) : undefined;
    return unreadableIn(past) + unreadableIn(responseTimes);
  }

  setCheck(id: number, past: PastDocument): void {
    this.#pasts.check.set(id, past);
  }

  setTransactions(pasts: Iterable<readonly [id: number, past: PastDocument]>): void {
    this.#pasts.transaction = new Map(pasts);
  }

  /** Whether everything that the job requests of an item is read. */
  isRead(job: BackfillJobDocument, kind: ItemKind, id: number): boolean {
    if (!this.#pasts[kind].has(id)) return false;
    return kind === 'transaction' || this.responseTimesLeft(job, id) === undefined;
  }

  /** The range of unread response times; undefined if none is left, or while states are unread. */
  responseTimesLeft({ reportSeconds }: BackfillJobDocument, id: number): TimeRange | undefined {
    const past = this.#pasts.check.get(id);
    if (reportSeconds === undefined || past === undefined || 'refusal' in past) return undefined;
    return this.responseTimes.left(id, past);
  }

  /** Deletes every stored past. */
  deletion(): BackfillChanges {
    const changes = new BackfillChanges().setMaintenance(null);
    for (const kind of itemKinds) {
      for (const id of this.#pasts[kind].keys()) changes.setPast(kind, id, null);
    }
    for (const id of this.responseTimes.ids()) changes.setResponseTimes(id, null);
    return changes;
  }
}

function unreadableIn(read: PastDocument | PastResponseTimesDocument | undefined): number {
  return read !== undefined && 'unreadable' in read ? (read.unreadable ?? 0) : 0;
}
