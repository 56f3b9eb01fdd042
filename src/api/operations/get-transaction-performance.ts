import type { TransactionPerformanceInterval } from '../../domain/transaction-report.ts';
import type { TransactionPerformanceQuery } from '../queries.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { arrayIn, objectIn } from '../wire/envelope.ts';
import { decodeList } from '../wire/keyed-list.ts';
import { byStart } from '../wire/performance.ts';
import { dateTimeQuery } from '../wire/period-query.ts';
import { transactionIntervalList } from '../wire/transaction-performance.ts';

const operation = 'get_transaction_performance';

/**
 * What was measured in each interval of a period, in order (API 3.1, section 4.6). At hour resolution
 * the period may span 8 days at most.
 */
export async function getTransactionPerformance(
  reader: Reader,
  query: TransactionPerformanceQuery & { readonly unitsPerSecond: number },
  signal: AbortSignal,
): Promise<Listing<TransactionPerformanceInterval>> {
  const { transactionId, resolution, unitsPerSecond } = query;
  const path = `tms/check/${transactionId}/report/performance`;
  const parameters = { ...dateTimeQuery(query), resolution, include_uptime: true, order: 'asc' };
  const reply = await reader.get({ operation, path, query: parameters, signal });
  const form = transactionIntervalList({ period: query, resolution, unitsPerSecond });
  const entries = arrayIn(objectIn(reply, 'report', operation), form.field, operation);
  const { items, rejected } = decodeList(entries, { operation, ...form });
  return { items: items.toSorted(byStart), rejected };
}
