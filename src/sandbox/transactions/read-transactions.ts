import type { Operation, OperationContext } from '../operation.ts';
import {
  booleanParameter,
  type Inputs,
  integerParameter,
  listParameter,
  wordParameter,
} from '../query-parameters.ts';
import { identifiedTransaction } from './identified-transaction.ts';
import { transactionKinds } from './step-functions.ts';
import { detail, listEntry } from './transaction-view.ts';

const defaultLimit = 1000;

/** `GET /tms/check` (API 3.1, section 4.6). */
export const listTransactions: Operation = {
  name: 'transactions',
  summary: 'list the transaction checks',
  method: 'get',
  path: '/tms/check',
  versions: ['3.1'],
  parameters: ['extended_tags', 'limit', 'offset', 'tags', 'type'],
  body: 'none',
  run(inputs, context) {
    const tagCounts = tagCountsIfAsked(inputs, context);
    const limit = integerParameter(inputs, 'limit', { min: 1 }) ?? defaultLimit;
    const offset = integerParameter(inputs, 'offset', { min: 0 }) ?? 0;
    const tags = listParameter(inputs, 'tags');
    const kind = wordParameter(inputs, 'type', transactionKinds);
    const checks = context.world.transactions.all
      .filter((each) => kind === undefined || each.kind === kind)
      .filter(({ settings }) => tags.length === 0 || settings.tags.some((t) => tags.includes(t)))
      .slice(offset, offset + limit)
      .map((each) => listEntry(each, context, tagCounts));
    return { checks, limit, offset };
  },
};

/** `GET /tms/check/{cid}` (API 3.1, section 4.6). */
export const readTransaction: Operation = {
  name: 'transaction',
  summary: 'read one transaction check',
  method: 'get',
  path: '/tms/check/:cid',
  versions: ['3.1'],
  parameters: ['extended_tags'],
  body: 'none',
  run(inputs, context) {
    const transaction = identifiedTransaction(inputs, context, 'cid');
    return { check: detail(transaction, context, tagCountsIfAsked(inputs, context)) };
  },
};

function tagCountsIfAsked(inputs: Inputs, { world }: OperationContext) {
  return booleanParameter(inputs, 'extended_tags') ? world.transactions.tagCounts() : undefined;
}
