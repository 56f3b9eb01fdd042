import { type ApiError, type ApiErrorReason, apiErrorReasons } from '../api/errors.ts';
import type { RejectedEntry, RejectionReason } from '../api/service.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { Log } from '../lib/log.ts';
import type { AgendaItem } from '../schedule/agenda-item.ts';
import type { Plan } from '../schedule/plan.ts';
import type { StoreError } from '../store/store-error.ts';

/** Kinds of failure that now affect some item but affected none before, and those that no longer affect any. */
interface FailureChange<Kind> {
  readonly firing: readonly Kind[];
  readonly cleared: readonly Kind[];
}

/** Tracks which items are affected by which kinds of failure. */
class FailureTracker<Kind extends string> {
  readonly #items = new Map<Kind, Set<number>>();

  /** Records that the item is affected by exactly these kinds. */
  update(item: number, kinds: ReadonlySet<Kind>): FailureChange<Kind> {
    const firing = [...kinds].filter((kind) => !this.#items.has(kind));
    for (const kind of kinds) this.#items.set(kind, (this.#items.get(kind) ?? new Set()).add(item));
    for (const [kind, items] of this.#items) if (!kinds.has(kind)) items.delete(item);
    return { firing, cleared: this.#takeCleared() };
  }

  /** Forgets items that no longer exist; returns the kinds that this clears. */
  retain(exists: (item: number) => boolean): readonly Kind[] {
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
}

/**
 * Logs one line when the first item of a dataset fails for a reason, and one when the last has recovered.
 * One failing check makes two lines, and so do all checks failing at once.
 */
class DatasetLogger {
  readonly #log: Log;
  readonly #fields: Omit<DatasetLoggerOptions, 'log'>;
  readonly #failing = new FailureTracker<ApiErrorReason>();
  readonly #rejecting = new FailureTracker<RejectionReason>();
  #seen = false;

  constructor({ log, ...fields }: DatasetLoggerOptions) {
    this.#log = log;
    this.#fields = fields;
  }

  /** `id` is that of a check or transaction, or 0 for the account; `items` is the size of the dataset. */
  refreshed(id: number, items: number, rejected: readonly RejectedEntry[]): void {
    const fields = { ...this.#fieldsOf(id), items };
    const { cleared } = this.#failing.update(id, new Set());
    this.#logRecovered(cleared);
    if (!this.#seen) this.#log.info(fields, 'first refresh succeeded');
    else if (cleared.length === 0) this.#log.debug(fields, 'refreshed');
    this.#seen = true;
    this.#logRejected(id, rejected);
  }

  failed(id: number, { reason, message }: ApiError): void {
    const fields = { ...this.#fieldsOf(id), reason, error: message };
    if (this.#failing.update(id, new Set([reason])).firing.length === 0) {
      this.#log.debug(fields, 'refresh failed again');
      return;
    }
    const advice = apiErrorReasons[reason];
    this.#log.warn({ ...fields, advice }, 'refresh failed; serving the last data');
  }

  /** Forgets items that no longer exist. */
  retain(exists: (id: number) => boolean): void {
    this.#logRecovered(this.#failing.retain(exists));
    this.#logDecodedAgain(this.#rejecting.retain(exists));
  }

  #logRejected(id: number, rejected: readonly RejectedEntry[]): void {
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

  #fieldsOf(id: number) {
    return id === 0 ? this.#fields : { ...this.#fields, id };
  }
}

/** Logs one line per change of state, not one per failure; the rest goes to debug. */
export class AccountLogger {
  readonly #log: Log;
  readonly #account: string;
  readonly #datasets = new Map<DatasetName, DatasetLogger>();
  #storeFailing = false;

  constructor(log: Log, account: string) {
    this.#log = log;
    this.#account = account;
  }

  /** `items` is the size of the dataset. */
  refreshed({ dataset, id }: AgendaItem, items: number, rejected: readonly RejectedEntry[]): void {
    this.#loggerOf(dataset).refreshed(id, items, rejected);
  }

  failed({ dataset, id }: AgendaItem, error: ApiError): void {
    this.#loggerOf(dataset).failed(id, error);
  }

  /** Forgets checks and transactions that no longer exist. */
  retain(exists: (item: AgendaItem) => boolean): void {
    for (const [dataset, log] of this.#datasets) log.retain((id) => exists({ dataset, id }));
  }

  storeFailed({ reason, message }: StoreError): void {
    if (this.#storeFailing) return;
    this.#storeFailing = true;
    const fields = { account: this.#account, reason, error: message };
    this.#log.error(fields, 'store write failed; counters are paused until it recovers');
  }

  stored(): void {
    if (!this.#storeFailing) return;
    this.#storeFailing = false;
    this.#log.info({ account: this.#account }, 'store recovered');
  }

  /** Called when the plan has changed substantially. */
  planned({ datasets, requestsPerSecond, shortfall }: Plan): void {
    const intervals = datasets.map(({ name, intervalSeconds }) => [
      name,
      Math.round(intervalSeconds),
    ]);
    const fields = {
      account: this.#account,
      requests_per_hour: Math.round(requestsPerSecond * 3600),
      seconds: Object.fromEntries(intervals),
    };
    if (shortfall === undefined) {
      this.#log.info(fields, 'plan changed');
      return;
    }
    const { datasets: tooSlow, missingPerHour, switchOff } = shortfall;
    this.#log.warn(
      {
        ...fields,
        too_slow: tooSlow.join(),
        missing_per_hour: Math.ceil(missingPerHour),
        switch_off: switchOff.join(),
      },
      'request budget is too small for all datasets',
    );
  }

  #loggerOf(dataset: DatasetName): DatasetLogger {
    const known = this.#datasets.get(dataset);
    if (known !== undefined) return known;
    const log = new DatasetLogger({ log: this.#log, account: this.#account, dataset });
    this.#datasets.set(dataset, log);
    return log;
  }
}
