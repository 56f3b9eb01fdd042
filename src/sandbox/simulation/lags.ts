import { hashUnit } from '../../lib/random.ts';

/**
 * A range of seconds, both ends included. The sandbox draws a number from it for every response.
 */
export interface LagRange {
  readonly min: number;
  readonly max: number;
}

/** The lags of the parts of the service. */
export interface LagSettings {
  /** The lag of outage reports, status reports, raw results, summaries and analyses. */
  readonly reports: LagRange;
  /** The lag of the lists of checks and transactions. */
  readonly lists: LagRange;
  /** A tenth of the raw results is listed later than its neighbours, by up to this many seconds. */
  readonly lateResultSeconds: number;
  /** Until up to this many seconds after a test, lists show its time with the state before it. */
  readonly lateStatusSeconds: number;
  /**
   * The share of outage reports that lack an outage, in five of the 30 minutes after it was
   * confirmed. So of two reports that are five minutes apart, one has it.
   */
  readonly missedOutages: number;
}

const noLags: LagSettings = {
  reports: { min: 0, max: 0 },
  lists: { min: 0, max: 0 },
  lateResultSeconds: 0,
  lateStatusSeconds: 0,
  missedOutages: 0,
};

export const maxLagSeconds = 86_400;
const lateShare = 0.1;
const missedWithinSeconds = 1_800;
const missedSeconds = 300;
const salts = {
  reports: 81,
  lists: 82,
  late: 83,
  lateness: 84,
  missed: 85,
  status: 86,
  missedWhen: 87,
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

/** Throws a `RangeError` that names the first invalid lag. */
export function requireLags(lags: Partial<LagSettings>): void {
  for (const name of ['reports', 'lists'] as const) {
    const { min, max } = lags[name] ?? noLags[name];
    if (isLag(max) && isLag(min) && min <= max) continue;
    throw new RangeError(
      `lags.${name} must be whole seconds up to ${maxLagSeconds}, the lower first, not ${min} to ${max}`,
    );
  }
  for (const name of ['lateResultSeconds', 'lateStatusSeconds'] as const) {
    const seconds = lags[name] ?? noLags[name];
    if (isLag(seconds)) continue;
    throw new RangeError(
      `lags.${name} must be a whole number up to ${maxLagSeconds}, not ${seconds}`,
    );
  }
  const { missedOutages = 0 } = lags;
  if (missedOutages >= 0 && missedOutages < 1) return;
  throw new RangeError(
    `lags.missedOutages must be a share from 0 to below 1, not ${missedOutages}`,
  );
}

function isLag(seconds: number): boolean {
  return Number.isSafeInteger(seconds) && seconds >= 0 && seconds <= maxLagSeconds;
}

/**
 * The lags of a simulated service: a function of the seed, the request and the time. They can be
 * changed at run time.
 */
export class Lags {
  readonly #seed: number;
  settings: LagSettings;

  constructor(seed: number, settings: Partial<LagSettings> = {}) {
    this.#seed = seed;
    this.settings = { ...noLags, ...settings };
  }

  /**
   * The time in UNIX seconds whose state a response at `now` shows. `id` is 0 for the whole
   * account.
   */
  asOf(operation: string, id: number, now: number): number {
    if (listOperations.has(operation)) return now - this.#draw('lists', id, now);
    if (reportOperations.has(operation)) return now - this.#draw('reports', id, now);
    return now;
  }

  /** Returns whether the result of a test at `time` is listed at `now`. */
  isListed(checkId: number, time: number, now: number): boolean {
    const { lateResultSeconds } = this.settings;
    if (lateResultSeconds === 0) return true;
    if (hashUnit(this.#seed, checkId, time, salts.late) >= lateShare) return true;
    const late = hashUnit(this.#seed, checkId, time, salts.lateness) * lateResultSeconds;
    return time + late <= now;
  }

  /** Returns whether a list at `now` shows a test at `time` with the state before it. */
  isStatusLate(checkId: number, time: number, now: number): boolean {
    const { lateStatusSeconds } = this.settings;
    return now - time < hashUnit(this.#seed, checkId, time, salts.status) * lateStatusSeconds;
  }

  /** Returns whether the report at `now` lacks an outage. */
  misses(checkId: number, confirmedAt: number, now: number): boolean {
    const { missedOutages } = this.settings;
    if (missedOutages === 0) return false;
    const place = hashUnit(this.#seed, checkId, confirmedAt, salts.missedWhen);
    const missedFrom = confirmedAt + Math.floor(place * (missedWithinSeconds - missedSeconds));
    if (now < missedFrom || now >= missedFrom + missedSeconds) return false;
    return hashUnit(this.#seed, checkId, now, salts.missed) < missedOutages;
  }

  #draw(kind: 'reports' | 'lists', id: number, now: number): number {
    const { min, max } = this.settings[kind];
    if (max === 0) return 0;
    return min + Math.floor(hashUnit(this.#seed, id, now, salts[kind]) * (max - min + 1));
  }
}
