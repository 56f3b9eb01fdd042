import { readFileSync, statSync } from 'node:fs';
import type { AccountSettings } from '../config/account.ts';
import type { Serving } from '../config/serving.ts';
import { UsageError } from '../config/usage-error.ts';
import type { LabelPolicy } from '../exposition/labels/label-policy.ts';
import type { WebFiles } from '../http/web-config/load-web-config.ts';
import { WebSecurity } from '../http/web-config/web-security.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Scrubber } from '../lib/secret.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { openLmdbStore } from '../store/open-lmdb-store.ts';
import type { Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import type { SloPolicy } from '../windows/groups.ts';
import { Exporter } from './exporter.ts';
import type { RunningConfiguration } from './reload.ts';
import type { Build } from './version.ts';

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

/** For the demo: nothing survives the process. */
export function memoryStorage(): Store {
  return new MemoryStore();
}

const diskFiles: WebFiles = {
  read: (path) => readFileSync(path, 'utf8'),
  fingerprint: (path) => {
    try {
      const { ino, size, mtimeNs } = statSync(path, { bigint: true });
      return `${ino} ${size} ${mtimeNs}`;
    } catch {
      return 'unreadable';
    }
  },
};

/** Loads the file of `--web.config.file`; throws a `ListenError` when it is invalid. */
export function createWebSecurity(
  path: string | undefined,
  log: Log,
): { readonly security?: WebSecurity } {
  return path === undefined ? {} : { security: new WebSecurity({ path, files: diskFiles, log }) };
}

interface ProcessOptions {
  readonly build: Build;
  readonly serving: Serving;
  readonly accounts: readonly AccountSettings[];
  readonly labels?: LabelPolicy;
  readonly slo?: SloPolicy;
  readonly store: Store;
  readonly security?: WebSecurity;
  readonly log: Log;
  readonly scrubber: Scrubber;
  readonly configuration?: RunningConfiguration;
}

/** The exporter with the clock and the randomness of the process. */
export function createExporter({ serving, ...options }: ProcessOptions): Exporter {
  const { listenAddress, telemetryPath, maxRequests } = serving;
  return new Exporter({
    ...options,
    listenAddress,
    telemetryPath,
    maxRequests,
    clock: systemClock,
    random: Math.random,
  });
}
