import type { DatasetName } from '../domain/dataset.ts';
import type { AgendaEntry, AgendaItem } from './agenda-entry.ts';
import type { PlannedDataset } from './planned-dataset.ts';
import { Turn } from './turn.ts';

/** The turns of all datasets. Times are milliseconds of a monotonic clock. */
export class Turns {
  readonly #turns = new Map<DatasetName, Turn>();

  [Symbol.iterator](): Iterator<Turn> {
    return this.#turns.values();
  }

  of(dataset: DatasetName): Turn | undefined {
    return this.#turns.get(dataset);
  }

  find({ dataset, id }: AgendaItem): AgendaEntry | undefined {
    return this.#turns.get(dataset)?.find(id);
  }

  /** Requests that a refresh of the item costs. */
  cost({ dataset }: AgendaItem): number {
    return this.#turns.get(dataset)?.cost ?? 1;
  }

  adopt({ name, intervalSeconds, cost, status }: PlannedDataset): void {
    const turn = this.#turns.get(name) ?? new Turn(name);
    this.#turns.set(name, turn);
    turn.intervalMilliseconds = intervalSeconds * 1000;
    turn.cost = cost;
    turn.status = status;
  }

  delete(turn: Turn): void {
    this.#turns.delete(turn.dataset);
  }

  /** Of the due items at the head of the datasets, the one that is the most intervals late. */
  latest(now: number, status: boolean): AgendaEntry | undefined {
    let latest: AgendaEntry | undefined;
    let most = 0;
    for (const turn of this.#turns.values()) {
      if (turn.status !== status) continue;
      const entry = turn.first(now);
      if (entry === undefined || turn.dueAt(entry) > now) continue;
      const lateness = turn.lateness(entry, now);
      if (latest !== undefined && lateness <= most) continue;
      latest = entry;
      most = lateness;
    }
    return latest;
  }

  /** Milliseconds until the first item is due; Infinity when there is none. */
  dueIn(now: number, status: boolean): number {
    let soonest = Number.POSITIVE_INFINITY;
    for (const turn of this.#turns.values()) {
      if (turn.status === status) soonest = Math.min(soonest, turn.dueIn(now));
    }
    return soonest;
  }

  /** When the longest due item became due; `now` when none is. */
  oldestDueAt(now: number): number {
    let oldest = now;
    for (const turn of this.#turns.values()) {
      const entry = turn.first(now);
      if (entry !== undefined) oldest = Math.min(oldest, turn.dueAt(entry));
    }
    return oldest;
  }
}
