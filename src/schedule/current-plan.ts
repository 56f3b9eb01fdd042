import type { Spending } from '../budget/budget.ts';
import type { DatasetName } from '../domain/dataset.ts';
import type { MonotonicClock } from '../lib/clock.ts';
import type { AccountState } from '../state/account-state.ts';
import type { Agenda } from './agenda.ts';
import type { DemandSize } from './demand.ts';
import type { Planner } from './planner.ts';
import { Reconciler } from './reconciler.ts';
import type { Refreshes } from './refresh.ts';

interface PlanParts {
  readonly state: AccountState;
  readonly refreshes: Refreshes;
  readonly agenda: Agenda;
  readonly planner: Planner;
  readonly budget: Spending;
  readonly clock: MonotonicClock;
}

/** Keeps plan and agenda as budget and account are. */
export class CurrentPlan {
  readonly #parts: PlanParts;
  readonly #reconciler: Reconciler;
  #itemsChanged = true;
  /** Unread account datasets without which other datasets cannot be refreshed. */
  #missingDependencies: ReadonlySet<DatasetName> = new Set();

  constructor(parts: PlanParts) {
    this.#parts = parts;
    this.#reconciler = new Reconciler(parts);
  }

  /** The agenda still lacks items: it must not be used before the next `update`. */
  get isUnfinished(): boolean {
    return this.#reconciler.isUnfinished;
  }

  update(): void {
    const { planner, agenda, budget, state, refreshes, clock } = this.#parts;
    const now = clock.monotonic();
    const size = { ...state.size, ...deeperRequestsOf(refreshes) };
    const replanned = planner.update(budget.view(), size, now);
    if (!replanned && !this.#itemsChanged) return;
    this.#missingDependencies = this.#reconciler.reconcile(planner.current?.datasets ?? [], now);
    this.#itemsChanged = this.isUnfinished;
    for (const dataset of this.#missingDependencies) {
      const item = { dataset, id: 'account' } as const;
      if (!agenda.isRunning(item)) agenda.expedite(item, now);
    }
  }

  /** A list may have other items than before, and items may have waited for another dataset. */
  refreshed(dataset: DatasetName): void {
    const isList = dataset === 'checks' || dataset === 'transactions';
    if (!isList && !this.#missingDependencies.has(dataset)) return;
    this.#itemsChanged = true;
    this.update();
  }
}

/** Part of the account's size: the requests for a past beyond 35 days. */
function deeperRequestsOf(refreshes: Refreshes): Pick<DemandSize, 'deeperRequests'> {
  const { deeperRequests = 0 } = refreshes.get('history')?.items ?? {};
  return deeperRequests > 0 ? { deeperRequests } : {};
}
