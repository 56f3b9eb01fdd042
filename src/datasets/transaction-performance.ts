import type { RejectedEntry } from '../api/service.ts';
import type {
  TransactionPerformanceInterval,
  TransactionResponseUnit,
} from '../domain/transaction.ts';
import {
  alreadyKnown,
  type ItemRefresh,
  nothingLeft,
  result,
  tooEarly,
} from '../schedule/refresh.ts';
import { averagesAfter, hoursToAsk, readUntil } from '../slo/hourly-averages.ts';
import { responseMonthsAfter } from '../slo/response-months.ts';
import { lastHour, settledHours } from '../slo/settled-hours.ts';
import type { RefreshContext } from './refresh-context.ts';

/**
 * Reads the performance of one transaction and its steps: in the last complete hour with a run, and in
 * the hours of the last week that are not known yet. The first data that show the unit of the times
 * decide it.
 */
export function refreshTransactionPerformance(context: RefreshContext): ItemRefresh {
  const { service, state, serviceTime, calendar } = context;
  return async (id, signal) => {
    const record = state.transactions.get(id);
    const reportedTo = record?.details.reportedUntilSeconds?.value;
    if (record === undefined) return nothingLeft;
    if (reportedTo === undefined) return tooEarly;
    const hour = record.details.performance?.value;
    const averages = record.details.hourlyAverages?.value;
    const isKnown = averages !== undefined && reportedTo < readUntil(averages) + hourSeconds;
    if (isKnown && hour !== undefined) {
      state.setDetail('transaction', id, 'performance', hour);
      state.setDetail('transaction', id, 'hourlyAverages', averages);
      return alreadyKnown(1);
    }
    const hours = { ...hoursToAsk(averages, reportedTo), resolution: 'hour' } as const;
    const { items, rejected } = await service.transactionPerformance(
      { transactionId: id, ...hours },
      signal,
    );
    const { intervalSeconds } = record.entry;
    const unit = unitOf(context, items, intervalSeconds);
    const plausible = items.map((item) => plausibleTimes(id, inUnit(item, unit), intervalSeconds));
    const intervals = settledHours(
      plausible.map(({ interval }) => interval),
      record.totals,
      serviceTime.passedSeconds(),
      intervalSeconds,
    );
    const last = lastHourWithRun(hour, intervals, intervalSeconds);
    state.setDetail('transaction', id, 'performance', last);
    const renewed = averagesAfter(averages, intervals);
    if (renewed !== undefined) state.setDetail('transaction', id, 'hourlyAverages', renewed);
    const months = responseMonthsAfter(
      record.details.responseMonths?.value,
      intervals,
      calendar,
      intervalSeconds ?? hourSeconds,
    );
    if (months !== undefined) state.setDetail('transaction', id, 'responseMonths', months);
    const isLast = (hour: TransactionPerformanceInterval) =>
      hour.startAtSeconds === last?.startAtSeconds;
    const withheld = plausible.find(({ interval }) => isLast(interval))?.rejected ?? [];
    return result(items.length, [...rejected, ...withheld]);
  };
}

/**
 * The last complete hour, unless the transaction was up in all of it without a run: then the last one
 * with a run, which began at most the time between two runs earlier.
 */
function lastHourWithRun(
  known: TransactionPerformanceInterval | undefined,
  hours: readonly TransactionPerformanceInterval[],
  runIntervalSeconds = hourSeconds,
): TransactionPerformanceInterval | undefined {
  const last = lastHour(hours);
  if (last === undefined) return undefined;
  const oldestSeconds = last.startAtSeconds - runIntervalSeconds;
  const all = known === undefined ? hours : [known, ...hours];
  const withRun = all.filter((one) => one.startAtSeconds >= oldestSeconds && hasRun(one));
  return lastHour(withRun) ?? last;
}

function hasRun({
  averageResponseTimeSeconds,
  upSeconds,
  withheld,
}: TransactionPerformanceInterval): boolean {
  return averageResponseTimeSeconds !== undefined || upSeconds !== hourSeconds || withheld === true;
}

