import { unixSeconds } from '../lib/clock.ts';
import { type Refresh, type RefreshContext, result } from '../schedule/refresh.ts';
import { type AverageWindow, averageWindows, type WindowAverage } from '../state/snapshot.ts';
import { averagesAfter, hoursToAsk } from '../windows/hourly-averages.ts';

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

/** What was measured of one check in the last complete hour, and in those of the last week that are not known yet. */
export function refreshPerformance({ service, state, clock }: RefreshContext): Refresh {
  return async (id, signal) => {
    const last = lastHour(unixSeconds(clock));
    const known = state.checks.get(id)?.details.hourlyAverages?.value;
    const query = { ...hoursToAsk(known, last.toSeconds), resolution: 'hour' } as const;
    const { items, rejected } = await service.performance({ checkId: id, ...query }, signal);
    const hour = items.find(({ startAtSeconds }) => startAtSeconds === last.fromSeconds);
    state.setCheckDetail(id, 'performance', hour);
    state.setCheckDetail(id, 'hourlyAverages', averagesAfter(known, items, last.toSeconds));
    return result(items.length, rejected);
  };
}

/** The same of one transaction, with its steps. */
export function refreshTransactionPerformance({ service, state, clock }: RefreshContext): Refresh {
  return async (id, signal) => {
    const last = lastHour(unixSeconds(clock));
    const known = state.transactions.get(id)?.details.hourlyAverages?.value;
    const hours = { ...hoursToAsk(known, last.toSeconds), resolution: 'hour' } as const;
    const query = { transactionId: id, ...hours };
    const { items, rejected } = await service.transactionPerformance(query, signal);
    const hour = items.find(({ startAtSeconds }) => startAtSeconds === last.fromSeconds);
    state.setTransactionDetail(id, 'performance', hour);
    state.setTransactionDetail(id, 'hourlyAverages', averagesAfter(known, items, last.toSeconds));
    return result(items.length, rejected);
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

function lastHour(nowSeconds: number) {
  const toSeconds = Math.floor(nowSeconds / hourSeconds) * hourSeconds;
  return { fromSeconds: toSeconds - hourSeconds, toSeconds };
}
