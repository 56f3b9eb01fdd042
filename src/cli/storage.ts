import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { openLmdbStore } from '../store/open-lmdb-store.ts';
import type { Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { UsageError } from './usage-error.ts';

/** The store on the disk. Rejects with a `UsageError` when it cannot be used. */
export async function openStorage(
  path: string,
  { clock, log }: { readonly clock: Pick<Clock, 'now'>; readonly log: Log },
): Promise<Store> {
  const asideSuffix = new Date(clock.now()).toISOString().replaceAll(':', '-');
  try {
    const { store, movedAside } = await openLmdbStore({ path, asideSuffix });
    if (movedAside !== undefined) {
      log.error(
        { path, reason: movedAside.reason, moved_to: movedAside.path },
        'the store could not be used and was moved aside: counters start anew',
      );
    }
    return store;
  } catch (error) {
    if (error instanceof StoreError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** For a demo: what it counts is forgotten with the process. */
export function forgetfulStorage(): Store {
  return new MemoryStore();
}
