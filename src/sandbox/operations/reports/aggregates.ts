import type { MonitoredState } from '../../../domain/interval.ts';
import type { Segment } from '../../simulation/history.ts';

/** A mean of whole numbers, exact until it is rounded. */
export class Mean {
  #sum = 0;
  #count = 0;

  add(value: number): void {
    this.#sum += value;
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  /** To the nearest whole number, halves up; 0 when there is nothing to average. */
  get rounded(): number {
    return this.#count === 0 ? 0 : Math.round(this.#sum / this.#count);
  }
}

/** Means by key, in the order in which the keys first appear. */
export class Means<K> {
  readonly #means = new Map<K, Mean>();

  add(key: K, value: number): void {
    const mean = this.#means.get(key) ?? new Mean();
    this.#means.set(key, mean);
    mean.add(value);
  }

  of(key: K): Mean | undefined {
    return this.#means.get(key);
  }

  /** The keys, smallest first, with their means. */
  sorted(): [K, Mean][] {
    return [...this.#means].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** How long the segments last together, by their state. */
export function secondsByState(segments: Iterable<Segment>): Record<MonitoredState, number> {
  const seconds = { up: 0, down: 0, unknown: 0 };
  for (const { status, from, to } of segments) seconds[status] += to - from;
  return seconds;
}
