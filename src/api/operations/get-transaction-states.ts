import type { TransactionStateSpan } from '../../domain/transaction-report.ts';
import type { TransactionPeriod } from '../queries.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { objectIn } from '../wire/envelope.ts';
import { dateTimeQuery } from '../wire/period-query.ts';
import { decodeTransactionSpans } from '../wire/transaction-states.ts';

const operation = 'get_transaction_states';

/** The states of one transaction over a period, in order (API 3.1, section 4.6). */
export async function getTransactionStates(
  reader: Reader,
  query: TransactionPeriod,
  signal: AbortSignal,
): Promise<Listing<TransactionStateSpan>> {
  const path = `tms/check/${query.transactionId}/report/status`;
  const parameters = { ...dateTimeQuery(query), order: 'asc' };
  const reply = await reader.get({ operation, path, query: parameters, signal });
  return decodeTransactionSpans(objectIn(reply, 'report', operation), operation);
}
