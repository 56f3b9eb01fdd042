import type { ExporterMetrics } from '../exposition/self-metrics/exporter-metrics.ts';
import type { BackupResult, StorageFailure, StorageSource } from '../http/ports.ts';
import { unixSeconds, type WallClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import {
  type AccountStore,
  itemKinds,
  lostRecordKinds,
  type MonthBatch,
  type Store,
  type StoreChanges,
  type StoredAccount,
  type StoredMonth,
} from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';

interface StorageOptions {
  readonly store: Store;
  readonly metrics: ExporterMetrics;
  readonly clock: WallClock;
  readonly log: Log;
  /** Another process has taken an account. */
  readonly onFenced: (account: string) => void;
}

/** A failure this soon has the same cause: a full disk may have room for a small write between. */
const sameCauseSeconds = 600;

/** The store of an exporter, with its log lines and metrics. An empty commit is skipped. */
export class Storage implements AccountStore, StorageSource {
  readonly #options: StorageOptions;
  readonly backup?: () => Promise<BackupResult>;
  #failure: StorageFailure | undefined;
  /** The backup that is being written. */
  #writing: Promise<BackupResult> | undefined;
  #last: { readonly sinceSeconds: number; readonly atSeconds: number } | undefined;

  constructor(options: StorageOptions) {
    const { store, metrics } = options;
    this.#options = options;
    const backup = store.backup?.bind(store);
    if (backup !== undefined) this.backup = () => this.#sharedBackup(backup);
    for (const kind of lostRecordKinds) metrics.storeRecordsLost(kind, 0);
  }

  get id(): string {
    return this.#options.store.id;
  }

  accounts(): Promise<readonly string[]> {
    return this.#options.store.accounts();
  }

  load(account: string): Promise<StoredAccount> {
    return this.#options.store.load(account);
  }

  readMonth(batch: MonthBatch): Promise<readonly StoredMonth[]> {
    return this.#options.store.readMonth(batch);
  }

  async commit(changes: StoreChanges): Promise<void> {
    if (isEmpty(changes)) return;
    try {
      await this.#options.store.commit(changes);
    } catch (error) {
      if (error instanceof StoreError) this.#failed(error, changes.account);
      throw error;
    }
    this.#failure = undefined;
    this.#options.metrics.storeWritten();
  }

  close(): Promise<void> {
    return this.#options.store.close();
  }

  #failed({ reason, message }: StoreError, account: string): void {
    const { onFenced, clock, metrics } = this.#options;
    if (reason === 'fenced') {
      onFenced(account);
      return;
    }
    this.#failure = { reason, message, sinceSeconds: this.#failingSince(unixSeconds(clock)) };
    metrics.storeFailed();
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

  /** Commits wait for a copy, so requests that come while one is written get that one. */
  #sharedBackup(write: () => Promise<string>): Promise<BackupResult> {
    this.#writing ??= this.#backup(write).finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #backup(write: () => Promise<string>): Promise<BackupResult> {
    const { log } = this.#options;
    try {
      const path = await write();
      log.info({ path }, 'backup written');
      return { path };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      log.error({ reason: error.reason, error: error.message }, 'backup failed');
      return { failure: error.message };
    }
  }
}

function isEmpty({ items = {}, documents, ...others }: StoreChanges): boolean {
  if (others.beginsAgain === true || others.deletesAccount === true) return false;
  return (documents?.size ?? 0) === 0 && itemKinds.every((kind) => (items[kind]?.size ?? 0) === 0);
}
