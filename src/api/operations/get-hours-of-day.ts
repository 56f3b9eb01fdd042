import type { HourOfDayAverage } from '../../domain/average.ts';
import type { CheckPeriod } from '../queries.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { arrayIn } from '../wire/envelope.ts';
import { hourList } from '../wire/hour-of-day.ts';
import { decodeList } from '../wire/keyed-list.ts';
import { periodQuery } from '../wire/period-query.ts';

const operation = 'get_hours_of_day';

/** The average of each hour of the day, in UTC; hours without data are left out (API 3.1, section 4.4). */
export async function getHoursOfDay(
  reader: Reader,
  query: CheckPeriod,
  signal: AbortSignal,
): Promise<Listing<HourOfDayAverage>> {
  const path = `summary.hoursofday/${query.checkId}`;
  const reply = await reader.get({ operation, path, query: periodQuery(query), signal });
  return decodeList(arrayIn(reply, 'hoursofday', operation), { operation, ...hourList });
}
