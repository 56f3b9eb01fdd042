import type { CheckStatus } from '../domain/check.ts';
import type { History, Outage, TestResult } from './history.ts';
import { type MonitoredCheck, nextChangeTime } from './monitored-check.ts';

/** What the check list tells of a check's history. Times are UNIX seconds. */
export interface Observation {
  readonly status: CheckStatus;
  readonly lastTest: TestResult | undefined;
  readonly lastErrorTime: number | undefined;
  readonly lastOutage: Outage | undefined;
}

interface Remembered {
  readonly observation: Observation;
  readonly revision: number;
  /** The observation holds in [from, until). */
  readonly from: number;
  readonly until: number;
}

/** Observes checks, and looks at a check's history anew only when it may have been tested since. */
export class Observer {
  readonly #history: History;
  readonly #remembered = new WeakMap<MonitoredCheck, Remembered>();

  constructor(history: History) {
    this.#history = history;
  }

  observe(check: MonitoredCheck, time: number): Observation {
    const { revision } = this.#history;
    const known = this.#remembered.get(check);
    if (known?.revision === revision && known.from <= time && time < known.until) {
      return known.observation;
    }
    const observation = {
      status: this.#history.stateAt(check, time),
      lastTest: this.#history.lastTest(check, time),
      lastErrorTime: this.#history.lastErrorTime(check, time),
      lastOutage: this.#history.lastOutage(check, time),
    };
    const until = nextChangeTime(check, time);
    this.#remembered.set(check, { observation, revision, from: time, until });
    return observation;
  }
}
