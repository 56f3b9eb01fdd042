import type { DatasetName } from '../domain/dataset.ts';
import type { ReadableClock } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import { changed, type DocumentChanges, DocumentSet } from '../store/format/document-set.ts';
import type { StoredDetails } from '../store/format/item-details.ts';
import { decodeOutages, encodeOutages } from '../store/format/outages.ts';
import {
  type AccountStore,
  type LostRecord,
  missingCommits,
  type StoreChanges,
} from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import type { AccountState } from './account-state.ts';
import { CheckDocuments } from './check-documents.ts';
import type { AccountOutageChange, TotalsChange } from './commit-queue.ts';
import type { CheckItemDetails } from './items/check-items.ts';
import type { Dated, Details } from './items/item-rows.ts';
import type { TransactionItemDetails } from './items/transaction-items.ts';
import type { RestoredAccount } from './stored-account.ts';

interface AccountStorageOptions {
  readonly store: AccountStore;
  readonly account: string;
  readonly clock: ReadableClock;
}

/** Reads and writes one account in the store. */
export class AccountStorage {
  readonly #options: AccountStorageOptions;
  #checkDocuments = new CheckDocuments();
  /** The documents that the last `storeParts` could not store. */
  #unstored: DocumentSet<null> = new DocumentSet();
  #isPaused = false;

  constructor(options: AccountStorageOptions) {
    this.#options = options;
  }

  /**
   * Nothing more is stored until `resume`: what still runs of a stopped account, such as the sealing
   * of months, must not replace what its successor stores.
   */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
  }

  /** Resolves when the totals are on the disk. */
  async storeTotals(change: TotalsChange): Promise<void> {
    const { checks, transactions, alerts, maintenance, outages = {}, beginsAgain } = change;
    const documents = outageDocumentsOf(outages);
    if (alerts !== undefined) documents.set('alerts', alerts);
    if (maintenance !== undefined) documents.set('maintenance', maintenance);
    if (change.documents !== undefined) documents.add(change.documents);
    await this.#commit({
      items: present({ check: checks, transaction: transactions }),
      ...(documents.size > 0 && { documents }),
      ...present({ beginsAgain }),
    });
  }

  /** Resolves when the documents are on the disk. */
  async storeDocuments(documents: DocumentChanges): Promise<void> {
    await this.#commit({ documents });
  }

  /** Stores the state's changes, except totals, and `others`: further documents. */
  async storeParts(state: AccountState, others: DocumentChanges): Promise<void> {
    const changes = state.changes.take();
    const documents = new DocumentSet<null>().add(others);
    const list = changes.parts.has('checks') ? entriesOf(state.checks) : undefined;
    if (list !== undefined) documents.add(this.#checkDocuments.changed(list));
    if (changes.parts.has('outages')) documents.add(outageDocumentsOf(state.standing.outages));
    if (changes.parts.has('datasets')) documents.set('datasets', state.storedSuccesses);
    if (changes.parts.has('transactions')) {
      documents.set('transactions', entriesOf(state.transactions));
    }
    if (changes.parts.has('accountData')) {
      documents.set('accountData', state.accountData);
    }
    for (const id of changes.details.check) {
      const details = state.checks.get(id)?.details;
      documents.set('details of check', this.#inUnixTime(details), id);
    }
    for (const id of changes.details.transaction) {
      const details = state.transactions.get(id)?.details;
      documents.set('details of transaction', this.#inUnixTime(details), id);
    }
    try {
      await this.#commit({ documents });
    } catch (error) {
      state.changes.putBack(changes);
      this.#unstored = documents;
      throw error;
    }
    this.#unstored = new DocumentSet();
    if (list !== undefined) this.#checkDocuments.markStored(list);
  }

  async #commit(changes: Omit<StoreChanges, 'account'>): Promise<void> {
    const { store, account } = this.#options;
    if (this.#isPaused) throw new StoreError('closed', `the account ${account} is stopped`);
    await store.commit({ account, ...changes });
  }

  /**
   * Reads the stored state and all documents. `predecessor` is the object that stored this account
   * until now; it still has the documents that it could not store.
   */
  async load(
    predecessor?: AccountStorage,
  ): Promise<
    RestoredAccount & { readonly documents: DocumentSet; readonly lost: readonly LostRecord[] }
  > {
    const { store, account } = this.#options;
    const { items, documents: stored, lost, past } = await store.load(account);
    const documents = predecessor === undefined ? stored : changed(stored, predecessor.#unstored);
    const checks = this.#checkDocuments.read(documents);
    // The previous object already knows which list is in the store.
    if (predecessor !== undefined) this.#checkDocuments = predecessor.#checkDocuments;
    const [transactions, data] = [documents.get('transactions'), documents.get('accountData')];
    const maintenance = documents.get('maintenance');
    const accountData = maintenance === undefined ? data : { ...data, maintenance };
    const datasets = documents.get('datasets')?.filter(({ name }) => !isLost(name, lost));
    const alerts = documents.get('alerts');
    return {
      documents,
      lost,
      ...present({ checks, transactions, accountData, datasets, alerts }),
      checkTotals: items.check,
      transactionTotals: items.transaction,
      outages: {
        check: decodeOutages(documents.get('outages of checks')),
        transaction: decodeOutages(documents.get('outages of transactions')),
      },
      ...(past !== undefined && { mustBeginAgain: true }),
      checkDetails: this.#detailsOf<CheckItemDetails>(documents.all('details of check')),
      transactionDetails: this.#detailsOf<TransactionItemDetails>(
        documents.all('details of transaction'),
      ),
    };
  }

  /** Converts details from monotonic milliseconds to UNIX seconds; null for a removed item. */
  #inUnixTime<F extends object>(details: Details<F> | undefined): Details<F> | null {
    if (details === undefined) return null;
    const { clock } = this.#options;
    const offset = clock.now() - clock.monotonic();
    return withTimes(details, (at) => Math.round((at + offset) / 1000));
  }

  #detailsOf<F extends object>(
    stored: Iterable<readonly [id: number, details: StoredDetails<F>]>,
  ): Map<number, Details<F>> {
    const { clock } = this.#options;
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    const restored = new Map<number, Details<F>>();
    for (const [id, details] of stored) {
      restored.set(
        id,
        withTimes(details, (at) => monotonic - Math.max(0, now - at * 1000)),
      );
    }
    return restored;
  }
}