function unitOf(
  { state, transactionResponseUnit, events }: RefreshContext,
  hours: readonly TransactionPerformanceInterval[],
  runIntervalSeconds: number | undefined,
): TransactionResponseUnit | undefined {
  const decided = transactionResponseUnit ?? state.accountData.transactionResponseUnit;
  if (decided !== undefined) return decided;
  const found = unitOfTimes(hours, runIntervalSeconds);
  if (found === undefined) return undefined;
  state.setAccountData({ transactionResponseUnit: found });
  events.transactionUnitDetected(found);
  return found;
}

const hourSeconds = 3_600;
const microsecondsPerMillisecond = 1_000;
/**
 * A step takes less than this, because the service gives up on a longer one. A slowest step that
 * seems longer is in microseconds: no browser loads a page in 60 ms.
 */
const slowestStepSeconds = 60;
/** The same limit for a whole run, if the report has no steps. */
const slowestRunSeconds = 200;

/** Returns the unit of times read as milliseconds: a run takes less than its interval. */
export function unitOfTimes(
  intervals: readonly TransactionPerformanceInterval[],
  runIntervalSeconds = hourSeconds,
): TransactionResponseUnit | undefined {
  const slowestRun = slowest(intervals);
  const slowestStep = slowest(intervals.flatMap(({ steps }) => steps));
  if (slowestRun > runIntervalSeconds) return 'microseconds';
  if (slowestStep > 0) return slowestStep < slowestStepSeconds ? 'milliseconds' : 'microseconds';
  if (slowestRun > 0) return slowestRun < slowestRunSeconds ? 'milliseconds' : 'microseconds';
  return undefined;
}

/** Converts response times from milliseconds. Without a unit, removes them. */
export function inUnit(
  interval: TransactionPerformanceInterval,
  unit: TransactionResponseUnit | undefined,
): TransactionPerformanceInterval {
  if (unit === 'milliseconds') return interval;
  if (unit === undefined) return withoutTimes(interval);
  const { averageResponseTimeSeconds: average, steps } = interval;
  return {
    ...interval,
    ...(average !== undefined && {
      averageResponseTimeSeconds: average / microsecondsPerMillisecond,
    }),
    steps: steps.map(({ fn, averageResponseTimeSeconds: seconds }) => ({
      fn,
      ...(seconds !== undefined && {
        averageResponseTimeSeconds: seconds / microsecondsPerMillisecond,
      }),
    })),
  };
}

/** Rejects times of a run longer than its interval, or of a step longer than an hour. */
export function plausibleTimes(
  id: number,
  interval: TransactionPerformanceInterval,
  runIntervalSeconds = hourSeconds,
): { readonly interval: TransactionPerformanceInterval; readonly rejected: RejectedEntry[] } {
  const run = slowest([interval]);
  const step = slowest(interval.steps);
  if (run <= runIntervalSeconds && step <= hourSeconds) return { interval, rejected: [] };
  const what =
    run > runIntervalSeconds
      ? 'the average of a run is longer than the interval between two'
      : 'the average of a step is longer than an hour';
  const detail = `transaction ${id}: ${what}; transaction_response_unit may be wrong`;
  return {
    interval: { ...withoutTimes(interval), withheld: true },
    rejected: [{ reason: 'transaction_response_unit', detail }],
  };
}

function withoutTimes({
  averageResponseTimeSeconds: _,
  ...interval
}: TransactionPerformanceInterval): TransactionPerformanceInterval {
  return { ...interval, steps: interval.steps.map(({ fn }) => ({ fn })) };
}

function slowest(measured: readonly { readonly averageResponseTimeSeconds?: number }[]): number {
  return measured.reduce(
    (longest, { averageResponseTimeSeconds = 0 }) => Math.max(longest, averageResponseTimeSeconds),
    0,
  );
}
