import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';

/** The store of a folder, as the exporter opens it. */
export function openStore(path: string) {
  return openSqliteStore({ path, now: Date.now });
}
