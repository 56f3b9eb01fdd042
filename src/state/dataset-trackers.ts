import type { DatasetName } from '../domain/dataset.ts';
import type { Clock } from '../lib/clock.ts';
import type { DatasetStatuses } from './account-snapshot.ts';
import { DatasetTracker } from './dataset-tracker.ts';
import type { DatasetSuccess } from './restored.ts';

/** In seconds, where it is not the default. */
export type MaxStaleness = { readonly [D in DatasetName]?: number };

/** A tracker for each dataset of an account, from when it is first spoken of; the check list always has one. */
export class DatasetTrackers {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #maxStaleness: MaxStaleness;
  readonly #checks: DatasetTracker;
  readonly #trackers = new Map<DatasetName, DatasetTracker>();

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, maxStaleness: MaxStaleness = {}) {
    this.#clock = clock;
    this.#maxStaleness = maxStaleness;
    this.#checks = this.of('checks');
  }

  of(dataset: DatasetName): DatasetTracker {
    const known = this.#trackers.get(dataset);
    if (known !== undefined) return known;
    const tracker = new DatasetTracker(this.#clock, this.#maxStaleness[dataset]);
    this.#trackers.set(dataset, tracker);
    return tracker;
  }

  /** The intervals of the plan, in seconds. What is not in it any more is forgotten, lest it should look out of date. */
  planned(intervals: ReadonlyMap<DatasetName, number>): void {
    for (const name of [...this.#trackers.keys()]) {
      if (name !== 'checks' && !intervals.has(name)) this.#trackers.delete(name);
    }
    for (const [name, intervalSeconds] of intervals) this.of(name).planned(intervalSeconds);
  }

  statuses(): DatasetStatuses {
    const statuses = [...this.#trackers].map(([name, tracker]) => [name, tracker.status]);
    return { ...Object.fromEntries(statuses), checks: this.#checks.status };
  }

  restore(successes: readonly DatasetSuccess[]): void {
    for (const { name, ...success } of successes) this.of(name).restore(success);
  }

  /** The last success of each dataset. */
  successes(): DatasetSuccess[] {
    return [...this.#trackers].flatMap(([name, tracker]) => {
      const { lastSuccessAtSeconds: atSeconds, items, intervalSeconds } = tracker.status;
      if (atSeconds === undefined) return [];
      return { name, atSeconds, items: items ?? 0, ...(intervalSeconds && { intervalSeconds }) };
    });
  }
}
