import type { SandboxTransaction } from '../../account/transactions.ts';
import type { World } from '../../account/world.ts';
import { hashUnit } from '../../lib/hash.ts';
import { day, formatInstant, hour, week } from '../../lib/instant.ts';
import type { History } from '../../simulation/history.ts';
import { reportedStates, type TransactionState } from '../../simulation/transaction-states.ts';
import type { Wire } from '../../wire.ts';
import { zoneOffsetSeconds } from '../reports/averages.ts';
import type { ReportPeriod } from './report-period.ts';

export const reportResolutions = ['hour', 'day', 'week'] as const;
export type ReportResolution = (typeof reportResolutions)[number];

export const intervalSeconds: Readonly<Record<ReportResolution, number>> = {
  hour,
  day,
  week,
};
/** The UNIX epoch was a Thursday; weeks begin on Mondays. */
const firstMonday = 4 * day;
const durationSalt = 64;

export interface TransactionInterval extends ReportPeriod {
  /** The average of the successful runs in milliseconds; absent without one. */
  readonly averageResponse?: number;
  /** Seconds. Time in an unknown state counts as unmonitored. */
  readonly uptime: number;
  readonly downtime: number;
  readonly unmonitored: number;
}

/**
 * The performance of a transaction by hour, day or week of the account's zone, with its offset at
 * the end of the period, oldest first. The period is extended to whole intervals. The last one ends
 * now at the latest, and may be partial.
 */
export function performanceIntervals(
  { history, wire }: Pick<World, 'history' | 'wire'>,
  transaction: SandboxTransaction,
  { from, to }: ReportPeriod,
  resolution: ReportResolution,
  now: number,
): TransactionInterval[] {
  const seconds = intervalSeconds[resolution];
  const zone = zoneOffsetSeconds(wire.timeZone, to);
  const origin = (resolution === 'week' ? firstMonday : 0) - zone;
  const start = origin + Math.floor((from - origin) / seconds) * seconds;
  const end = Math.min(now, origin + Math.ceil((to - origin) / seconds) * seconds);
  const states = reportedStates(history, transaction, { from: start, to: end }, now, wire);
  const intervals: TransactionInterval[] = [];
  for (let at = start; at < end; at += seconds) {
    const period = { from: at, to: Math.min(at + seconds, end) };
    intervals.push({
      ...period,
      ...averageIn(history, transaction, period),
      ...secondsIn(period, states),
    });
  }
  return intervals;
}

/**
 * An interval in the form of the performance report; `uptime` and similar fields only on request
 * (API 3.1, section 2.11).
 */
export function wireInterval(
  { id, settings }: SandboxTransaction,
  { averageResponse, uptime, downtime, unmonitored, from }: TransactionInterval,
  includeUptime: boolean,
  { transactionTimes }: Pick<Wire, 'transactionTimes'>,
): object {
  const perMillisecond = transactionTimes === 'milliseconds' ? 1 : 1000;
  const inUnits = (milliseconds: number | undefined) =>
    milliseconds === undefined ? undefined : milliseconds * perMillisecond;
  const durations = shares(id, settings.steps.length, averageResponse);
  return {
    from: formatInstant(from),
    average_response: inUnits(averageResponse),
    ...(includeUptime && { uptime, downtime, unmonitored }),
    steps: settings.steps.map((step, position) => ({
      step,
      average_response: inUnits(durations[position]),
    })),
  };
}

function averageIn(history: History, transaction: SandboxTransaction, { from, to }: ReportPeriod) {
  const times = [...history.results(transaction, from, to)].flatMap(
    ({ responseMilliseconds }) => responseMilliseconds ?? [],
  );
  const sum = times.reduce((total, each) => total + each, 0);
  return times.length === 0 ? {} : { averageResponse: Math.round(sum / times.length) };
}

function secondsIn({ from, to }: ReportPeriod, states: readonly TransactionState[]) {
  const inState = (wanted: TransactionState['status']) =>
    states
      .filter(({ status }) => status === wanted)
      .reduce(
        (sum, state) => sum + Math.max(0, Math.min(to, state.to) - Math.max(from, state.from)),
        0,
      );
  const uptime = inState('up');
  const downtime = inState('down');
  return { uptime, downtime, unmonitored: to - from - uptime - downtime };
}

/** The duration of each step in milliseconds; absent if the duration of the run is unknown. */
function shares(id: number, steps: number, whole: number | undefined): number[] {
  if (whole === undefined) return [];
  const weights = Array.from({ length: steps }, (_, position) => {
    return 0.2 + hashUnit(id, position, durationSalt);
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let passed = 0;
  return weights.map((weight) => {
    const before = Math.round((whole * passed) / sum);
    passed += weight;
    return Math.round((whole * passed) / sum) - before;
  });
}
