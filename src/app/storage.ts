import type { ExporterMetrics } from '../exposition/self-metrics/exporter-metrics.ts';
import type { BackupResult, StorageFailure, StorageSource } from '../http/ports.ts';
import { type Clock, unixSeconds } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { ObservedStore } from '../store/observed-store.ts';
import { type LostRecord, lostRecordKinds, type Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';

interface StorageOptions {
  readonly store: Store;
  readonly metrics: ExporterMetrics;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  /** Another process has taken an account. */
  readonly onFenced: (account: string) => void;
}

/** A failure this soon has the same cause: a full disk may have room for a small write between. */
const sameCauseSeconds = 600;

/** The store of an exporter, with its log lines and metrics. */
export class Storage implements StorageSource {
  readonly store: ObservedStore;
  readonly backup?: () => Promise<BackupResult>;
  readonly #metrics: ExporterMetrics;
  readonly #log: Log;
  #failure: StorageFailure | undefined;
  #last: { readonly sinceSeconds: number; readonly atSeconds: number } | undefined;

  constructor({ store, metrics, clock, log, onFenced }: StorageOptions) {
    this.#metrics = metrics;
    this.#log = log;
    this.store = new ObservedStore(store, {
      wrote: () => {
        this.#failure = undefined;
        metrics.storeWritten();
      },
      failed: ({ reason, message }, account) => {
        if (reason === 'fenced') {
          onFenced(account);
          return;
        }
        const sinceSeconds = this.#failingSince(unixSeconds(clock));
        this.#failure = { reason, message, sinceSeconds };
        metrics.storeFailed();
      },
      lost: (account, records) => this.#lost(account, records),
    });
    const { backup } = this.store;
    if (backup !== undefined) this.backup = () => this.#backup(backup);
    metrics.storeRecordsLost(new Map(lostRecordKinds.map((kind) => [kind, 0])));
  }

  #failingSince(nowSeconds: number): number {
    const last = this.#last;
    const isSame =
      this.#failure !== undefined ||
      (last !== undefined && nowSeconds < last.atSeconds + sameCauseSeconds);
    const sinceSeconds = isSame && last !== undefined ? last.sinceSeconds : nowSeconds;
    this.#last = { sinceSeconds, atSeconds: nowSeconds };
    return sinceSeconds;
  }

  /** The failure of the last commit; undefined if it is durable. */
  get failure(): StorageFailure | undefined {
    return this.#failure;
  }

  async #backup(write: () => Promise<string>): Promise<BackupResult> {
    try {
      const path = await write();
      this.#log.info({ path }, 'backup written');
      return { path };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#log.error({ reason: error.reason, error: error.message }, 'backup failed');
      return { failure: error.message };
    }
  }

  #lost(account: string, records: readonly LostRecord[]): void {
    const counts = new Map<string, number>();
    for (const { kind, name, reason } of records) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      this.#log.error(
        { account, kind, name, reason },
        'stored record lost; its counters restart at 0, other data is fetched again',
      );
    }
    this.#metrics.storeRecordsLost(counts);
  }
}
