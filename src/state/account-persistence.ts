import type { AccountData } from '../domain/account.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { Clock } from '../lib/clock.ts';
import { decodeOutages, encodeOutages } from '../store/format/outages.ts';
import type { Json, LostRecord, Store, StoredAccount, StoredItem } from '../store/store.ts';
import type { AccountState } from './account-state.ts';
import { CheckDocuments } from './check-documents.ts';
import type { AccountOutageChange, TotalsChange } from './commit-queue.ts';
import type { CheckItemDetails } from './items/check-items.ts';
import type { Details } from './items/item-rows.ts';
import type { CheckTotals } from './items/totals.ts';
import type { TransactionItemDetails } from './items/transaction-items.ts';
import type { RestoredAccount, RestoredParts, StoredPart } from './stored-account.ts';

export interface AccountPersistenceOptions {
  readonly store: Store;
  readonly account: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

const outageDocuments = { checks: 'outages of checks', transactions: 'outages of transactions' };
const detailPrefix = { check: 'details of check ', transaction: 'details of transaction ' };

/** One account's part of the store. */
export class AccountPersistence {
  readonly #options: AccountPersistenceOptions;
  readonly #checkDocuments = new CheckDocuments();

  constructor(options: AccountPersistenceOptions) {
    this.#options = options;
  }

  /** Resolves when the totals are on the disk. */
  async persistTotals(change: TotalsChange): Promise<void> {
    const { checks, transactions, alerts, maintenance, outages = {} } = change;
    const { store, account } = this.#options;
    const documents = outageDocumentsOf(outages);
    if (alerts !== undefined) documents.set('alerts', asJson(alerts));
    if (maintenance !== undefined) documents.set('maintenance', asJson(maintenance));
    await store.commit({
      account,
      items: {
        ...(checks !== undefined && { check: checks }),
        ...(transactions !== undefined && { transaction: transactions }),
      },
      ...(documents.size > 0 && { documents }),
    });
  }

  /** Stores what changed of the state beside the totals, and documents of the caller's. */
  async persistParts(state: AccountState, others: ReadonlyMap<string, Json>): Promise<void> {
    const { store, account } = this.#options;
    const changes = state.changes.take();
    const documents = new Map<string, Json | null>(others);
    const list = changes.parts.has('checks') ? entriesOf(state.checks) : undefined;
    for (const [name, document] of list ? this.#checkDocuments.changed(list) : []) {
      documents.set(name, document);
    }
    for (const part of changes.parts) {
      if (part === 'outages') {
        for (const [name, value] of outageDocumentsOf(state.outages)) documents.set(name, value);
      } else if (part !== 'checks') documents.set(part, asJson(readPart(state, part)));
    }
    for (const id of changes.checkDetails) {
      const details = state.checks.get(id)?.details;
      documents.set(`${detailPrefix.check}${id}`, this.#datedDetails(details));
    }
    for (const id of changes.transactionDetails) {
      const details = state.transactions.get(id)?.details;
      documents.set(`${detailPrefix.transaction}${id}`, this.#datedDetails(details));
    }
    try {
      await store.commit({ account, documents });
    } catch (error) {
      state.changes.putBack(changes);
      throw error;
    }
    if (list !== undefined) this.#checkDocuments.markStored(list);
  }

  /** What there is of the state, and all documents, those of the caller's of `keepParts` among them. */
  async load(): Promise<RestoredAccount & { readonly documents: ReadonlyMap<string, Json> }> {
    const { store, account } = this.#options;
    const { items, documents, lost = [] } = await store.load(account);
    const document = <N extends keyof RestoredParts>(name: N) =>
      documents.get(name) as unknown as RestoredParts[N] | undefined;
    const checks = this.#checkDocuments.read(documents);
    const [transactions, stored] = [document('transactions'), document('accountData')];
    const maintenance = documents.get('maintenance') as unknown as AccountData['maintenance'];
    const accountData = maintenance === undefined ? stored : { ...stored, maintenance };
    const alerts = document('alerts');
    const datasets = document('datasets')?.filter(({ name }) => !isLost(name, lost));
    return {
      documents,
      ...(checks !== undefined && { checks }),
      ...(transactions !== undefined && { transactions }),
      ...(accountData !== undefined && { accountData }),
      ...(datasets !== undefined && { datasets }),
      ...(alerts !== undefined && { alerts }),
      outages: {
        checks: decodeOutages(documents.get(outageDocuments.checks)),
        transactions: decodeOutages(documents.get(outageDocuments.transactions)),
      },
      checkTotals: new Map([...items.check].flatMap(([id, item]) => checkTotals(id, item))),
      transactionTotals: new Map(items.transaction),
      checkDetails: this.#restoreDetails<CheckItemDetails>(documents, detailPrefix.check),
      transactionDetails: this.#restoreDetails<TransactionItemDetails>(
        documents,
        detailPrefix.transaction,
      ),
    };
  }

  /** Details with UNIX seconds in place of monotonic milliseconds; null for an item that is gone. */
  #datedDetails<F>(details: Details<F> | undefined): Json | null {
    if (details === undefined) return null;
    const { clock } = this.#options;
    const offset = clock.now() - clock.monotonic();
    const entries = Object.entries(details as Details<Record<string, unknown>>);
    const dated = entries.map(([name, detail]) => [
      name,
      { value: detail?.value, at: Math.round(((detail?.at ?? 0) + offset) / 1000) },
    ]);
    return asJson(Object.fromEntries(dated));
  }

