import type { History } from './history.ts';
import { type MonitoredCheck, nextChangeTime } from './monitored-check.ts';

interface Remembered<V> {
  readonly value: V;
  readonly revision: number;
  /** The value holds in [from, until). */
  readonly from: number;
  readonly until: number;
}

export interface MemoOptions<V> {
  readonly history: History;
  /** What is to be known of a check at a time, in UNIX seconds. */
  readonly read: (check: MonitoredCheck, time: number) => V;
}

/** Reads a check's history anew only when the check may have been tested since. */
export class MemoUntilChange<V> {
  readonly #history: History;
  readonly #read: (check: MonitoredCheck, time: number) => V;
  readonly #remembered = new WeakMap<MonitoredCheck, Remembered<V>>();

  constructor({ history, read }: MemoOptions<V>) {
    this.#history = history;
    this.#read = read;
  }

  of(check: MonitoredCheck, time: number): V {
    const { revision } = this.#history;
    const known = this.#remembered.get(check);
    if (known?.revision === revision && known.from <= time && time < known.until) {
      return known.value;
    }
    const value = this.#read(check, time);
    const until = nextChangeTime(check, time);
    this.#remembered.set(check, { value, revision, from: time, until });
    return value;
  }
}
