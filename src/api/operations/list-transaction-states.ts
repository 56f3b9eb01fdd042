import type { Period } from '../../domain/period.ts';
import type { TransactionStates } from '../../domain/transaction-report.ts';
import { readList } from '../read-list.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { dateTimeQuery } from '../wire/period-query.ts';
import { reportList, statesOf } from '../wire/transaction-states.ts';

const operation = 'list_transaction_states';

/** The default; a maximum is not documented (API 3.1, section 4.6). */
const limit = 100;

/** The states of all transactions over a period, complete or not at all. */
export async function listTransactionStates(
  reader: Reader,
  period: Period,
  signal: AbortSignal,
): Promise<Listing<TransactionStates>> {
  const query = { ...dateTimeQuery(period), order: 'asc' };
  const path = 'tms/check/report/status';
  const form = reportList;
  return statesOf(await readList({ reader, operation, path, query, signal, limit, form }));
}
