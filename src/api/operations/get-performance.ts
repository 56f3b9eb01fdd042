import type { PerformanceInterval } from '../../domain/performance.ts';
import type { PerformanceQuery } from '../queries.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { arrayIn, objectIn } from '../wire/envelope.ts';
import { decodeList } from '../wire/keyed-list.ts';
import { byStart, intervalList } from '../wire/performance.ts';
import { periodQuery } from '../wire/period-query.ts';

const operation = 'get_performance';

/** What was measured in each hour, day or week of a period, in order (API 3.1, section 4.4). */
export async function getPerformance(
  reader: Reader,
  query: PerformanceQuery,
  signal: AbortSignal,
): Promise<Listing<PerformanceInterval>> {
  const { checkId, resolution } = query;
  const path = `summary.performance/${checkId}`;
  const parameters = { ...periodQuery(query), resolution, includeuptime: true, order: 'asc' };
  const reply = await reader.get({ operation, path, query: parameters, signal });
  const form = intervalList(query, resolution);
  const entries = arrayIn(objectIn(reply, 'summary', operation), form.field, operation);
  const { items, rejected } = decodeList(entries, { operation, ...form });
  return { items: items.toSorted(byStart), rejected };
}
