import type { TransactionDetail } from '../../domain/transaction.ts';
import type { Reader } from '../reader.ts';
import { isObject, legible } from '../wire/envelope.ts';
import { decodeTransactionDetail } from '../wire/transaction.ts';

const operation = 'get_transaction';

/** One transaction with its steps, bare or within `{check}` (API 3.1, section 4.6). */
export async function getTransaction(
  reader: Reader,
  { transactionId }: { readonly transactionId: number },
  signal: AbortSignal,
): Promise<TransactionDetail> {
  const query = { extended_tags: true };
  const reply = await reader.get({ operation, path: `tms/check/${transactionId}`, query, signal });
  const bare = isObject(reply) && isObject(reply.check) ? reply.check : reply;
  return legible(decodeTransactionDetail(bare), 'the transaction', operation);
}
