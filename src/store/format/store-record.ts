import { z } from 'zod';
import { CorruptRecordError, type RecordKey, seal, sealBytes, unseal } from './record.ts';

/** Not a name that an account can have: configured names have no control characters. */
export const storeAccount = '\u0000store';
export const storeKey: RecordKey = { kind: 'store', name: '' };

const schema = z.object({
  /** Random; another one for each store, and for a store that was restored. */
  id: z.string(),
  /** Counts the commits. */
  serial: z.number().int().nonnegative(),
  /** Written by a backup: it is older than the store that it was made of. */
  isCopy: z.boolean().exactOptional(),
  /** Accounts whose totals may be older than what was shown, and have not begun again at 0 yet. */
  past: z.array(z.string()).exactOptional(),
});

/** What a database knows of itself. Each commit replaces it. */
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
