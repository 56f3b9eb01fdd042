import type { ApiError } from '../api/errors.ts';
import type { RejectedEntry } from '../api/service.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { Log } from '../lib/log.ts';
import type { AgendaItem } from '../schedule/agenda-entry.ts';
import type { Plan } from '../schedule/plan.ts';
import type { StoreError } from '../store/store-error.ts';
import { DatasetLog } from './dataset-log.ts';

/** Writes one line per change of state, not one per failure; the rest goes to debug. */
export class AccountLog {
  readonly #log: Log;
  readonly #account: string;
  readonly #datasets = new Map<DatasetName, DatasetLog>();
  #storeFails = false;

  constructor(log: Log, account: string) {
    this.#log = log;
    this.#account = account;
  }

  /** `items` is how many items the dataset has. */
  refreshed({ dataset, id }: AgendaItem, items: number, rejected: readonly RejectedEntry[]): void {
    this.#of(dataset).refreshed(id, items, rejected);
  }

  failed({ dataset, id }: AgendaItem, error: ApiError): void {
    this.#of(dataset).failed(id, error);
  }

  /** Forgets what it knows of checks and transactions that are gone. */
  keep(isThere: (item: AgendaItem) => boolean): void {
    for (const [dataset, log] of this.#datasets) log.keep((id) => isThere({ dataset, id }));
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

  #of(dataset: DatasetName): DatasetLog {
    const known = this.#datasets.get(dataset);
    if (known !== undefined) return known;
    const log = new DatasetLog({ log: this.#log, account: this.#account, dataset });
    this.#datasets.set(dataset, log);
    return log;
  }
}
