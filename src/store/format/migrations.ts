import type { RecordWrite, StoredRecord } from './record.ts';

/**
 * The version of all records of a store. Version 1 may change freely until the first release. From then on a change
 * after which a former record would be misread raises it and adds a migration.
 */
export const formatVersion = 1;

/** What to write to bring an account's records from one version to the next. They are unsealed with the former one. */
export type Migration = (
  account: string,
  records: readonly StoredRecord[],
) => readonly RecordWrite[];

/**
 * By the version that a migration starts from. Each comes with a store that a release of that version wrote, in
 * test/store/format/fixtures.
 */
export const migrations: ReadonlyMap<number, Migration> = new Map();
