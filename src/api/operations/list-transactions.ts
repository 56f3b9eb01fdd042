import type { Transaction } from '../../domain/transaction.ts';
import { readList } from '../read-list.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { transactionList } from '../wire/transaction.ts';

const operation = 'list_transactions';

/** The default; a maximum is not documented (API 3.1, section 4.6). */
const limit = 1000;

/** All transactions of the account, complete or not at all. */
export async function listTransactions(
  reader: Reader,
  signal: AbortSignal,
): Promise<Listing<Transaction>> {
  const query = { extended_tags: true };
  const path = 'tms/check';
  return readList({ reader, operation, path, query, signal, limit, form: transactionList });
}
