import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from '../config/problems.ts';
import type { ReadText } from '../config/raw.ts';
import type { Serving } from '../config/serving.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Workload } from '../lib/workload.ts';
import type { OpenedStorage, SharedStorageOptions } from '../ownership.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { type OpenedSqliteStore, openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';

interface StorageParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly readText: ReadText;
  readonly workload?: Workload | undefined;
}

/** Opens the store on the disk or in a database. Rejects with a `UsageError`. */
export async function openStorage(
  serving: Serving,
  { clock, log, readText, workload }: StorageParts,
): Promise<OpenedStorage> {
  const { storageUrl: url } = serving;
  // Whoever reads the log, or asks for a backup, is in another folder.
  const path = resolve(serving.storagePath);
  try {
    if (url !== undefined) return await openDatabase(url, serving, { clock, readText, workload });
    const now = () => clock.now();
    const { store, notices } = await openSqliteStore({ path, now, workload });
    for (const notice of notices) logNotice(log, path, notice);
    return { store };
  } catch (error) {
    if (error instanceof StoreError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

type DatabaseParts = Pick<StorageParts, 'clock' | 'readText' | 'workload'>;

async function openDatabase(
  url: string,
  serving: Serving,
  parts: DatabaseParts,
): Promise<OpenedStorage> {
  const { sharedStorage } = await import('./features.ts');
  return await sharedStorage(databaseOptions(url, serving, parts));
}

/** Files are read at each connection. */
export function databaseOptions(
  url: string,
  { storagePasswordFile, storageCaFile, ...serving }: Serving,
  { clock, readText, workload }: DatabaseParts,
): SharedStorageOptions {
  return {
    url,
    clock,
    owner: `process ${process.pid} on ${hostname()}`,
    leaseTtlSeconds: serving.leaseTtlSeconds,
    synchronousStandby: serving.synchronousStandby,
    externalUrl: serving.externalUrl,
    password: reader(storagePasswordFile, readText),
    ca: reader(storageCaFile, readText),
    workload,
  };
}

/** Reads a file and trims its text. */
function reader(path: string | undefined, readText: ReadText): (() => string) | undefined {
  return path === undefined ? undefined : () => readText(path).trim();
}

/** Creates a store in memory, for the demo. Its data end with the process. */
export function memoryStorage(): Store {
  return new MemoryStore();
}

function logNotice(log: Log, path: string, notice: OpenedSqliteStore['notices'][number]): void {
  switch (notice.kind) {
    case 'set-aside':
      log.error(
        { path, reason: notice.reason, moved_to: notice.movedTo },
        'database set aside; counters, results and removed items begin again, states are read again',
      );
      return;
    case 'read-only':
      log.error(
        { path, reason: notice.reason },
        'storage path not writable; serving a copy, counters are paused',
      );
      return;
    case 'log-unreadable':
      log.error(
        { path, reason: notice.reason, moved_to: notice.movedTo },
        'database log unreadable; it was set aside, and the database opened without it',
      );
      return;
    case 'not-closed':
      log.warn(
        { path, last_commit: new Date(notice.lastCommit).toISOString() },
        'store not closed by the last process; if a volume snapshot was restored, see the documentation',
      );
      return;
    case 'file-system':
      log.warn(
        { path, file_system: notice.name },
        'storage path may be on a network file system; it must support locks and durable commits',
      );
  }
}
