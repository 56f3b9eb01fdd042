import { getOrMake } from '../lib/get-or-make.ts';
import { EncodedStore } from './encoded-store.ts';
import { keyText, type StoredRecord } from './format/record.ts';
import type { Commit, CommitOutcome, Opening, RecordBackend } from './record-backend.ts';

/** A store whose data end with the process. It uses the encoded form, as a store on disk does. */
export class MemoryStore extends EncodedStore {
  constructor() {
    super(new MemoryBackend(new MemoryRecords(), 'this process'));
  }
}

/** Records of several backends, each like a process, to test ownership. */
export class MemoryRecords {
  readonly owners = new Map<string, string>();
  readonly accounts = new Map<string, Map<string, StoredRecord>>();
}

export class MemoryBackend implements RecordBackend {
  readonly #records: MemoryRecords;
  readonly #owner: string;

  constructor(records: MemoryRecords, owner: string) {
    this.#records = records;
    this.#owner = owner;
  }

  async accounts(): Promise<readonly string[]> {
    return [...this.#records.accounts].flatMap(([name, { size }]) => (size > 0 ? name : []));
  }

  async open(account: string): Promise<Opening> {
    const owner = this.#records.owners.get(account) ?? this.#owner;
    if (owner !== this.#owner) return { kind: 'taken', owner };
    this.#records.owners.set(account, owner);
    return { kind: 'owned', records: [...this.#of(account).values()] };
  }

  async commit({ account, writes }: Commit): Promise<CommitOutcome> {
    const owner = this.#records.owners.get(account) ?? 'nobody';
    if (owner !== this.#owner) return { kind: 'fenced', owner };
    const records = this.#of(account);
    for (const { bytes, ...key } of writes) {
      if (bytes === null) records.delete(keyText(key));
      else records.set(keyText(key), { ...key, bytes });
    }
    return { kind: 'stored' };
  }

  async release(account: string): Promise<void> {
    if (this.#records.owners.get(account) === this.#owner) this.#records.owners.delete(account);
  }

  async close(): Promise<void> {}

  #of(account: string): Map<string, StoredRecord> {
    return getOrMake(this.#records.accounts, account, () => new Map());
  }
}
