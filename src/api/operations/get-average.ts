import type { Average } from '../../domain/average.ts';
import type { AverageQuery } from '../queries.ts';
import type { Reader } from '../reader.ts';
import type { Legible } from '../service.ts';
import { decodeAverage } from '../wire/average.ts';
import { periodQuery } from '../wire/period-query.ts';

const operation = 'get_average';

/** The average and the seconds in each state over a period (API 3.1, section 4.4). */
export async function getAverage(
  reader: Reader,
  query: AverageQuery,
  signal: AbortSignal,
): Promise<Legible<Average>> {
  const path = `summary.average/${query.checkId}`;
  const parameters = {
    ...periodQuery(query),
    includeuptime: true,
    ...(query.by !== undefined && { [`by${query.by}`]: true }),
  };
  const reply = await reader.get({ operation, path, query: parameters, signal });
  return decodeAverage(reply, query.by, operation);
}