function withTimes<F extends object>(
  details: StoredDetails<F>,
  timeOf: (at: number) => number,
): Details<F> {
  const timed: { -readonly [K in keyof F]?: Dated<F[K]> } = {};
  for (const name in details) {
    const detail = details[name];
    if (detail !== undefined)
      timed[name] = { value: detail.value as F[typeof name], at: timeOf(detail.at) };
  }
  return timed;
}

/**
 * Returns whether the document of a dataset is lost, so that the dataset is fetched at once. If
 * only the last commits are missing, the stored documents still match their ages.
 */
function isLost(dataset: DatasetName, lost: readonly LostRecord[]): boolean {
  const documents: { readonly [D in DatasetName]?: string } = {
    checks: 'check',
    transactions: 'transactions',
    maintenance: 'maintenance',
  };
  const kindOrName = documents[dataset] ?? 'accountData';
  return lost.some(
    ({ kind, name }) =>
      (kind === 'missing' && name !== missingCommits) ||
      (kind === 'document' && name.startsWith(kindOrName)),
  );
}

function outageDocumentsOf({ check, transaction }: AccountOutageChange): DocumentChanges {
  const documents: DocumentChanges = new DocumentSet();
  if (check !== undefined) documents.set('outages of checks', encodeOutages(check));
  if (transaction !== undefined) {
    documents.set('outages of transactions', encodeOutages(transaction));
  }
  return documents;
}

function entriesOf<E>(items: { records(): Iterable<{ readonly entry: E }> }): E[] {
  return [...items.records()].map(({ entry }) => entry);
}
