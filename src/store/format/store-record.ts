import { z } from 'zod';
import { CorruptRecordError, type RecordKey, seal, sealBytes, unseal } from './record.ts';

/** No account can have this name: configured names have no control characters. */
export const storeAccount = '\u0000store';
export const storeKey: RecordKey = { kind: 'store', name: '' };

const schema = z.object({
  /** A random id. Each store has its own, and a restored store gets a new one. */
  id: z.string(),
  /** Counts the commits. */
  serial: z.number().int().nonnegative(),
  /** True in a backup, whose data are older than those of the store it was copied from. */
  isCopy: z.boolean().exactOptional(),
  /** Accounts whose totals may be lower than values already shown. They restart at 0. */
  past: z.array(z.string()).exactOptional(),
});

/** The identity and the state of a database. Each commit replaces this record. */
export type StoreRecord = Readonly<z.infer<typeof schema>>;

export function encodeStoreRecord(record: StoreRecord): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(record));
  const bytes = new Uint8Array(sealBytes + text.length);
  bytes.set(text, sealBytes);
  return seal(storeAccount, storeKey, bytes);
}

/** Undefined when it is absent or corrupt. */
export function decodeStoreRecord(bytes: Uint8Array | undefined): StoreRecord | undefined {
  if (bytes === undefined) return undefined;
  try {
    const payload = unseal(storeAccount, storeKey, bytes, bytes[0]);
    return schema.parse(JSON.parse(new TextDecoder().decode(payload)));
  } catch (error) {
    if (error instanceof CorruptRecordError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}
