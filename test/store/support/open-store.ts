import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';

/** Opens the store of a folder like the exporter. */
export function openStore(path: string) {
  return openSqliteStore({ path, now: Date.now });
}
