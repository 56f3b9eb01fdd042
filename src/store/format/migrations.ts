import { Manifest, manifestKind } from './manifest.ts';
import {
  CorruptRecordError,
  formatVersion,
  keyText,
  type RecordKey,
  type RecordWrite,
  type StoredRecord,
  seal,
  sealBytes,
  unseal,
} from './record.ts';

/** A record without its seal. */
interface OpenRecord extends RecordKey {
  readonly payload: Uint8Array;
}

/** Converts an account's records to the next version, without seals and manifest. */
export type Migration = (records: readonly OpenRecord[]) => readonly OpenRecord[];

export interface StoreFormat {
  readonly version: number;
  /**
   * Keyed by the version that a migration starts from. Each migration has a test store, written by
   * a release of that version, in test/store/format/fixtures.
   */
  readonly migrations: ReadonlyMap<number, Migration>;
}

export const currentFormat: StoreFormat = { version: formatVersion, migrations: new Map() };

/** The migrations to the current version, in order. Throws a `RangeError` with the reason. */
export function migrationsFrom(
  from: number,
  { version, migrations }: StoreFormat,
): readonly Migration[] {
  if (from > version) {
    throw new RangeError(
      `was written by a newer version (format ${from}, this one reads ${version}): ` +
        'install that version again, or choose another storage path',
    );
  }
  return Array.from({ length: version - from }, (_, step) => {
    const migration = migrations.get(from + step);
    if (migration !== undefined) return migration;
    throw new RangeError(
      `has format ${from + step}, which no released version wrote: move it away, or choose another storage path`,
    );
  });
}

/**
 * Returns the writes that bring the records of an account to the current version. A corrupt record
 * stays unchanged, and a manifest that does not match is deleted, so that the next start reports
 * both.
 */
export function migratedRecords(
  account: string,
  records: readonly StoredRecord[],
  from: number,
  format: StoreFormat,
): RecordWrite[] {
  const manifest = new Manifest(account, from);
  const next = new Manifest(account, format.version);
  const opened: OpenRecord[] = [];
  let listed: StoredRecord | undefined;
  for (const record of records) {
    if (record.kind === manifestKind) {
      listed = record;
      continue;
    }
    manifest.add(record);
    const payload = orCorrupt(() => unseal(account, record, record.bytes, from));
    if (payload === undefined) next.add(record);
    else opened.push({ kind: record.kind, name: record.name, payload });
  }
  const migrated = migrationsFrom(from, format).reduce((all, migrate) => migrate(all), [
    ...opened,
  ] as readonly OpenRecord[]);
  const writes = new Map<string, RecordWrite>();
  for (const { kind, name } of opened)
    writes.set(keyText({ kind, name }), { kind, name, bytes: null });
  for (const { kind, name, payload } of migrated) {
    const bytes = new Uint8Array(sealBytes + payload.length);
    bytes.set(payload, sealBytes);
    seal(account, { kind, name }, bytes, format.version);
    writes.set(keyText({ kind, name }), { kind, name, bytes });
  }
  const isWhole = orCorrupt(() => manifest.verify(listed) ?? true) ?? false;
  const { write } = next.with([...writes.values()]);
  return [...writes.values(), isWhole ? write : { ...write, bytes: null }];
}

function orCorrupt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CorruptRecordError)) throw error;
    return undefined;
  }
}
