import { randomUUID } from 'node:crypto';
import { getOrMake } from '../lib/get-or-make.ts';
import { EncodedStore } from './encoded-store.ts';
import { isMonthKind, keyText, type StoredRow, sizeOfRows } from './format/row.ts';
import type { Commit, CommitOutcome, Opening, RecordBackend } from './record-backend.ts';
import type { MonthBatch } from './store.ts';

/** A store whose data end with the process. It uses the encoded form, as a store on disk does. */
export class MemoryStore extends EncodedStore {
  constructor(id?: string) {
    super(new MemoryBackend(new MemoryRows(id), 'this process'));
  }
}

/** Rows of several backends, each like a process, to test ownership. */
export class MemoryRows {
  readonly id: string;
  readonly owners = new Map<string, string>();
  readonly accounts = new Map<string, Map<string, StoredRow>>();

  constructor(id: string = randomUUID()) {
    this.id = id;
  }
}

export class MemoryBackend implements RecordBackend {
  readonly #rows: MemoryRows;
  readonly #owner: string;

  constructor(rows: MemoryRows, owner: string) {
    this.#rows = rows;
    this.#owner = owner;
  }

  get id(): string {
    return this.#rows.id;
  }

  async accounts(): Promise<readonly string[]> {
    return [...this.#rows.accounts].flatMap(([name, { size }]) => (size > 0 ? name : []));
  }

  async open(account: string): Promise<Opening> {
    const owner = this.#rows.owners.get(account) ?? this.#owner;
    if (owner !== this.#owner) return { kind: 'taken', owner };
    this.#rows.owners.set(account, owner);
    const rows = [...this.#of(account).values()].filter(({ kind }) => !isMonthKind(kind));
    return { kind: 'owned', rows, bytes: sizeOfRows(rows) };
  }

  async readMonth(batch: MonthBatch): Promise<readonly StoredRow[]> {
    const rows = [...this.#of(batch.account).values()];
    if ('ids' in batch) {
      const [kinds, ids] = [new Set<string>(batch.kinds), new Set(batch.ids)];
      return rows.filter((row) => kinds.has(row.kind) && ids.has(row.id)).sort(byId);
    }
    const { kind, afterId, most } = batch;
    const later = rows.filter((row) => row.kind === kind && row.id > afterId);
    return later.sort(byId).slice(0, most);
  }

  async commit({ account, writes, deletesAccount }: Commit): Promise<CommitOutcome> {
    const owner = this.#rows.owners.get(account) ?? 'nobody';
    if (owner !== this.#owner) return { kind: 'fenced', owner };
    const rows = this.#of(account);
    if (deletesAccount) rows.clear();
    for (const { body, ...row } of writes) {
      if (body === null) rows.delete(keyText(row));
      else rows.set(keyText(row), { ...row, body: Buffer.from(body) });
    }
    return { kind: 'stored' };
  }

  async release(account: string): Promise<void> {
    if (this.#rows.owners.get(account) === this.#owner) this.#rows.owners.delete(account);
  }

  async close(): Promise<void> {}

  #of(account: string): Map<string, StoredRow> {
    return getOrMake(this.#rows.accounts, account, () => new Map());
  }
}

function byId(a: StoredRow, b: StoredRow): number {
  return a.id - b.id;
}
