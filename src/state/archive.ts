import type { Clock } from '../lib/clock.ts';
import type { Json, Store, StoredAccount, StoredItem } from '../store/store.ts';
import type { AccountState } from './account-state.ts';
import type { Part } from './changes.ts';
import { CheckDocuments } from './check-documents.ts';
import type { CheckFindings } from './check-roster.ts';
import type { CheckTotals } from './check-totals.ts';
import type { Findings } from './findings.ts';
import type { TotalsChange } from './ledger.ts';
import type { Restored, RestoredParts } from './restored.ts';
import type { TransactionFindings } from './transaction-roster.ts';

export interface ArchiveOptions {
  readonly store: Store;
  readonly account: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

const findingPrefix = { check: 'findings of check ', transaction: 'findings of transaction ' };

/** One account's part of the store. */
export class Archive {
  readonly #options: ArchiveOptions;
  readonly #list = new CheckDocuments();

  constructor(options: ArchiveOptions) {
    this.#options = options;
  }

  /** Resolves when the totals are on the disk. */
  async keep({ checks, transactions, alerts }: TotalsChange): Promise<void> {
    const { store, account } = this.#options;
    await store.commit({
      account,
      items: {
        ...(checks !== undefined && { check: checks }),
        ...(transactions !== undefined && { transaction: transactions }),
      },
      ...(alerts !== undefined && { documents: new Map([['alerts', asJson(alerts)]]) }),
    });
  }

  /** Stores what changed of the state beside the totals, and documents of the caller's. */
  async keepParts(state: AccountState, others: ReadonlyMap<string, Json>): Promise<void> {
    const { store, account } = this.#options;
    const changes = state.changes.take();
    const documents = new Map<string, Json | null>(others);
    const list = changes.parts.has('checks') ? entriesOf(state.checks) : undefined;
    for (const [name, document] of list ? this.#list.changed(list) : []) {
      documents.set(name, document);
    }
    for (const part of changes.parts) {
      if (part !== 'checks') documents.set(part, asJson(readPart(state, part)));
    }
    for (const id of changes.checkFindings) {
      const findings = state.checks.get(id)?.findings;
      documents.set(`${findingPrefix.check}${id}`, this.#dated(findings));
    }
    for (const id of changes.transactionFindings) {
      const findings = state.transactions.get(id)?.findings;
      documents.set(`${findingPrefix.transaction}${id}`, this.#dated(findings));
    }
    try {
      await store.commit({ account, documents });
    } catch (error) {
      state.changes.putBack(changes);
      throw error;
    }
    if (list !== undefined) this.#list.keep(list);
  }

  /** What there is of the state, and all documents, those of the caller's of `keepParts` among them. */
  async load(): Promise<Restored & { readonly documents: ReadonlyMap<string, Json> }> {
    const { store, account } = this.#options;
    const { items, documents } = await store.load(account);
    const document = <N extends keyof RestoredParts>(name: N) =>
      documents.get(name) as unknown as RestoredParts[N] | undefined;
    const checks = this.#list.read(documents);
    const [transactions, facts] = [document('transactions'), document('facts')];
    const [datasets, alerts] = [document('datasets'), document('alerts')];
    return {
      documents,
      ...(checks !== undefined && { checks }),
      ...(transactions !== undefined && { transactions }),
      ...(facts !== undefined && { facts }),
      ...(datasets !== undefined && { datasets }),
      ...(alerts !== undefined && { alerts }),
      checkTotals: new Map([...items.check].flatMap(([id, item]) => checkTotals(id, item))),
      transactionTotals: new Map(items.transaction),
      checkFindings: this.#findings<CheckFindings>(documents, findingPrefix.check),
      transactionFindings: this.#findings<TransactionFindings>(
        documents,
        findingPrefix.transaction,
      ),
    };
  }

  /** Findings with UNIX seconds in place of monotonic milliseconds; null for an item that is gone. */
  #dated<F>(findings: Findings<F> | undefined): Json | null {
    if (findings === undefined) return null;
    const { clock } = this.#options;
    const offset = clock.now() - clock.monotonic();
    const entries = Object.entries(findings as Findings<Record<string, unknown>>);
    const dated = entries.map(([name, finding]) => [
      name,
      { value: finding?.value, at: Math.round(((finding?.at ?? 0) + offset) / 1000) },
    ]);
    return asJson(Object.fromEntries(dated));
  }

  #findings<F>(documents: StoredAccount['documents'], prefix: string): Map<number, Findings<F>> {
    const { clock } = this.#options;
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    const restored = new Map<number, Findings<F>>();
    for (const [name, json] of documents) {
      if (!name.startsWith(prefix)) continue;
      const dated = Object.entries(json as unknown as Findings<Record<string, unknown>>);
      const findings = dated.map(([key, finding]) => {
        const age = Math.max(0, now - (finding?.at ?? 0) * 1000);
        return [key, { value: finding?.value, at: monotonic - age }];
      });
      restored.set(Number(name.slice(prefix.length)), Object.fromEntries(findings));
    }
    return restored;
  }
}

function readPart(state: AccountState, part: Exclude<Part, 'checks'>): object {
  if (part === 'facts') return state.facts;
  return part === 'datasets' ? state.successes() : entriesOf(state.transactions);
}

function entriesOf<E>(roster: { records(): Iterable<{ readonly entry: E }> }): E[] {
  return [...roster.records()].map(({ entry }) => entry);
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
