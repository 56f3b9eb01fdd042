import type { DatasetName } from '../domain/dataset.ts';
import { getOrMake } from '../lib/get-or-make.ts';
import { type AccountSlots, DatasetQueue } from './dataset-queue.ts';
import type { PlannedDataset } from './demand.ts';
import type { AgendaEntry, RefreshTask } from './refresh-task.ts';

/** The queues of all datasets. Times are milliseconds of a monotonic clock. */
export class DatasetQueues {
  readonly #slots: AccountSlots;
  readonly #queues = new Map<DatasetName, DatasetQueue>();

  constructor(slots: AccountSlots) {
    this.#slots = slots;
  }

  [Symbol.iterator](): Iterator<DatasetQueue> {
    return this.#queues.values();
  }

  of(dataset: DatasetName): DatasetQueue | undefined {
    return this.#queues.get(dataset);
  }

  /** The number of items that are being refreshed. */
  get running(): number {
    let running = 0;
    for (const queue of this.#queues.values()) running += queue.runningSize;
    return running;
  }

  find({ dataset, id }: RefreshTask): AgendaEntry | undefined {
    return this.#queues.get(dataset)?.find(id);
  }

  /** Requests per refresh of one item. */
  cost(dataset: DatasetName): number {
    return this.#queues.get(dataset)?.cost ?? 1;
  }

  applyPlan(planned: PlannedDataset): void {
    const { name } = planned;
    getOrMake(this.#queues, name, () => new DatasetQueue(name, this.#slots)).applyPlan(planned);
  }

  delete(queue: DatasetQueue): void {
    this.#queues.delete(queue.dataset);
  }

  /** The queue with the most overdue head, measured in intervals; undefined if none is due. */
  mostOverdue(now: number, isStatus: boolean): DatasetQueue | undefined {
    let latest: DatasetQueue | undefined;
    let maxLateness = 0;
    for (const queue of this.#queues.values()) {
      if (queue.isStatus !== isStatus || !queue.isStanding) continue;
      const head = queue.head(now);
      if (head < 0 || queue.dueAt(head) > now) continue;
      const lateness = queue.lateness(head, now);
      if (latest !== undefined && lateness <= maxLateness) continue;
      latest = queue;
      maxLateness = lateness;
    }
    return latest;
  }

  /** The queue whose next item without data is one whose past beyond 35 days is to be read. */
  deeper(): DatasetQueue | undefined {
    for (const queue of this.#queues.values()) {
      if (queue.isOnce && queue.nextUnread >= 0 && queue.isDeeper(queue.nextUnread)) return queue;
    }
    return undefined;
  }

  /** The background queue with the shortest interval that has an item without data. */
  unread(): DatasetQueue | undefined {
    let first: DatasetQueue | undefined;
    for (const queue of this.#queues.values()) {
      if (queue.isStatus || !queue.isStanding || queue.nextUnread < 0) continue;
      const shortest = first?.intervalMilliseconds ?? Number.POSITIVE_INFINITY;
      if (queue.intervalMilliseconds < shortest) first = queue;
    }
    return first;
  }

  /** Milliseconds until the first item is due; Infinity without items. */
  dueIn(now: number, isStatus: boolean): number {
    let soonest = Number.POSITIVE_INFINITY;
    for (const queue of this.#queues.values()) {
      if (queue.isStatus !== isStatus || !queue.isStanding) continue;
      soonest = Math.min(soonest, queue.dueIn(now));
    }
    return soonest;
  }

  /** The time at which the oldest due item became due; `now` if none is due. */
  oldestDueAt(now: number): number {
    let oldest = now;
    for (const queue of this.#queues.values()) {
      const head = queue.isStanding ? queue.head(now) : -1;
      if (head >= 0) oldest = Math.min(oldest, queue.dueAt(head));
    }
    return oldest;
  }

  /** Seconds for which the most overdue item of each dataset has been due; 0 if none is. */
  overdueSeconds(now: number): { [D in DatasetName]?: number } {
    const standing = [...this.#queues.values()].filter(({ isStanding }) => isStanding);
    return Object.fromEntries(
      standing.map((queue) => {
        const head = queue.head(now);
        const dueAt = head < 0 ? now : Math.min(now, queue.dueAt(head));
        return [queue.dataset, (now - dueAt) / 1000];
      }),
    );
  }
}
