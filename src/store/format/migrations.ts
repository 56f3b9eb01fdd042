import { formatVersion, type RecordWrite, type StoredRecord } from './record.ts';

/** What to write to bring an account's records from one version to the next. They are unsealed with the former one. */
export type Migration = (
  account: string,
  records: readonly StoredRecord[],
) => readonly RecordWrite[];

/**
 * By the version that a migration starts from. Each comes with a store that a release of that version wrote, in
 * test/store/format/fixtures.
 */
const migrations: ReadonlyMap<number, Migration> = new Map();

/** The migrations that lead from this version to the present one, in order. Throws a `RangeError` that says to a person why there are none. */
export function migrationsFrom(version: number): readonly Migration[] {
  if (version > formatVersion) {
    throw new RangeError(
      `was written by a newer version (format ${version}, this one reads ${formatVersion}): ` +
        'install that version again, or choose another storage path',
    );
  }
  return Array.from({ length: formatVersion - version }, (_, step) => {
    const migration = migrations.get(version + step);
    if (migration !== undefined) return migration;
    throw new RangeError(
      `has format ${version + step}, which no released version wrote: move it away, or choose another storage path`,
    );
  });
}
