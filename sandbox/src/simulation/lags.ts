import { hashUnit } from '../lib/hash.ts';
import type { Wire } from '../wire.ts';

const lateShare = 0.1;
const missedWithinSeconds = 1_800;
const missedSeconds = 300;
const omissionPeriodSeconds = 600;
const omissionSeconds = 40;
const salts = {
  reportLagSeconds: 81,
  listLagSeconds: 82,
  hourLagSeconds: 89,
  omitted: 90,
  omittedWhen: 94,
  late: 83,
  lateness: 84,
  missed: 85,
  status: 86,
  missedWhen: 87,
  alertDelay: 98,
  alertOutcome: 99,
} as const;

const listOperations: ReadonlySet<string> = new Set([
  'list_checks',
  'get_check',
  'list_transactions',
  'get_transaction',
]);
const reportOperations: ReadonlySet<string> = new Set([
  'list_outages',
  'list_results',
  'get_performance',
  'get_average',
  'get_hours_of_day',
  'list_analyses',
  'get_analysis',
  'list_active_probes',
  'list_transaction_states',
  'get_transaction_states',
  'get_transaction_performance',
]);

const hourlyOperations: ReadonlySet<string> = new Set([
  'get_performance',
  'get_transaction_performance',
]);

interface LagOptions {
  readonly seed: number;
  /** Read at each response, because it may change at run time. */
  readonly wire: Wire;
}

/** The lags of a simulated service: a function of the seed, the wire, the request and the time. */
export class Lags {
  readonly #seed: number;
  readonly #options: LagOptions;

  constructor(options: LagOptions) {
    this.#seed = options.seed;
    this.#options = options;
  }

  /**
   * The time in UNIX seconds whose state a response at `now` shows. `id` is 0 for the whole
   * account.
   */
  asOf(operation: string, id: number, now: number): number {
    if (listOperations.has(operation)) return now - this.#draw('listLagSeconds', id, now);
    if (reportOperations.has(operation)) {
      const late = hourlyOperations.has(operation) ? this.#draw('hourLagSeconds', id, now) : 0;
      return now - late - this.#draw('reportLagSeconds', id, now);
    }
    return now;
  }

  /** Returns whether the result of a test at `time` is listed at `now`. */
  isListed(checkId: number, time: number, now: number): boolean {
    const { lateResultSeconds } = this.#options.wire;
    if (lateResultSeconds === 0) return true;
    if (hashUnit(this.#seed, checkId, time, salts.late) >= lateShare) return true;
    const late = hashUnit(this.#seed, checkId, time, salts.lateness) * lateResultSeconds;
    return time + late <= now;
  }

  /** Returns whether an alert that was sent at `time` is listed at `now`. */
  isAlertListed(checkId: number, time: number, now: number): boolean {
    const { alertDelaySeconds } = this.#options.wire;
    return time + hashUnit(this.#seed, checkId, time, salts.alertDelay) * alertDelaySeconds <= now;
  }

  /** Returns whether a list at `now` does not show yet what became of an alert sent at `time`. */
  isOutcomeOpen(checkId: number, time: number, now: number): boolean {
    const { alertOutcomeSeconds } = this.#options.wire;
    const seconds = hashUnit(this.#seed, checkId, time, salts.alertOutcome) * alertOutcomeSeconds;
    return time + seconds > now;
  }

  /** Returns whether a list at `now` shows a test at `time` with the state before it. */
  isStatusLate(checkId: number, time: number, now: number): boolean {
    const { lateStatusSeconds } = this.#options.wire;
    return now - time < hashUnit(this.#seed, checkId, time, salts.status) * lateStatusSeconds;
  }

  /** Returns whether a list at `now` lacks the check. The list 45 seconds later has it. */
  isOmitted(checkId: number, now: number): boolean {
    const { omittedChecks } = this.#options.wire;
    if (omittedChecks === 0) return false;
    const period = Math.floor(now / omissionPeriodSeconds);
    if (hashUnit(this.#seed, checkId, period, salts.omitted) >= omittedChecks) return false;
    // The first half of a period, so that two omissions are far apart.
    const place = hashUnit(this.#seed, checkId, period, salts.omittedWhen);
    const from = Math.floor((place * omissionPeriodSeconds) / 2);
    const second = now - period * omissionPeriodSeconds;
    return second >= from && second < from + omissionSeconds;
  }

  /** Returns whether the report at `now` lacks an outage. */
  misses(checkId: number, confirmedAt: number, now: number): boolean {
    const { missedOutages } = this.#options.wire;
    if (missedOutages === 0) return false;
    const place = hashUnit(this.#seed, checkId, confirmedAt, salts.missedWhen);
    const missedFrom = confirmedAt + Math.floor(place * (missedWithinSeconds - missedSeconds));
    if (now < missedFrom || now >= missedFrom + missedSeconds) return false;
    return hashUnit(this.#seed, checkId, now, salts.missed) < missedOutages;
  }

  #draw(
    kind: 'reportLagSeconds' | 'listLagSeconds' | 'hourLagSeconds',
    id: number,
    now: number,
  ): number {
    const { min, max } = this.#options.wire[kind];
    if (max === 0) return 0;
    return min + Math.floor(hashUnit(this.#seed, id, now, salts[kind]) * (max - min + 1));
  }
}
