import { EncodedStore, type RecordBackend } from './encoded-store.ts';
import { keyText, type RecordWrite, type StoredRecord } from './format/record.ts';

/** A store that forgets with its process. It keeps the encoded form, as a store on disk does. */
export class MemoryStore extends EncodedStore {
  constructor() {
    super(new MemoryBackend());
  }
}

class MemoryBackend implements RecordBackend {
  readonly #accounts = new Map<string, Map<string, StoredRecord>>();

  async read(account: string): Promise<readonly StoredRecord[]> {
    return [...(this.#accounts.get(account)?.values() ?? [])];
  }

  async write(account: string, writes: readonly RecordWrite[]): Promise<void> {
    const records = this.#accounts.get(account) ?? new Map<string, StoredRecord>();
    this.#accounts.set(account, records);
    for (const { bytes, ...key } of writes) {
      if (bytes === null) records.delete(keyText(key));
      else records.set(keyText(key), { ...key, bytes });
    }
  }

  async close(): Promise<void> {}
}
