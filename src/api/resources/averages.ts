import { z } from 'zod';
import type {
  Average,
  CountryAverage,
  HourOfDayAverage,
  StateSeconds,
} from '../../domain/averages.ts';
import { present } from '../../lib/present.ts';
import { arrayIn, isObject, objectIn } from '../decoding/envelope.ts';
import { mean, number, readNumber, seconds, text, visibleText } from '../decoding/fields.ts';
import { decodeList } from '../list.ts';
import {
  type AverageQuery,
  type CheckTimeRange,
  type Reader,
  timeRangeParameters,
} from '../reader.ts';
import type { Decoded, Listing } from '../service.ts';

const millisecondsPerSecond = 1000;

/** API 3.1, section 2.9. In a response by country, the average is an array instead of a number. */
const wireSummary = z.object({
  responsetime: z.object({ avgresponse: z.unknown().optional() }).optional().catch(undefined),
  status: z
    .object({ totalup: number, totaldown: number, totalunknown: number })
    .optional()
    .catch(undefined),
});

/** The average in a response `{summary}`. Fails with reason `shape`. */
function decodeAverage(
  response: unknown,
  by: 'country' | undefined,
  operation: string,
): Decoded<Average> {
  const wire = wireSummary.parse(objectIn(response, 'summary', operation));
  const measured = wire.responsetime?.avgresponse;
  const states = statesOf(wire.status);
  const entries = Array.isArray(measured) ? measured.filter(isMeasured) : [];
  const field = 'avgresponse';
  const byCountry =
    by === 'country' ? decodeList(entries, { operation, field, ...countries }) : none;
  const value = present({
    responseTimeSeconds: mean(number.parse(measured), millisecondsPerSecond),
    states,
    byCountry: byCountry.items,
  });
  return { value, rejected: byCountry.rejected };
}

/** Returns false for zero and null, which the service may write if there were no measurements. */
function isMeasured(entry: unknown): boolean {
  if (!isObject(entry)) return true;
  const { avgresponse } = entry;
  return avgresponse !== null && readNumber(avgresponse) !== 0;
}

const none: Listing<never> = { items: [], rejected: [] };

/** Returns all three states or none, because a missing state would look like zero seconds. */
function statesOf(wire: z.infer<typeof wireSummary>['status']): StateSeconds | undefined {
  const upSeconds = seconds(wire?.totalup);
  const downSeconds = seconds(wire?.totaldown);
  const unknownSeconds = seconds(wire?.totalunknown);
  if (upSeconds === undefined || downSeconds === undefined || unknownSeconds === undefined) {
    return undefined;
  }
  return { upSeconds, downSeconds, unknownSeconds };
}

const wireCountry = z.object({ countryiso: text, avgresponse: number });

const countries = {
  decode: (entry: unknown): CountryAverage | undefined => {
    const wire = wireCountry.safeParse(entry).data;
    const countryIso = visibleText(wire?.countryiso);
    const responseTimeSeconds = mean(wire?.avgresponse, millisecondsPerSecond);
    if (countryIso === undefined || responseTimeSeconds === undefined) return undefined;
    return { countryIso, responseTimeSeconds };
  },
  requiredFields: { countryiso: 'a country code', avgresponse: 'a number' },
  keyOf: ({ countryIso }: CountryAverage) => countryIso,
};

/** The average and the seconds in each state over a period (API 3.1, section 4.4). */
export async function getAverage(
  reader: Reader,
  query: AverageQuery,
  signal: AbortSignal,
): Promise<Decoded<Average>> {
  const operation = 'get_average';
  const path = `summary.average/${query.checkId}`;
  const parameters = {
    ...timeRangeParameters(query),
    includeuptime: true,
    ...(query.by === 'country' && { bycountry: true }),
  };
  const response = await reader.get({ operation, path, query: parameters, signal });
  return decodeAverage(response, query.by, operation);
}

/** API 3.1, section 2.9. */
const wireHour = z.object({ hour: number.pipe(z.int().min(0).max(23)), avgresponse: number });

const hourList = {
  field: 'hoursofday',
  decode: (entry: unknown): HourOfDayAverage | undefined => {
    const wire = wireHour.safeParse(entry).data;
    const responseTimeSeconds = mean(wire?.avgresponse, 1000);
    if (wire === undefined || responseTimeSeconds === undefined) return undefined;
    return { hour: wire.hour, responseTimeSeconds };
  },
  requiredFields: { hour: 'an hour from 0 to 23', avgresponse: 'a number' },
  keyOf: ({ hour }: HourOfDayAverage) => hour,
};

/** The average of each hour of the day in UTC, if it has data (API 3.1, section 4.4). */
export async function getHoursOfDay(
  reader: Reader,
  query: CheckTimeRange,
  signal: AbortSignal,
): Promise<Listing<HourOfDayAverage>> {
  const operation = 'get_hours_of_day';
  const path = `summary.hoursofday/${query.checkId}`;
  const response = await reader.get({ operation, path, query: timeRangeParameters(query), signal });
  const entries = arrayIn(response, hourList.field, operation).filter(isMeasured);
  return decodeList(entries, { operation, ...hourList });
}
