import type { PerformanceInterval } from '../domain/averages.ts';
import type { Check } from '../domain/check.ts';
import type { TransactionPerformanceInterval } from '../domain/transaction.ts';
import { unixSeconds } from '../lib/clock.ts';
import { noChange, type Refresh, type RefreshContext, result } from '../schedule/refresh.ts';
import { inUnit, plausibleTimes, unitOfTimes } from '../schedule/refreshes/transaction-unit.ts';
import { type AverageWindow, averageWindows, type WindowAverage } from '../state/snapshot.ts';
import { neighbouringTests } from '../tally/list-evidence.ts';
import { settlingLagSeconds } from '../tally/watermark.ts';

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;

const windowSeconds: { readonly [W in AverageWindow]: number } = {
  '24h': daySeconds,
  '7d': 7 * daySeconds,
  '30d': 30 * daySeconds,
};

/** The other windows would cost a request more each. */
const windowByCountry: AverageWindow = '24h';
const emptyByCountry = { value: { byCountry: [] }, rejected: [] };

/** The settings of one check. */
export function refreshDetail({ service, state }: RefreshContext): Refresh {
  return async (id, signal) => {
    const detail = await service.check({ checkId: id }, signal);
    const { responseTimeThresholdSeconds, certificateWarningSeconds, recipients } = detail;
    state.setCheckDetail(id, 'settings', {
      recipients,
      ...(responseTimeThresholdSeconds !== undefined && { responseTimeThresholdSeconds }),
      ...(certificateWarningSeconds !== undefined && { certificateWarningSeconds }),
    });
    return result(1);
  };
}

/** Uptime and response time of one check over the last day, week and month, and of the day by country where that is asked for. */
export function refreshAverage(context: RefreshContext): Refresh {
  const { service, state, clock, byCountry } = context;
  return async (id, signal) => {
    const toSeconds = unixSeconds(clock);
    const averages: WindowAverage[] = [];
    const rejected = [];
    for (const window of averageWindows) {
      const query = { checkId: id, fromSeconds: toSeconds - windowSeconds[window], toSeconds };
      const average = await service.average(query, signal);
      const countries =
        byCountry && window === windowByCountry
          ? await service.average({ ...query, by: 'country' }, signal)
          : emptyByCountry;
      rejected.push(...average.rejected, ...countries.rejected);
      const { states, responseTimeSeconds } = average.value;
      const known = (states?.upSeconds ?? 0) + (states?.downSeconds ?? 0);
      averages.push({
        window,
        byCountry: countries.value.byCountry,
        ...(states !== undefined && known > 0 && { uptimeRatio: states.upSeconds / known }),
        ...(responseTimeSeconds !== undefined && { responseTimeSeconds }),
      });
    }
    state.setCheckDetail(id, 'averages', averages);
    return result(averages.length, rejected);
  };
}

/** What was measured of one check in the last hour of which the service has every test. */
export function refreshPerformance({ service, state, serviceTime }: RefreshContext): Refresh {
  return async (id, signal) => {
    const record = state.checks.get(id);
    if (record === undefined) return noChange;
    const testedTo = testedUntil(record.entry, serviceTime.passedSeconds());
    const known = record.details.performance?.value;
    if (isLastHour(known, testedTo)) {
      state.setCheckDetail(id, 'performance', known);
      return result(1);
    }
    const query = { checkId: id, ...hoursUntil(testedTo) };
    const { items, rejected } = await service.performance(query, signal);
    state.setCheckDetail(id, 'performance', lastHour(items));
    return result(items.length, rejected);
  };
}

/** The same of one transaction, with its steps. The unit of the times is the first that the data tell. */
export function refreshTransactionPerformance(context: RefreshContext): Refresh {
  const { service, state, transactionResponseUnit, onTransactionUnit } = context;
  const unitOf = (hours: readonly TransactionPerformanceInterval[], interval?: number) => {
    const known = transactionResponseUnit ?? state.accountData.transactionResponseUnit;
    if (known !== undefined) return known;
    const found = unitOfTimes(hours, interval);
    if (found === undefined) return undefined;
    state.setAccountData({ transactionResponseUnit: found });
    onTransactionUnit?.(found);
    return found;
  };
  return async (id, signal) => {
    const record = state.transactions.get(id);
    const reportedTo = record?.details.reportedUntilSeconds?.value;
    if (record === undefined || reportedTo === undefined) return noChange;
    const known = record.details.performance?.value;
    if (isLastHour(known, reportedTo)) {
      state.setTransactionDetail(id, 'performance', known);
      return result(1);
    }
    const query = { transactionId: id, ...hoursUntil(reportedTo) };
    const { items, rejected } = await service.transactionPerformance(query, signal);
    const { intervalSeconds } = record.entry;
    const unit = unitOf(items, intervalSeconds);
    const hour = lastHour(items);
    const plausible = hour && plausibleTimes(id, inUnit(hour, unit), intervalSeconds);
    state.setTransactionDetail(id, 'performance', plausible?.interval);
    return result(items.length, [...rejected, ...(plausible?.rejected ?? [])]);
  };
}

/** The response time of one check by hour of the day, over the last week. */
export function refreshHoursOfDay({ service, state, clock }: RefreshContext): Refresh {
  return async (id, signal) => {
    const toSeconds = unixSeconds(clock);
    const query = { checkId: id, fromSeconds: toSeconds - windowSeconds['7d'], toSeconds };
    const { items, rejected } = await service.hoursOfDay(query, signal);
    state.setCheckDetail(id, 'hoursOfDay', items);
    return result(items.length, rejected);
  };
}

/** How many probes tested one check in the last day. */
export function refreshActiveProbes({ service, state, clock }: RefreshContext): Refresh {
  return async (id, signal) => {
    const toSeconds = unixSeconds(clock);
    const query = { checkId: id, fromSeconds: toSeconds - daySeconds, toSeconds };
    const { items, rejected } = await service.listActiveProbes(query, signal);
    state.setCheckDetail(id, 'activeProbes', items.length);
    return result(items.length, rejected);
  };
}

/**
 * Up to when the service has all tests of a check: its last test, while it is being tested; of one that is
 * not, all time that is settled.
 */
function testedUntil(check: Check, passedSeconds: number): number {
  const { status, lastTestAtSeconds: lastTest, resolutionSeconds = hourSeconds } = check;
  const settled = passedSeconds - settlingLagSeconds;
  if (lastTest === undefined || status === 'paused') return settled;
  const isTested =
    status !== 'unknown' || settled - lastTest <= neighbouringTests * resolutionSeconds;
  return isTested ? lastTest : settled;
}

/** Two hours hold a whole one, whenever the hours of the account's zone begin. */
function hoursUntil(toSeconds: number) {
  return { fromSeconds: toSeconds - 2 * hourSeconds, toSeconds, resolution: 'hour' } as const;
}

function lastHour<I extends PerformanceInterval>(intervals: readonly I[]): I | undefined {
  return intervals.findLast(({ complete }) => complete);
}

/** No later hour has ended by then. */
function isLastHour(known: PerformanceInterval | undefined, untilSeconds: number): boolean {
  return known !== undefined && untilSeconds < known.startAtSeconds + 2 * hourSeconds;
}
