import type { ApiError } from '../api/errors.ts';
import { apiErrorReasons } from '../api/errors.ts';
import type { RejectedEntry } from '../api/service.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { Log } from '../lib/log.ts';
import type { Plan } from '../schedule/plan.ts';
import type { StoreError } from '../store/store-error.ts';

/** Writes one line per change of state of a dataset, not one per failure; the rest goes to debug. */
export class AccountLog {
  readonly #log: Log;
  readonly #account: string;
  readonly #failing = new Map<DatasetName, string>();
  readonly #rejecting = new Map<DatasetName, string>();
  readonly #seen = new Set<DatasetName>();
  #storeFails = false;

  constructor(log: Log, account: string) {
    this.#log = log;
    this.#account = account;
  }

  refreshed(dataset: DatasetName, items: number, rejected: readonly RejectedEntry[]): void {
    const facts = { account: this.#account, dataset, items };
    if (this.#failing.delete(dataset)) this.#log.info(facts, 'refresh works again');
    else if (this.#seen.has(dataset)) this.#log.debug(facts, 'refreshed');
    else this.#log.info(facts, 'first refresh done');
    this.#seen.add(dataset);
    this.#entriesRejected(dataset, rejected);
  }

  failed(dataset: DatasetName, error: ApiError): void {
    const facts = { account: this.#account, dataset, reason: error.reason, error: error.message };
    if (this.#failing.get(dataset) === error.reason) {
      this.#log.debug(facts, 'refresh still fails');
      return;
    }
    this.#failing.set(dataset, error.reason);
    const advice = apiErrorReasons[error.reason];
    this.#log.warn({ ...facts, advice }, 'refresh fails; the last data stay until they are stale');
  }

  storeFailed({ reason, message }: StoreError): void {
    if (this.#storeFails) return;
    this.#storeFails = true;
    const facts = { account: this.#account, reason, error: message };
    this.#log.error(facts, 'the store fails; counters stand still until it works again');
  }

  stored(): void {
    if (!this.#storeFails) return;
    this.#storeFails = false;
    this.#log.info({ account: this.#account }, 'the store works again');
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

  #entriesRejected(dataset: DatasetName, rejected: readonly RejectedEntry[]): void {
    const details = rejected.map(({ reason, detail }) => `${reason}: ${detail}`).join('; ');
    if (details === (this.#rejecting.get(dataset) ?? '')) return;
    this.#rejecting.set(dataset, details);
    const facts = { account: this.#account, dataset, rejected: rejected.length };
    if (rejected.length === 0) this.#log.info(facts, 'every entry is legible again');
    else this.#log.warn({ ...facts, details: details.slice(0, 500) }, 'entries left out');
  }
}
