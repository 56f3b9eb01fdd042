import type { CheckStatus } from '../domain/check.ts';
import type { History, Outage, TestResult } from './history.ts';
import { MemoUntilChange } from './memo-until-change.ts';
import type { MonitoredCheck } from './monitored-check.ts';

/** What the check list tells of a check's history. Times are UNIX seconds. */
export interface Observation {
  readonly status: CheckStatus;
  readonly lastTest: TestResult | undefined;
  readonly lastErrorTime: number | undefined;
  readonly lastOutage: Outage | undefined;
}

/** Observes checks. */
export class Observer {
  readonly #memo: MemoUntilChange<Observation>;

  constructor(history: History) {
    const read = (check: MonitoredCheck, time: number) => ({
      status: history.stateAt(check, time),
      lastTest: history.lastTest(check, time),
      lastErrorTime: history.lastErrorTime(check, time),
      lastOutage: history.lastOutage(check, time),
    });
    this.#memo = new MemoUntilChange({ history, read });
  }

  observe(check: MonitoredCheck, time: number): Observation {
    return this.#memo.of(check, time);
  }
}
