import type { ApiError } from '../api/errors.ts';
import type { AttemptResult } from '../api/http/attempt.ts';
import type { RejectedEntry } from '../api/service.ts';
import type { BudgetNote } from '../budget/budget-note.ts';
import type { ExporterMetrics } from '../exposition/self-metrics/exporter-metrics.ts';
import type { RefreshTask } from '../schedule/refresh-task.ts';
import type { LostRecord } from '../store/store.ts';
import type { AccountListener } from './account-events.ts';

/** Counts the events of one account in the exporter's own metrics. */
export class AccountMetrics implements AccountListener {
  readonly #metrics: ExporterMetrics;
  readonly #account: string;

  constructor(metrics: ExporterMetrics, account: string) {
    this.#metrics = metrics;
    this.#account = account;
  }

  attempted(attempt: AttemptResult): void {
    this.#metrics.attempted({ account: this.#account, ...attempt });
  }

  budgetNoted({ kind }: BudgetNote): void {
    if (kind === 'probe') this.#metrics.probeSent(this.#account);
  }

  refreshed({ dataset }: RefreshTask, rejected: readonly RejectedEntry[]): void {
    for (const { reason } of rejected) this.#metrics.rejected(this.#account, dataset, reason, 1);
  }

  failed({ dataset }: RefreshTask, { reason }: ApiError): void {
    this.#metrics.datasetFailed(this.#account, dataset, reason);
  }

  recordsLost(records: readonly LostRecord[]): void {
    for (const { kind } of records) this.#metrics.storeRecordsLost(kind, 1);
  }

  loopFailed(): void {
    this.#metrics.pollerFailed(this.#account);
  }
}
