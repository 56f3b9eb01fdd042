import type { Check } from '../domain/check.ts';
import type { TimeRange } from '../domain/interval.ts';
import type { Horizon } from './advance.ts';
import type { Settlement } from './settle.ts';

/** With more horizons, every other one is removed: counters advance in longer steps. */
const maxHorizons = 16;
const maxOutages = 16;
const maxErrors = 16;

/** Evidence from the lists since the tally's horizon, with which an outage report must agree. */
export interface AwaitedReport {
  /** Oldest first: a report that reaches one and agrees with the lists is recorded up to it. */
  readonly horizons: readonly Horizon[];
  /** In each of these ranges the check was down for at least a second. */
  readonly outages: readonly TimeRange[];
  /** The times of failed tests of which no list shows whether the failure was confirmed. */
  readonly doubtfulErrors: readonly number[];
}

export const nothingAwaited: AwaitedReport = { horizons: [], outages: [], doubtfulErrors: [] };

/** Adds the evidence of one more list. */
export function awaitingReport(
  before: AwaitedReport = nothingAwaited,
  report: Horizon,
  { horizonSeconds }: Settlement['tally'],
  check: Check,
): AwaitedReport {
  const known = before.horizons.filter(
    (horizon) =>
      horizon.atSeconds > horizonSeconds &&
      horizon.atSeconds < report.atSeconds &&
      !(horizon.state === 'unmonitored' && report.state === 'unmonitored'),
  );
  const outage = shownOutage(check, report.atSeconds, horizonSeconds);
  const error = doubtfulError(check, horizonSeconds);
  const errors = before.doubtfulErrors;
  return {
    horizons: thinned([...known, report]),
    outages: outage === undefined ? before.outages : withOutage(before.outages, outage),
    doubtfulErrors:
      error === undefined || errors.includes(error) ? errors : [...errors, error].slice(-maxErrors),
  };
}

/** The evidence left after recording up to `horizonSeconds`; undefined without a horizon. */
export function stillAwaited(
  { horizons, outages, doubtfulErrors }: AwaitedReport,
  horizonSeconds: number,
): AwaitedReport | undefined {
  const left = horizons.filter(({ atSeconds }) => atSeconds > horizonSeconds);
  if (left.length === 0) return undefined;
  return {
    horizons: left,
    outages: outages.filter(({ fromSeconds }) => fromSeconds >= horizonSeconds),
    doubtfulErrors: doubtfulErrors.filter((error) => error >= horizonSeconds),
  };
}

/** Keeps the first and the last horizon, and every second one in between. */
function thinned(horizons: readonly Horizon[]): readonly Horizon[] {
  if (horizons.length <= maxHorizons) return horizons;
  const last = horizons.length - 1;
  return horizons.filter((_, place) => place === 0 || place === last || place % 2 === 0);
}

/** The part of the last outage that lies after the tally's horizon. */
function shownOutage(
  { status, lastDownStartAtSeconds: start, lastDownEndAtSeconds: end }: Check,
  lastTest: number,
  horizonSeconds: number,
): TimeRange | undefined {
  if (status === 'down') {
    const from = start === undefined || start > lastTest ? lastTest - 1 : start;
    return { fromSeconds: Math.max(from, horizonSeconds), toSeconds: lastTest + 1 };
  }
  if (start === undefined || status !== 'up') return undefined;
  const toSeconds = end !== undefined && end > start ? Math.min(end, lastTest) : lastTest;
  const fromSeconds = Math.max(start, horizonSeconds);
  return fromSeconds < toSeconds ? { fromSeconds, toSeconds } : undefined;
}

/** Every list repeats an ongoing outage, so it is kept once, as it was first shown. */
function withOutage(outages: readonly TimeRange[], outage: TimeRange): readonly TimeRange[] {
  const others = outages.filter(({ fromSeconds }) => fromSeconds !== outage.fromSeconds);
  const before = outages.find(({ fromSeconds }) => fromSeconds === outage.fromSeconds);
  return [...others, before ?? outage].slice(-maxOutages);
}

/**
 * The last failed test, if the list does not show whether the failure was confirmed. A list that
 * has the start of the last outage does show it.
 */
function doubtfulError(
  { status, lastErrorAtSeconds, lastDownStartAtSeconds }: Check,
  horizonSeconds: number,
): number | undefined {
  if (status !== 'up' || lastDownStartAtSeconds !== undefined) return undefined;
  if (lastErrorAtSeconds === undefined || lastErrorAtSeconds < horizonSeconds) return undefined;
  return lastErrorAtSeconds;
}
