import { type ApiError, type ApiErrorReason, apiErrorReasons } from '../api/errors.ts';
import type { RejectedEntry, RejectionReason } from '../api/service.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { TransactionResponseUnit } from '../domain/transaction.ts';
import type { Log } from '../lib/log.ts';
import type { AgendaItem } from '../schedule/agenda-item.ts';
import type { Plan } from '../schedule/plan.ts';
import type { StoreError } from '../store/store-error.ts';

/** Kinds of trouble that some item has got into, though none was in them before, and that the last one has left. */
interface FailureChange<Kind> {
  readonly firing: readonly Kind[];
  readonly cleared: readonly Kind[];
}

/** Which items are in which kinds of trouble, of those that anything is in. */
class FailureTracker<Kind extends string> {
  readonly #items = new Map<Kind, Set<number>>();

  /** The item is in these kinds of trouble and in no others. */
  update(item: number, kinds: ReadonlySet<Kind>): FailureChange<Kind> {
    const begun = [...kinds].filter((kind) => !this.#items.has(kind));
    for (const kind of kinds) this.#items.set(kind, (this.#items.get(kind) ?? new Set()).add(item));
    for (const [kind, items] of this.#items) if (!kinds.has(kind)) items.delete(item);
    return { firing: begun, cleared: this.#takeCleared() };
  }

  /** Forgets the items that are not there any more; the answer holds the kinds that are over by that. */
  retain(isThere: (item: number) => boolean): readonly Kind[] {
    for (const items of this.#items.values()) {
      for (const item of items) if (!isThere(item)) items.delete(item);
    }
    return this.#takeCleared();
  }

  #takeCleared(): Kind[] {
    const over = [...this.#items].filter(([, items]) => items.size === 0).map(([kind]) => kind);
    for (const kind of over) this.#items.delete(kind);
    return over;
  }
}

interface DatasetLoggerOptions {
  readonly log: Log;
  readonly account: string;
  readonly dataset: DatasetName;
}

/**
 * Writes one line when the first item of a dataset gets into a kind of trouble and one when the last has
 * left it: a check that stays bad among good ones is told once, and so is a failure of all checks.
 */
class DatasetLogger {
  readonly #log: Log;
  readonly #fields: Omit<DatasetLoggerOptions, 'log'>;
  readonly #failing = new FailureTracker<ApiErrorReason>();
  readonly #rejecting = new FailureTracker<RejectionReason>();
  #seen = false;

  constructor({ log, ...facts }: DatasetLoggerOptions) {
    this.#log = log;
    this.#fields = facts;
  }

  /** `id` is that of a check or transaction, or 0; `items` is how many items the dataset has. */
  refreshed(id: number, items: number, rejected: readonly RejectedEntry[]): void {
    const facts = { ...this.#fieldsOf(id), items };
    const { cleared } = this.#failing.update(id, new Set());
    this.#logRecovered(cleared);
    if (!this.#seen) this.#log.info(facts, 'first refresh done');
    else if (cleared.length === 0) this.#log.debug(facts, 'refreshed');
    this.#seen = true;
    this.#logRejected(id, rejected);
  }

  failed(id: number, { reason, message }: ApiError): void {
    const facts = { ...this.#fieldsOf(id), reason, error: message };
    if (this.#failing.update(id, new Set([reason])).firing.length === 0) {
      this.#log.debug(facts, 'refresh still fails');
      return;
    }
    const advice = apiErrorReasons[reason];
    this.#log.warn({ ...facts, advice }, 'refresh fails; the last data stay until they are stale');
  }

  /** Forgets what it knows of items that are gone. */
  retain(isThere: (id: number) => boolean): void {
    this.#logRecovered(this.#failing.retain(isThere));
    this.#logDecodedAgain(this.#rejecting.retain(isThere));
  }

  #logRejected(id: number, rejected: readonly RejectedEntry[]): void {
    const reasons = new Set(rejected.map(({ reason }) => reason));
    const { firing, cleared } = this.#rejecting.update(id, reasons);
    for (const reason of firing) {
      const entries = rejected.filter((entry) => entry.reason === reason);
      const details = entries.map(({ detail }) => detail).join('; ');
      const facts = { ...this.#fieldsOf(id), reason, rejected: entries.length };
      this.#log.warn({ ...facts, details: details.slice(0, 500) }, 'entries left out');
    }
    this.#logDecodedAgain(cleared);
  }

  #logRecovered(reasons: readonly ApiErrorReason[]): void {
    for (const reason of reasons)
      this.#log.info({ ...this.#fields, reason }, 'refresh works again');
  }

  #logDecodedAgain(reasons: readonly RejectionReason[]): void {
    for (const reason of reasons) {
      this.#log.info({ ...this.#fields, reason }, 'every entry is legible again');
    }
  }

  #fieldsOf(id: number) {
    return id === 0 ? this.#fields : { ...this.#fields, id };
  }
}

/** Writes one line per change of state, not one per failure; the rest goes to debug. */
export class AccountLogger {
  readonly #log: Log;
  readonly #account: string;
  readonly #datasets = new Map<DatasetName, DatasetLogger>();
  #storeFailing = false;

  constructor(log: Log, account: string) {
    this.#log = log;
    this.#account = account;
  }

  /** `items` is how many items the dataset has. */
  refreshed({ dataset, id }: AgendaItem, items: number, rejected: readonly RejectedEntry[]): void {
    this.#loggerOf(dataset).refreshed(id, items, rejected);
  }

  failed({ dataset, id }: AgendaItem, error: ApiError): void {
    this.#loggerOf(dataset).failed(id, error);
  }

  /** Forgets what it knows of checks and transactions that are gone. */
  retain(isThere: (item: AgendaItem) => boolean): void {
    for (const [dataset, log] of this.#datasets) log.retain((id) => isThere({ dataset, id }));
  }

  storeFailed({ reason, message }: StoreError): void {
    if (this.#storeFailing) return;
    this.#storeFailing = true;
    const facts = { account: this.#account, reason, error: message };
    this.#log.error(facts, 'the store fails; counters stand still until it works again');
  }

  stored(): void {
    if (!this.#storeFailing) return;
    this.#storeFailing = false;
    this.#log.info({ account: this.#account }, 'the store works again');
  }

  transactionUnit(unit: TransactionResponseUnit): void {
    const advice = 'set transaction_response_unit if it is another';
    const facts = { account: this.#account, unit, advice };
    this.#log.info(facts, 'unit of transaction response times found');
  }

  /** The plan changed enough to be worth a line. */
  planned({ datasets, requestsPerSecond, shortfall }: Plan): void {
    const every = datasets.map(({ name, intervalSeconds }) => [name, Math.round(intervalSeconds)]);
    const facts = {
      account: this.#account,
      requests_per_hour: Math.round(requestsPerSecond * 3600),
      seconds: Object.fromEntries(every),
    };
    if (shortfall === undefined) {
      this.#log.info(facts, 'plan changed');
      return;
    }
    const { datasets: tooSlow, missingPerHour, switchOff } = shortfall;
    this.#log.warn(
      {
        ...facts,
        too_slow: tooSlow.join(),
        missing_per_hour: Math.ceil(missingPerHour),
        switch_off: switchOff.join(),
      },
      'the request budget is too small for all datasets',
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
