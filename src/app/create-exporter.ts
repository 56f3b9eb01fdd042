import { readFileSync, statSync } from 'node:fs';
import { proxySecrets } from '../api/http/connection.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { AccountSettings } from '../config/account.ts';
import type { Serving } from '../config/serving.ts';
import { UsageError } from '../config/usage-error.ts';
import type { LabelPolicy } from '../exposition/labels/label-policy.ts';
import type { WebFiles } from '../http/web-config/load-web-config.ts';
import { WebSecurity } from '../http/web-config/web-security.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { createLog, type Log } from '../lib/log.ts';
import { Scrubber, type Secret } from '../lib/secret.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { openLmdbStore } from '../store/open-lmdb-store.ts';
import type { Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { Exporter, type RunningConfiguration } from './exporter.ts';
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

/** For a demo: what it counts is forgotten with the process. */
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
      return 'cannot be looked at';
    }
  },
};

/** What the file of `--web.config.file` asks for; throws a `ListenError` when it cannot be used. */
export function createWebSecurity(
  path: string | undefined,
  log: Log,
): { readonly security?: WebSecurity } {
  return path === undefined ? {} : { security: new WebSecurity({ path, files: diskFiles, log }) };
}

/** The log of the process. It goes to standard error, as that of the Prometheus tools. */
export function createProcessLog(
  terminal: Terminal,
  { logLevel, logFormat }: Pick<Serving, 'logLevel' | 'logFormat'>,
  scrubber: Scrubber,
): Log {
  return createLog({
    level: logLevel,
    format: logFormat,
    clock: systemClock,
    scrubber,
    destination: terminal.stderr,
  });
}

interface ProcessOptions {
  readonly build: Build;
  readonly serving: Serving;
  readonly accounts: readonly AccountSettings[];
  readonly labels?: LabelPolicy;
  readonly store: Store;
  readonly security?: WebSecurity;
  readonly log: Log;
  readonly scrubber: Scrubber;
  readonly configuration?: RunningConfiguration;
}

/** The exporter as the process runs it. */
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

export function scrubberOf(accounts: readonly AccountSettings[]): Scrubber {
  return new Scrubber(secretsOf(accounts));
}

export function secretsOf(accounts: readonly AccountSettings[]): readonly Secret[] {
  return accounts.flatMap((account) => [
    ...account.authentication.secrets,
    ...proxySecrets(account),
    ...(account.hookSecret === undefined ? [] : [account.hookSecret]),
  ]);
}
