import { type DatasetName, datasetPolicies, type ItemId } from '../domain/dataset.ts';
import type { AccountState } from '../state/account-state.ts';
import type { Agenda } from './agenda.ts';
import type { AgendaFigures } from './agenda-figures.ts';
import type { PlannedDataset } from './demand.ts';
import { firstSightOrder } from './first-sight.ts';
import type { Refreshes } from './refresh.ts';
import type { KnownItem } from './refresh-task.ts';

interface ReconcilerOptions {
  readonly state: AccountState;
  readonly agenda: Pick<Agenda, 'reconcile' | 'placeFirst'> & {
    readonly figures: Pick<AgendaFigures, 'firstSight'>;
  };
  readonly refreshes: Refreshes;
}

/** After this many items, other work has a turn. The items of one dataset are taken over at once. */
const itemsPerTurn = 5_000;

/** Synchronizes the agenda with the account's items, for datasets whose items may differ. */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  /** The agenda's version of each dataset's items; undefined while a dependency is missing. */
  #reconciled: ReadonlyMap<DatasetName, number | undefined> = new Map();
  #placed = 0;
  #isUnfinished = false;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /** The agenda still lacks items, or the order of first sight: it must not be used. */
  get isUnfinished(): boolean {
    return this.#isUnfinished;
  }

  /**
   * Takes over as much as the event loop may wait for. Returns the datasets that others wait for.
   * `now`: milliseconds of the monotonic clock.
   */
  reconcile(datasets: readonly PlannedDataset[], now: number): ReadonlySet<DatasetName> {
    const { state, agenda, refreshes } = this.#options;
    const missing = new Set<DatasetName>();
    const reconciled = new Map<DatasetName, number | undefined>();
    let isSame = this.#reconciled.size === datasets.length && !this.#isUnfinished;
    let items = 0;
    this.#isUnfinished = false;
    for (const { name } of datasets) {
      const dependency = refreshes.get(name)?.missingDependency?.();
      if (dependency !== undefined) missing.add(dependency);
      const isMissing = dependency !== undefined;
      const version = isMissing ? undefined : itemsVersion(name, state, refreshes);
      if (this.#reconciled.has(name) && this.#reconciled.get(name) === version) {
        reconciled.set(name, version);
        continue;
      }
      isSame = false;
      if (items > itemsPerTurn) {
        this.#isUnfinished = true;
        continue;
      }
      const listed = isMissing ? [] : knownItems(name, state, refreshes);
      items += listed.length;
      reconciled.set(name, version);
      agenda.reconcile(name, listed, now);
    }
    this.#reconciled = reconciled;
    if (this.#isUnfinished) return missing;
    const { version } = state.firstSight;
    if (!isSame || version !== this.#placed) {
      const { credit } = agenda.figures.firstSight(now);
      agenda.placeFirst(firstSightOrder(state.firstSight.checks(), credit), now);
    }
    this.#placed = version;
    return missing;
  }
}

/** The items of a dataset, with the age of their data. */
function knownItems(
  dataset: DatasetName,
  state: AccountState,
  refreshes: Refreshes,
): readonly KnownItem[] {
  const own = refreshes.get(dataset)?.items;
  if (own !== undefined) return own.items();
  const { scope } = datasetPolicies[dataset];
  if (scope === 'account') return [knownItem('account', state.ageSeconds(dataset, 'account'))];
  const ids = scope === 'check' ? state.checks.ids() : state.transactions.ids();
  return Array.from(ids, (id) => knownItem(id, state.ageSeconds(dataset, id)));
}

function knownItem(id: ItemId, ageSeconds: number | undefined): KnownItem {
  return ageSeconds === undefined ? { id } : { id, ageSeconds };
}

/** A version that changes whenever the items of a dataset may have changed. */
function itemsVersion(
  dataset: DatasetName,
  { checks, transactions }: AccountState,
  refreshes: Refreshes,
): number {
  const own = refreshes.get(dataset)?.items;
  if (own !== undefined) return own.version;
  const { scope } = datasetPolicies[dataset];
  if (scope === 'account') return 0;
  return scope === 'check' ? checks.membershipVersion : transactions.membershipVersion;
}
