import { ByteReader, ByteWriter } from './bytes.ts';
import {
  CorruptRecordError,
  checksumOf,
  keyText,
  type RecordKey,
  type RecordWrite,
  type StoredRecord,
  seal,
  sealBytes,
  unseal,
} from './record.ts';

export const manifestKind = 'manifest';
const manifestKey: RecordKey = { kind: manifestKind, name: '' };

/** The number and the combined checksums of an account's records, to reveal missing ones. */
export class Manifest {
  readonly #account: string;
  /** The version of the record format. */
  readonly #version: number;
  /** Checksums of the other records, keyed by kind and name. */
  readonly #checksums = new Map<string, number>();
  /** All checksums combined. */
  #sum = 0;

  constructor(account: string, version: number) {
    this.#account = account;
    this.#version = version;
  }

  /** Adds a record that the manifest does not have yet. */
  add(record: StoredRecord): void {
    const checksum = checksumOf(record.bytes);
    this.#checksums.set(keyText(record), checksum);
    this.#sum = (this.#sum + checksum) >>> 0;
  }

  /** Throws a `CorruptRecordError` if the records do not match the stored manifest. */
  verify(listed: StoredRecord | undefined): void {
    if (listed === undefined) throw new CorruptRecordError('the list of records is not there');
    const from = new ByteReader(unseal(this.#account, manifestKey, listed.bytes, this.#version));
    const [count, sum] = [from.uint32(), from.uint32()];
    if (count !== this.#checksums.size) {
      throw new CorruptRecordError(`there are ${this.#checksums.size} of ${count} records`);
    }
    if (sum !== this.#sum) {
      throw new CorruptRecordError('some are not those that were written last');
    }
  }

  /**
   * The manifest to store together with these writes; `applied` must be called when they are
   * durable. An account without records has no manifest.
   */
  with(writes: readonly RecordWrite[]): {
    readonly write: RecordWrite;
    readonly applied: () => void;
  } {
    const checksums = new Map<string, number | undefined>();
    for (const write of writes) {
      checksums.set(keyText(write), write.bytes === null ? undefined : checksumOf(write.bytes));
    }
    let [count, sum] = [this.#checksums.size, this.#sum];
    for (const [key, checksum] of checksums) {
      const before = this.#checksums.get(key);
      if (before !== undefined) {
        count -= 1;
        sum = (sum - before) >>> 0;
      }
      if (checksum !== undefined) {
        count += 1;
        sum = (sum + checksum) >>> 0;
      }
    }
    const bytes = count === 0 ? null : this.#sealed(count, sum);
    return {
      write: { ...manifestKey, bytes },
      applied: () => {
        for (const [key, checksum] of checksums) {
          if (checksum === undefined) this.#checksums.delete(key);
          else this.#checksums.set(key, checksum);
        }
        this.#sum = sum;
      },
    };
  }

  #sealed(count: number, sum: number): Uint8Array<ArrayBuffer> {
    const to = new ByteWriter();
    to.skip(sealBytes);
    to.uint32At(to.skip(4), count);
    to.uint32At(to.skip(4), sum);
    return seal(this.#account, manifestKey, to.copy(), this.#version);
  }
}
