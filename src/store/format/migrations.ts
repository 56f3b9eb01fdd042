import {
  CorruptRowError,
  deletion,
  formatVersion,
  keyText,
  type RowKey,
  type RowWrite,
  readBody,
  rowOf,
  type StoredRow,
} from './row.ts';

/** A row with its JSON parsed. */
export interface ParsedRow extends RowKey {
  readonly value: unknown;
}

/** Converts all rows of an account to the next version. */
export type Migration = (rows: readonly ParsedRow[]) => readonly ParsedRow[];

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
 * Returns the writes that bring the rows of an account to the current version. A corrupt row stays
 * unchanged, so that the next start reports it.
 */
export function migratedRows(
  account: string,
  rows: Iterable<StoredRow>,
  from: number,
  format: StoreFormat,
): RowWrite[] {
  const parsed: ParsedRow[] = [];
  for (const row of rows) {
    const { table, kind, id } = row;
    try {
      parsed.push({ table, kind, id, value: readBody(account, row) });
    } catch (error) {
      if (!(error instanceof CorruptRowError)) throw error;
    }
  }
  const migrated = migrationsFrom(from, format).reduce<readonly ParsedRow[]>(
    (all, migrate) => migrate(all),
    parsed,
  );
  const writes = new Map(parsed.map((row) => [keyText(row), deletion(row)]));
  for (const row of migrated) writes.set(keyText(row), rowOf(account, row, row.value));
  return [...writes.values()];
}
