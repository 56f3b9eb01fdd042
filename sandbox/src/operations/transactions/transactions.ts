import {
  kindOfSteps,
  newTransactionSchema,
  type TransactionChanges,
  transactionChangesSchema,
  transactionKinds,
  transactionSettingNames,
} from '../../account/transaction-settings.ts';
import type { SandboxTransaction } from '../../account/transactions.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  booleanParameter,
  enumParameter,
  type Inputs,
  integerParameter,
  listParameter,
  matchingInputs,
} from '../../server/parameters.ts';
import { identifiedTransaction, requireMembers } from '../identified.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { inListOrder } from '../wire-values.ts';

/**
 * A transaction in the form of the list (API 3.1, section 4.6). Fields that do not apply are
 * absent, and tags have their kind and count only if `tagCounts` is given.
 */
function transactionEntry(
  transaction: SandboxTransaction,
  { world, now }: OperationContext,
  tagCounts: ReadonlyMap<string, number> | undefined,
): object {
  const { id, kind, createdAt, modifiedAt, settings } = transaction;
  const { name, active, interval, region, tags } = settings;
  const { status, downtime } = world.transactionObserver.observe(transaction, now);
  const { openDownEnd, transactionType } = world.wire;
  const lastRun =
    openDownEnd === 'absent' ? undefined : world.history.lastTest(transaction, now)?.time;
  // JSON omits undefined fields.
  return {
    id,
    name,
    type: transactionType === 'array' ? [kind] : kind,
    active,
    interval,
    region,
    status,
    created_at: createdAt,
    modified_at: modifiedAt,
    last_downtime_start: downtime?.start,
    // The end of an ongoing downtime is the last run.
    last_downtime_end: downtime && (downtime.end ?? lastRun),
    tags: tagCounts ? tags.map((tag) => countedTag(tag, tagCounts)) : tags,
  };
}

/** A transaction with all its settings. */
function transactionDetail(
  transaction: SandboxTransaction,
  context: OperationContext,
  tagCounts: ReadonlyMap<string, number> | undefined,
): object {
  const { people } = context.world;
  const { contact_ids, team_ids, ...settings } = transaction.settings;
  return {
    ...settings,
    ...transactionEntry(transaction, context, tagCounts),
    contact_ids: contact_ids.filter((id) => people.person(id) !== undefined),
    team_ids: team_ids.filter((id) => people.team(id) !== undefined),
  };
}

function countedTag(name: string, counts: ReadonlyMap<string, number>): object {
  return { name, type: 'u', count: counts.get(name) };
}

const defaultLimit = 1000;

/** `GET /tms/check` (API 3.1, section 4.6). */
export const listTransactions: Operation = {
  name: 'list_transactions',
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
    const kind = enumParameter(inputs, 'type', transactionKinds);
    const { transactions, wire } = context.world;
    const checks = inListOrder(transactions.all, wire)
      .filter((each) => kind === undefined || each.kind === kind)
      .filter(({ settings }) => tags.length === 0 || settings.tags.some((t) => tags.includes(t)))
      .slice(offset, offset + limit)
      .map((each) => transactionEntry(each, context, tagCounts));
    return { checks, limit, offset };
  },
};

/** `GET /tms/check/{cid}` (API 3.1, section 4.6). */
export const readTransaction: Operation = {
  name: 'get_transaction',
  summary: 'read one transaction check',
  method: 'get',
  path: '/tms/check/:cid',
  versions: ['3.1'],
  parameters: ['extended_tags'],
  body: 'none',
  run(inputs, context) {
    const transaction = identifiedTransaction(inputs, context, 'cid');
    return { check: transactionDetail(transaction, context, tagCountsIfAsked(inputs, context)) };
  },
};

function tagCountsIfAsked(inputs: Inputs, { world }: OperationContext) {
  return booleanParameter(inputs, 'extended_tags') ? world.transactions.tagCounts() : undefined;
}

/** `POST /tms/check` (API 3.1, section 4.6). */
export const createTransaction: Operation = {
  name: 'create_transaction',
  summary: 'create a transaction check',
  method: 'post',
  path: '/tms/check',
  versions: ['3.1'],
  parameters: transactionSettingNames,
  body: 'json',
  run(inputs, context) {
    const settings = matchingInputs(newTransactionSchema, inputs);
    requireRecipients(settings, context);
    const { id } = context.world.transactions.create(settings, context.now);
    return { check: { id, name: settings.name } };
  },
};

/** `PUT /tms/check/{cid}` (API 3.1, section 4.6). */
export const modifyTransaction: Operation = {
  name: 'modify_transaction',
  summary: 'change settings of a transaction check',
  method: 'put',
  path: '/tms/check/:cid',
  versions: ['3.1'],
  parameters: transactionSettingNames,
  body: 'json',
  run(inputs, context) {
    const transaction = identifiedTransaction(inputs, context, 'cid');
    const changes = matchingInputs(transactionChangesSchema, inputs);
    requireRecipients(changes, context);
    requireSameKind(transaction, changes);
    const modified = context.world.transactions.modify(transaction, changes, context.now);
    return { check: transactionDetail(modified, context, undefined) };
  },
};

/** `DELETE /tms/check/{cid}`. */
export const deleteTransaction: Operation = {
  name: 'delete_transaction',
  summary: 'delete a transaction check',
  method: 'delete',
  path: '/tms/check/:cid',
  versions: ['3.1'],
  parameters: [],
  body: 'none',
  run(inputs, context) {
    context.world.transactions.delete(identifiedTransaction(inputs, context, 'cid').id);
    return { message: 'Deletion of check was successful!' };
  },
};

function requireRecipients(settings: TransactionChanges, context: OperationContext): void {
  requireMembers(settings.contact_ids ?? [], context);
  const { people } = context.world;
  const noTeam = settings.team_ids?.find((id) => people.team(id) === undefined);
  if (noTeam !== undefined) throw new HttpError(400, `No team has the identifier ${noTeam}`);
}

function requireSameKind(
  { kind }: SandboxTransaction,
  { steps, metadata }: TransactionChanges,
): void {
  if (steps !== undefined && kindOfSteps(steps) !== kind) {
    throw new HttpError(400, `The steps of a ${kind} cannot become those of the other kind`);
  }
  if (metadata !== undefined && kind === 'script') {
    throw new HttpError(400, 'Parameter metadata is not valid: only a recording has metadata');
  }
}
