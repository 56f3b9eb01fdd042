import type { CheckStatus } from '../vocabulary.ts';
import type { Wire } from '../wire.ts';
import type { History, Outage, TestResult } from './history.ts';
import { type MonitoredCheck, nextChangeTime } from './monitored-check.ts';
import { lastDowntime } from './transaction-states.ts';

interface MemoEntry<V> {
  readonly value: V;
  readonly revision: number;
  /** The value is valid in [from, until). */
  readonly from: number;
  readonly until: number;
}

interface MemoOptions<V> {
  readonly history: History;
  /** The observation of a check at a time in UNIX seconds. */
  readonly read: (check: MonitoredCheck, time: number) => V;
}

/** Reads a check's history again only if the check may have been tested since. */
class MemoUntilChange<V> {
  readonly #history: History;
  readonly #read: (check: MonitoredCheck, time: number) => V;
  readonly #remembered = new WeakMap<MonitoredCheck, MemoEntry<V>>();

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

/** The part of a check's history that the check list shows. Times are UNIX seconds. */
export interface Observation {
  readonly status: CheckStatus;
  readonly lastTest: TestResult | undefined;
  readonly lastErrorTime: number | undefined;
  readonly lastOutage: Outage | undefined;
}

/** Observes checks. */
export class Observer {
  readonly #memo: MemoUntilChange<Observation>;

  constructor(history: History, { lastErrors }: Pick<Wire, 'lastErrors'>) {
    const read = (check: MonitoredCheck, time: number) => ({
      status: history.stateAt(check, time),
      lastTest: history.lastTest(check, time),
      lastErrorTime: history.lastErrorTime(check, time, lastErrors),
      lastOutage: history.lastOutage(check, time),
    });
    this.#memo = new MemoUntilChange({ history, read });
  }

  observe(check: MonitoredCheck, time: number): Observation {
    return this.#memo.of(check, time);
  }
}

/** The words of recorded responses. */
type TransactionStatus = 'successful' | 'failing' | 'unknown';

/** The part of a transaction's history that the list shows. Times are UNIX seconds. */
interface TransactionObservation {
  readonly status: TransactionStatus;
  readonly downtime: { readonly start: number; readonly end?: number } | undefined;
}

const statuses: Readonly<Record<CheckStatus, TransactionStatus>> = {
  up: 'successful',
  down: 'failing',
  unconfirmed_down: 'failing',
  unknown: 'unknown',
  paused: 'unknown',
};

/** Observes transactions. */
export class TransactionObserver {
  readonly #memo: MemoUntilChange<TransactionObservation>;

  constructor(history: History) {
    const read = (transaction: MonitoredCheck, time: number) => ({
      status: statuses[history.stateAt(transaction, time)],
      downtime: lastDowntime(history, transaction, time),
    });
    this.#memo = new MemoUntilChange({ history, read });
  }

  observe(transaction: MonitoredCheck, time: number): TransactionObservation {
    return this.#memo.of(transaction, time);
  }
}
