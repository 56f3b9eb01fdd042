import { type ApiError, type ApiErrorReason, apiErrorReasons } from '../api/errors.ts';
import type { RejectedEntry, RejectionReason } from '../api/service.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { Log } from '../lib/log.ts';
import { Troubles } from './troubles.ts';

export interface DatasetLogOptions {
  readonly log: Log;
  readonly account: string;
  readonly dataset: DatasetName;
}

/**
 * Writes one line when the first item of a dataset gets into a kind of trouble and one when the last has
 * left it: a check that stays bad among good ones is told once, and so is a failure of all checks.
 */
export class DatasetLog {
  readonly #log: Log;
  readonly #facts: Omit<DatasetLogOptions, 'log'>;
  readonly #failing = new Troubles<ApiErrorReason>();
  readonly #rejecting = new Troubles<RejectionReason>();
  #seen = false;

  constructor({ log, ...facts }: DatasetLogOptions) {
    this.#log = log;
    this.#facts = facts;
  }

  /** `id` is that of a check or transaction, or 0; `items` is how many items the dataset has. */
  refreshed(id: number, items: number, rejected: readonly RejectedEntry[]): void {
    const facts = { ...this.#of(id), items };
    const { over } = this.#failing.put(id, new Set());
    this.#worksAgain(over);
    if (!this.#seen) this.#log.info(facts, 'first refresh done');
    else if (over.length === 0) this.#log.debug(facts, 'refreshed');
    this.#seen = true;
    this.#entriesRejected(id, rejected);
  }

  failed(id: number, { reason, message }: ApiError): void {
    const facts = { ...this.#of(id), reason, error: message };
    if (this.#failing.put(id, new Set([reason])).begun.length === 0) {
      this.#log.debug(facts, 'refresh still fails');
      return;
    }
    const advice = apiErrorReasons[reason];
    this.#log.warn({ ...facts, advice }, 'refresh fails; the last data stay until they are stale');
  }

  /** Forgets what it knows of items that are gone. */
  keep(isThere: (id: number) => boolean): void {
    this.#worksAgain(this.#failing.keep(isThere));
    this.#legibleAgain(this.#rejecting.keep(isThere));
  }

  #entriesRejected(id: number, rejected: readonly RejectedEntry[]): void {
    const reasons = new Set(rejected.map(({ reason }) => reason));
    const { begun, over } = this.#rejecting.put(id, reasons);
    for (const reason of begun) {
      const entries = rejected.filter((entry) => entry.reason === reason);
      const details = entries.map(({ detail }) => detail).join('; ');
      const facts = { ...this.#of(id), reason, rejected: entries.length };
      this.#log.warn({ ...facts, details: details.slice(0, 500) }, 'entries left out');
    }
    this.#legibleAgain(over);
  }

  #worksAgain(reasons: readonly ApiErrorReason[]): void {
    for (const reason of reasons) this.#log.info({ ...this.#facts, reason }, 'refresh works again');
  }

  #legibleAgain(reasons: readonly RejectionReason[]): void {
    for (const reason of reasons) {
      this.#log.info({ ...this.#facts, reason }, 'every entry is legible again');
    }
  }

  #of(id: number) {
    return id === 0 ? this.#facts : { ...this.#facts, id };
  }
}
