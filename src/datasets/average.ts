import { type AverageRange, averageRanges, type RangeAverage } from '../domain/averages.ts';
import { unixSeconds } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import { type ItemRefresh, result } from '../schedule/refresh.ts';
import type { RefreshContext } from './refresh-context.ts';

const daySeconds = 86_400;

const rangeSeconds: { readonly [R in AverageRange]: number } = {
  '24h': daySeconds,
  '7d': 7 * daySeconds,
  '30d': 30 * daySeconds,
};

/** Only this range is read by country: each further range would cost one more request. */
const rangeByCountry: AverageRange = '24h';
const emptyByCountry = { value: { byCountry: [] }, rejected: [] };

/** Reads uptime and response time over a day, a week and a month, optionally by country. */
export function refreshAverage(context: RefreshContext): ItemRefresh {
  const { service, state, clock, byCountry } = context;
  return async (id, signal) => {
    const toSeconds = unixSeconds(clock);
    const averages: RangeAverage[] = [];
    const rejected = [];
    for (const range of averageRanges) {
      const query = { checkId: id, fromSeconds: toSeconds - rangeSeconds[range], toSeconds };
      const average = await service.average(query, signal);
      const countries =
        byCountry && range === rangeByCountry
          ? await service.average({ ...query, by: 'country' }, signal)
          : emptyByCountry;
      rejected.push(...average.rejected, ...countries.rejected);
      const { states, responseTimeSeconds } = average.value;
      const countedSeconds = (states?.upSeconds ?? 0) + (states?.downSeconds ?? 0);
      averages.push(
        present({
          window: range,
          byCountry: countries.value.byCountry,
          ...(states !== undefined &&
            countedSeconds > 0 && { uptimeRatio: states.upSeconds / countedSeconds }),
          responseTimeSeconds,
        }),
      );
    }
    for (const average of averages)
      state.setDetail('check', id, `average${average.window}`, average);
    return result(averages.length, rejected);
  };
}
