import type { ApiError } from '../api/errors.ts';
import type { ApiVersion } from '../domain/api-version.ts';
import type { Check } from '../domain/check.ts';
import type { Credits } from '../domain/credits.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { Clock } from '../lib/clock.ts';
import type { AccountSnapshot } from './account-snapshot.ts';
import { mergeChecks } from './check-list.ts';
import { DatasetTracker } from './dataset-tracker.ts';

export interface AccountStateOptions {
  readonly account: string;
  readonly apiVersion: ApiVersion;
  readonly baseUrl: string;
  readonly intervalSeconds: { readonly [D in DatasetName]: number };
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** The last known data of one account. A failed refresh takes nothing away; age does. */
export class AccountState {
  readonly #options: AccountStateOptions;
  readonly #trackers: { readonly [D in DatasetName]: DatasetTracker };
  #checks: readonly Check[] = [];
  #credits: Credits = {};

  constructor(options: AccountStateOptions) {
    this.#options = options;
    const { clock, intervalSeconds } = options;
    this.#trackers = {
      checks: new DatasetTracker(clock, intervalSeconds.checks),
      credits: new DatasetTracker(clock, intervalSeconds.credits),
    };
  }

  checksListed(checks: readonly Check[]): void {
    this.#checks = mergeChecks(this.#checks, checks);
    this.#trackers.checks.succeeded(checks.length);
  }

  creditsRead(credits: Credits): void {
    this.#credits = credits;
    this.#trackers.credits.succeeded(1);
  }

  failed(dataset: DatasetName, error: ApiError): void {
    this.#trackers[dataset].failed(error);
  }

  snapshot(): AccountSnapshot {
    const { account, apiVersion, baseUrl } = this.#options;
    const datasets = {
      checks: this.#trackers.checks.status,
      credits: this.#trackers.credits.status,
    };
    return {
      account,
      apiVersion,
      baseUrl,
      up: !datasets.checks.stale && datasets.checks.failure === undefined,
      datasets,
      ...(!datasets.checks.stale && { checks: this.#checks }),
      ...(!datasets.credits.stale && { credits: this.#credits }),
    };
  }
}
