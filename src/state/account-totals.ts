import { type Sleeper, unixSeconds, type WallClock } from '../lib/clock.ts';
import { AlertTotals } from './alert-totals.ts';
import { CommitQueue, type StoreTotals, type TotalsChange } from './commit-queue.ts';
import { CountingProgress } from './counting-progress.ts';
import type { DatasetTrackers } from './dataset-tracker.ts';
import type { CheckItems } from './items/check-items.ts';
import type { CheckTotals } from './items/totals.ts';
import type { TransactionItems } from './items/transaction-items.ts';
import type { MaintenanceCalendar } from './maintenance.ts';
import type { AccountStanding } from './standing/account-standing.ts';
import type { ChangeLog } from './stored-account.ts';

interface AccountTotalsOptions {
  readonly storeTotals: StoreTotals;
  readonly clock: Sleeper;
  readonly checks: CheckItems;
  readonly transactions: TransactionItems;
  readonly datasets: DatasetTrackers;
  readonly standing: AccountStanding;
  readonly changes: ChangeLog;
  readonly maintenance: MaintenanceCalendar;
  readonly serviceClock: WallClock;
}

/** The counters and horizons of an account. Changes are durable before they are shown. */
export class AccountTotals {
  readonly #options: AccountTotalsOptions;
  readonly #queue: CommitQueue;
  readonly alerts: AlertTotals;
  /** The time up to which checks are counted. */
  readonly progress: CountingProgress;

  constructor(options: AccountTotalsOptions) {
    this.#options = options;
    this.#queue = new CommitQueue({
      storeTotals: options.storeTotals,
      clock: options.clock,
      apply: (change) => this.#apply(change),
      notStored: (change) => this.#showOutages(change),
    });
    this.alerts = new AlertTotals(options.checks);
    this.progress = new CountingProgress(() => options.checks.records());
  }

  /** See `CommitQueue`. */
  set gathers(gathers: boolean) {
    this.#queue.gathers = gathers;
  }

  /** Calls `compute` after the preceding change. Rejects if its totals cannot be stored. */
  commit(compute: () => TotalsChange | Promise<TotalsChange>): Promise<void> {
    return this.#queue.commit(compute);
  }

  /** Changes a listed check's totals; undefined for no change. Rejects if it cannot be stored. */
  commitCheck(
    id: number,
    compute: (totals: CheckTotals) => CheckTotals | undefined,
  ): Promise<void> {
    return this.#queue.commit(() => {
      const totals = this.#options.checks.get(id)?.totals;
      const changed = totals && compute(totals);
      return changed === undefined ? {} : { checks: new Map([[id, changed]]) };
    }, id);
  }

  /**
   * Alerts depend on open outages. So new outages are shown although they are not durable and a
   * crash would lose them.
   */
  #showOutages({ outages }: TotalsChange): void {
    if (outages === undefined) return;
    this.#options.standing.applyOutages(outages);
    this.#options.changes.markPart('outages');
  }

  #apply({ checks, transactions, alerts, maintenance, outages }: TotalsChange): void {
    const { checks: checkItems, transactions: transactionItems, datasets } = this.#options;
    const nowSeconds = unixSeconds(this.#options.serviceClock);
    if (outages !== undefined) this.#options.standing.applyOutages(outages);
    if (maintenance !== undefined) this.#options.maintenance.set(maintenance, nowSeconds);
    const { intervalSeconds } = datasets.of('checks');
    for (const [id, totals] of checks ?? []) {
      const before = checkItems.get(id)?.totals;
      if (before !== undefined && totals !== null) {
        this.progress.counted(before, totals, nowSeconds, intervalSeconds);
      }
      checkItems.apply(id, totals);
    }
    for (const [id, totals] of transactions ?? []) transactionItems.apply(id, totals);
    if (alerts !== undefined) this.alerts.set(alerts);
  }
}
