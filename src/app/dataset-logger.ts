import { type ApiError, type ApiErrorReason, remedyOf } from '../api/errors.ts';
import type { RejectedEntry, RejectionReason } from '../api/service.ts';
import type { DatasetName, ItemId } from '../domain/dataset.ts';
import type { ApiVersion } from '../domain/version.ts';
import type { Log } from '../lib/log.ts';

/** The kinds of failure that began to affect an item, and those that stopped affecting any. */
interface FailureChange<Kind> {
  readonly firing: readonly Kind[];
  readonly cleared: readonly Kind[];
}

class FailureTracker<Kind extends string> {
  readonly #items = new Map<Kind, Set<ItemId>>();

  /** Records that the item is affected by exactly these kinds. */
  update(item: ItemId, kinds: ReadonlySet<Kind>): FailureChange<Kind> {
    const firing = [...kinds].filter((kind) => !this.#items.has(kind));
    for (const kind of kinds) this.#items.set(kind, (this.#items.get(kind) ?? new Set()).add(item));
    for (const [kind, items] of this.#items) if (!kinds.has(kind)) items.delete(item);
    return { firing, cleared: this.#takeCleared() };
  }

  /** Removes items that no longer exist. Returns the kinds of failure that this clears. */
  retain(exists: (item: ItemId) => boolean): readonly Kind[] {
    for (const items of this.#items.values()) {
      for (const item of items) if (!exists(item)) items.delete(item);
    }
    return this.#takeCleared();
  }

  #takeCleared(): Kind[] {
    const cleared = [...this.#items].filter(([, items]) => items.size === 0).map(([kind]) => kind);
    for (const kind of cleared) this.#items.delete(kind);
    return cleared;
  }
}

interface DatasetLoggerOptions {
  readonly log: Log;
  readonly account: string;
  readonly dataset: DatasetName;
  readonly apiVersion: ApiVersion;
}

/**
 * Logs one line when the first item of a dataset fails for a reason, and one when the last has
 * recovered. One failing check makes two lines, and so do all checks if they fail together.
 */
export class DatasetLogger {
  readonly #log: Log;
  readonly #fields: Pick<DatasetLoggerOptions, 'account' | 'dataset'>;
  readonly #apiVersion: ApiVersion;
  readonly #failing = new FailureTracker<ApiErrorReason>();
  readonly #rejecting = new FailureTracker<RejectionReason>();
  #seen = false;

  constructor({ log, apiVersion, ...fields }: DatasetLoggerOptions) {
    this.#log = log;
    this.#apiVersion = apiVersion;
    this.#fields = fields;
  }

  /** `items` is the size of the dataset. */
  refreshed(id: ItemId, items: number, rejected: readonly RejectedEntry[]): void {
    const fields = { ...this.#fieldsOf(id), items };
    const { cleared } = this.#failing.update(id, new Set());
    this.#logRecovered(cleared);
    if (!this.#seen) this.#log.info(fields, 'first refresh succeeded');
    else if (cleared.length === 0) this.#log.debug(fields, 'refreshed');
    this.#seen = true;
    this.#logRejected(id, rejected);
  }

  failed(id: ItemId, { reason, message }: ApiError): void {
    const fields = { ...this.#fieldsOf(id), reason, error: message };
    if (this.#failing.update(id, new Set([reason])).firing.length === 0) {
      this.#log.debug(fields, 'refresh failed again');
      return;
    }
    const advice = remedyOf(reason, this.#apiVersion, id !== 'account');
    if (this.#seen) this.#log.warn({ ...fields, advice }, 'refresh failed; serving the last data');
    else
      this.#log.warn({ ...fields, advice }, 'refresh failed; none has succeeded since the start');
  }

  /** Removes items that no longer exist. */
  retain(exists: (id: ItemId) => boolean): void {
    this.#logRecovered(this.#failing.retain(exists));
    this.#logDecodedAgain(this.#rejecting.retain(exists));
  }

  #logRejected(id: ItemId, rejected: readonly RejectedEntry[]): void {
    const reasons = new Set(rejected.map(({ reason }) => reason));
    const { firing, cleared } = this.#rejecting.update(id, reasons);
    for (const reason of firing) {
      const entries = rejected.filter((entry) => entry.reason === reason);
      const details = entries.map(({ detail }) => detail).join('; ');
      const fields = { ...this.#fieldsOf(id), reason, rejected: entries.length };
      this.#log.warn({ ...fields, details: details.slice(0, 500) }, 'entries rejected');
    }
    this.#logDecodedAgain(cleared);
  }

  #logRecovered(reasons: readonly ApiErrorReason[]): void {
    for (const reason of reasons) this.#log.info({ ...this.#fields, reason }, 'refresh recovered');
  }

  #logDecodedAgain(reasons: readonly RejectionReason[]): void {
    for (const reason of reasons) {
      this.#log.info({ ...this.#fields, reason }, 'all entries decoded again');
    }
  }

  #fieldsOf(id: ItemId) {
    return id === 'account' ? this.#fields : { ...this.#fields, id };
  }
}
