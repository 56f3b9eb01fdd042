import type { OperationContext } from '../operation.ts';
import { type Inputs, integerParameter, required } from '../query-parameters.ts';
import { Refusal } from '../refusal.ts';
import type { Transaction } from './transaction.ts';

/** The transaction a request names. Throws a 404 for an identifier that none has. */
export function identifiedTransaction(
  inputs: Inputs,
  { world }: OperationContext,
  name: 'cid' | 'check_id',
): Transaction {
  const id = required(name, integerParameter(inputs, name, { min: 0 }));
  const transaction = world.transactions.find(id);
  if (transaction === undefined) {
    throw new Refusal(404, `No transaction check has the identifier ${id}`);
  }
  return transaction;
}
