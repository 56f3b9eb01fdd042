import type { DatasetName, ItemId, RefreshClass } from '../domain/dataset.ts';
import type { PlannedAllowances } from './allowances.ts';
import type { DatasetQueues } from './dataset-queues.ts';
import type { FirstSightRequests } from './first-sight-requests.ts';
import type { AgendaEntry } from './refresh-task.ts';
import type { Retries } from './retries.ts';

interface AgendaCounts {
  /** The number of waiting items by class. */
  readonly classes: { readonly [C in RefreshClass]: number };
  readonly running: number;
  /** Items that wait for a retry after a failure or a postponement. */
  readonly retrying: number;
}

/** The waiting requests of first sight. */
interface FirstSightQueue {
  /** Items other than reports of the time before first sight. */
  readonly others: number;
  /** Reports of the time before first sight that the service refuses to this account. */
  readonly refused: number;
  /** Requests that may be sent at once. */
  readonly credit: number;
}

interface AgendaParts {
  readonly queues: DatasetQueues;
  readonly requested: { readonly size: number } & Iterable<AgendaEntry>;
  readonly first: FirstSightRequests;
  readonly retries: Retries;
  readonly allowances: PlannedAllowances;
}

/** What waits in an agenda, and for how long. Times are milliseconds of a monotonic clock. */
export class AgendaFigures {
  readonly #agenda: AgendaParts;

  constructor(agenda: AgendaParts) {
    this.#agenda = agenda;
  }

  firstSight(now: number): FirstSightQueue {
    const { queues, first, allowances } = this.#agenda;
    let refused = 0;
    // An item that was read has left the queue, so one that waits with data was refused.
    for (const queue of queues) if (queue.isOnce) refused += queue.size - queue.unreadSize;
    return { others: first.others, refused, credit: allowances.credit(now) };
  }

  counts(): AgendaCounts {
    const { queues, requested, first, retries } = this.#agenda;
    const classes = { status: 0, event: requested.size + first.size, background: 0 };
    for (const queue of queues) {
      if (queue.isOnce) continue;
      classes[queue.isStatus ? 'status' : 'background'] += queue.size;
    }
    return { classes, running: queues.running, retrying: retries.size };
  }

  /** Seconds for which the oldest due item has been waiting; 0 if none is due. */
  oldestDueSeconds(now: number): number {
    const { queues, requested } = this.#agenda;
    let oldest = queues.oldestDueAt(now);
    for (const { request } of requested) oldest = Math.min(oldest, request?.since ?? now);
    return (now - oldest) / 1000;
  }

  /** Seconds for which the most overdue item of each dataset has been due; 0 if none is. */
  overdueSeconds(now: number): { readonly [D in DatasetName]?: number } {
    return this.#agenda.queues.overdueSeconds(now);
  }

  /** Seconds until an item is due, regardless of the budget; undefined if it is not listed. */
  dueInSeconds(dataset: DatasetName, id: ItemId, now: number): number | undefined {
    const queue = this.#agenda.queues.of(dataset);
    const dueAt = queue?.dueAtOf(id);
    if (dueAt === undefined) return undefined;
    const { request, retryAt = 0 } = queue?.entryOf(id) ?? {};
    return (Math.max(request === undefined ? dueAt : now, retryAt) - now) / 1000;
  }

  /** Seconds until the event allowance admits the next request of an event; Infinity for never. */
  eventInSeconds(now: number): number {
    return this.#agenda.allowances.waitFor('event', 1, now) / 1000;
  }
}