  #restoreDetails<F>(
    documents: StoredAccount['documents'],
    prefix: string,
  ): Map<number, Details<F>> {
    const { clock } = this.#options;
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    const restored = new Map<number, Details<F>>();
    for (const [name, json] of documents) {
      if (!name.startsWith(prefix)) continue;
      const dated = Object.entries(json as unknown as Details<Record<string, unknown>>);
      const details = dated.map(([key, detail]) => {
        const age = Math.max(0, now - (detail?.at ?? 0) * 1000);
        return [key, { value: detail?.value, at: monotonic - age }];
      });
      restored.set(Number(name.slice(prefix.length)), Object.fromEntries(details));
    }
    return restored;
  }
}

/** A dataset whose document is lost is fetched at once, however lately it was. */
function isLost(dataset: DatasetName, lost: readonly LostRecord[]): boolean {
  const documents: { readonly [D in DatasetName]?: string } = {
    checks: 'check',
    transactions: 'transactions',
    maintenance: 'maintenance',
  };
  const of = documents[dataset] ?? 'accountData';
  return lost.some(
    ({ kind, name }) =>
      kind === 'missing' || kind === 'chunk' || (kind === 'document' && name.startsWith(of)),
  );
}

function outageDocumentsOf({ checks, transactions }: AccountOutageChange): Map<string, Json> {
  const documents = new Map<string, Json>();
  if (checks !== undefined) documents.set(outageDocuments.checks, encodeOutages(checks));
  if (transactions !== undefined) {
    documents.set(outageDocuments.transactions, encodeOutages(transactions));
  }
  return documents;
}

function readPart(state: AccountState, part: Exclude<StoredPart, 'checks' | 'outages'>): object {
  if (part === 'accountData') {
    const { maintenance: _, ...data } = state.accountData;
    return data;
  }
  return part === 'datasets' ? state.datasets.successes() : entriesOf(state.transactions);
}

function entriesOf<E>(items: { records(): Iterable<{ readonly entry: E }> }): E[] {
  return [...items.records()].map(({ entry }) => entry);
}

function checkTotals(id: number, item: StoredItem): [number, CheckTotals][] {
  const { results, analyses, ...states } = item;
  if (results === undefined || analyses === undefined) return [];
  return [[id, { ...states, results, analyses }]];
}

/** The state is plain data: what JSON would leave out of it, such as undefined, is absent in it as well. */
function asJson(value: object): Json {
  return value as unknown as Json;
}
