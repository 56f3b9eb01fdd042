import type { TimeRange } from '../../domain/interval.ts';
import type { AccountState } from '../../state/account-state.ts';
import type { CheckItems } from '../../state/items/check-items.ts';
import type { TransactionItems } from '../../state/items/transaction-items.ts';
import type { Policies } from '../../state/standing/policies.ts';
import type { DocumentChanges } from '../../store/format/document-set.ts';
import { type ItemKind, itemKinds } from '../../store/store.ts';
import { longestLagSeconds } from '../../tally/list-times.ts';
import { BackfillJob } from './backfill-job.ts';
import type { BackfillRequest } from './backfill-request.ts';
import { BackfillChanges, type ItemLabels, type StoredBackfill } from './documents.ts';
import { FirstSeen, type FirstSeenItem } from './first-seen.ts';
import type { Readiness } from './job-progress.ts';

/** Seconds between two tests of a check. */
const longestTestInterval = 3_600;

interface AccountBackfillOptions {
  readonly items: Pick<AccountState, 'checks' | 'transactions'>;
  readonly policies: Pick<Policies, 'outages'>;
  /** Resolves when the documents are durable. */
  readonly storeDocuments: (documents: DocumentChanges) => Promise<void>;
  /** UNIX seconds of the service's clock. */
  readonly nowSeconds: () => number;
}

/** The stored data for history: when each item was first seen, and the job. */
export class AccountBackfill {
  readonly #options: AccountBackfillOptions;
  readonly #firstSeen = new FirstSeen();
  readonly job: BackfillJob;
  /** Restored items are examined once; after that, only items that a list adds. */
  readonly #isComplete: Record<ItemKind, boolean> = { check: false, transaction: false };
  #isStored = true;

  constructor(options: AccountBackfillOptions) {
    this.#options = options;
    this.job = new BackfillJob({
      storeDocuments: options.storeDocuments,
      readiness: (kind, id) => this.#readinessOf(kind, id),
      rangeOf: (id, request) => this.rangeOf('check', id, request),
    });
  }

  firstSeen(kind: ItemKind, id: number): FirstSeenItem | undefined {
    return this.#firstSeen.get(kind, id);
  }

  /** The labels of a listed item, without `account` and `check_id`; undefined for others. */
  labelsOf(kind: ItemKind, id: number): ItemLabels | undefined {
    const entry = this.#itemsOf(kind).get(id)?.entry;
    if (entry === undefined) return undefined;
    return { name: entry.name, ...this.#options.policies.outages.promotedOf(kind, entry) };
  }

  /** Applies a list that added these items. */
  listed(kind: ItemKind, added: Iterable<number>): void {
    const items = this.#itemsOf(kind);
    const ids = this.#isComplete[kind] ? added : items.ids();
    this.#isComplete[kind] = true;
    const seen = [...ids].flatMap((id) => {
      const startSeconds = items.get(id)?.totals.states.startSeconds;
      const labels = () => this.labelsOf(kind, id) ?? {};
      return startSeconds === undefined ? [] : [{ id, startSeconds, labels }];
    });
    if (this.#firstSeen.listed(kind, seen)) this.#isStored = false;
    this.job.update();
  }

  /** The changes since this was called last, other than those of the job. */
  takeChanges(): BackfillChanges {
    const changes = new BackfillChanges();
    if (this.#isStored) return changes;
    this.#isStored = true;
    return changes.setFirstSeen(this.#firstSeen.document());
  }

  /** The changes could not be stored, or may not have been: they are taken again. */
  notStored(): void {
    this.#isStored = false;
  }

  /** Continues from what is stored. Must be called after the items are restored. */
  restore({ firstSeen, ...jobAndPasts }: StoredBackfill): void {
    if (firstSeen !== undefined) {
      const { checks, transactions } = this.#options.items;
      this.#firstSeen.restore(firstSeen, {
        check: (id) => checks.isKept(id),
        transaction: (id) => transactions.isKept(id),
      });
    }
    this.job.restore(jobAndPasts);
  }

  /**
   * The part of a request's range before the first sight of an item; undefined if there is none. If
   * the service does not report when the item was created, it begins with the range.
   */
  rangeOf(kind: ItemKind, id: number, request: BackfillRequest): TimeRange | undefined {
    const entry = this.#itemsOf(kind).get(id)?.entry;
    const seen = this.#firstSeen.get(kind, id);
    if (entry === undefined || seen === undefined) return undefined;
    const fromSeconds = Math.max(request.fromSeconds, entry.createdAtSeconds ?? 0);
    const toSeconds = Math.min(seen.atSeconds, request.toSeconds ?? seen.atSeconds);
    return fromSeconds < toSeconds ? { fromSeconds, toSeconds } : undefined;
  }

  idsWithin(kind: ItemKind, request: BackfillRequest): number[] {
    return [...this.#itemsOf(kind).ids()].filter(
      (id) => this.rangeOf(kind, id, request) !== undefined,
    );
  }

  /** Seconds until every item of the job can be read, provided that each is tested on time. */
  get waitSeconds(): number {
    let readySeconds = 0;
    for (const kind of itemKinds) {
      for (const id of this.job.itemsOf(kind)) {
        if (this.#readinessOf(kind, id) !== 'waiting') continue;
        const seenSeconds = this.#firstSeen.get(kind, id)?.atSeconds ?? 0;
        const { horizonSeconds = 0, resolutionSeconds = 0 } =
          this.#itemsOf(kind).get(id)?.totals.states ?? {};
        const testedSeconds = horizonSeconds + resolutionSeconds;
        readySeconds = Math.max(readySeconds, seenSeconds + this.#lagSeconds, testedSeconds);
      }
    }
    return Math.max(0, readySeconds - this.#options.nowSeconds());
  }

  /**
   * The reports before first sight are complete when two times have passed: the lag of reports
   * behind lists, and the next test, which completes the last hour of response times.
   */
  #readinessOf(kind: ItemKind, id: number): Readiness {
    const record = this.#itemsOf(kind).get(id);
    const seen = this.#firstSeen.get(kind, id);
    if (record === undefined || seen === undefined) return 'gone';
    const isSettled = record.totals.states.horizonSeconds > seen.atSeconds;
    const isPast = this.#options.nowSeconds() - this.#lagSeconds >= seen.atSeconds;
    return isSettled && isPast ? 'ready' : 'waiting';
  }

  get #lagSeconds(): number {
    return longestLagSeconds + (this.job.request?.responseTimes ? longestTestInterval : 0);
  }

  #itemsOf(kind: ItemKind): CheckItems | TransactionItems {
    return kind === 'check' ? this.#options.items.checks : this.#options.items.transactions;
  }
}
