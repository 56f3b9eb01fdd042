import {
  kindOfSteps,
  newTransactionSchema,
  type TransactionChanges,
  transactionChangesSchema,
  transactionKinds,
} from '../../account/transaction-settings.ts';
import {
  changedTransaction,
  newTransaction,
  type SandboxTransaction,
} from '../../account/transactions.ts';
import { HttpError } from '../../server/http-error.ts';
import { booleanParameter, listParameter } from '../../server/parameters.ts';
import { lastDowntime } from '../../simulation/transaction-states.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { oneOf, page, pageOf, requireMembers, selection, transactionById } from '../readers.ts';
import { json, operation, type Reader } from '../table.ts';
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
  const openEnds = {
    absent: () => undefined,
    'last-test': () => world.history.lastTest(transaction, now)?.time,
    earlier: () => downtime && lastDowntime(world.history, transaction, downtime.start - 1)?.end,
  };
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
    last_downtime_end: downtime && (downtime.end ?? openEnds[openDownEnd]()),
    tags: tagCounts ? tags.map((tag) => countedTag(tag, tagCounts)) : tags,
  };
}

/** A transaction with all its settings. */
function transactionDetail(
  transaction: SandboxTransaction,
  context: OperationContext,
  tagCounts: ReadonlyMap<string, number> | undefined,
): object {
  const { people, teams } = context.world.people;
  const { contact_ids, team_ids, ...settings } = transaction.settings;
  return {
    ...settings,
    ...transactionEntry(transaction, context, tagCounts),
    contact_ids: contact_ids.filter((id) => people.find(id) !== undefined),
    team_ids: team_ids.filter((id) => teams.find(id) !== undefined),
  };
}

function countedTag(name: string, counts: ReadonlyMap<string, number>): object {
  return { name, type: 'u', count: counts.get(name) };
}

/** The number of transactions that have each tag, if the request asks for it. */
const tagCountsIfAsked: Reader<ReadonlyMap<string, number> | undefined> = (
  inputs,
  name,
  { world },
) => (booleanParameter(inputs, name) ? world.transactionTags : undefined);

const defaultLimit = 1000;

/** API 3.1, section 4.6. */
export const transactionOperations: readonly Operation[] = [
  operation(
    'list_transactions',
    '3.1 GET /tms/check',
    'list the transaction checks',
    {
      extended_tags: tagCountsIfAsked,
      page: page(defaultLimit),
      tags: listParameter,
      type: oneOf(...transactionKinds),
    },
    ({ extended_tags, tags, type, ...given }, context) => {
      const { transactions, wire } = context.world;
      const isSelected = selection(tags);
      const listed = inListOrder(transactions.all, wire)
        .filter(({ kind }) => type === undefined || kind === type)
        .filter(({ settings }) => tags.length === 0 || settings.tags.some(isSelected));
      const checks = pageOf(listed, given.page).map((each) =>
        transactionEntry(each, context, extended_tags),
      );
      return { checks, ...given.page };
    },
  ),
  operation(
    'create_transaction',
    '3.1 POST /tms/check',
    'create a transaction check',
    { settings: json(newTransactionSchema) },
    ({ settings }, context) => {
      requireRecipients(settings, context);
      const { id } = context.world.transactions.add((newId) =>
        newTransaction(newId, settings, context.now, context.world.wire),
      );
      return { check: { id, name: settings.name } };
    },
  ),
  operation(
    'get_transaction',
    '3.1 GET /tms/check/:cid',
    'read one transaction check',
    { cid: transactionById, extended_tags: tagCountsIfAsked },
    ({ cid: transaction, extended_tags }, context) => ({
      check: transactionDetail(transaction, context, extended_tags),
    }),
  ),
  operation(
    'modify_transaction',
    '3.1 PUT /tms/check/:cid',
    'change settings of a transaction check',
    { cid: transactionById, changes: json(transactionChangesSchema) },
    ({ cid: transaction, changes }, context) => {
      requireRecipients(changes, context);
      requireSameKind(transaction, changes);
      const modified = changedTransaction(transaction, changes, context.now);
      context.world.transactions.put(modified);
      return { check: transactionDetail(modified, context, undefined) };
    },
  ),
  operation(
    'delete_transaction',
    '3.1 DELETE /tms/check/:cid',
    'delete a transaction check',
    { cid: transactionById },
    ({ cid: transaction }, { world }) => {
      world.transactions.remove(transaction.id);
      return { message: 'Deletion of check was successful!' };
    },
  ),
];

function requireRecipients(settings: TransactionChanges, context: OperationContext): void {
  requireMembers(settings.contact_ids ?? [], context);
  const { teams } = context.world.people;
  const noTeam = settings.team_ids?.find((id) => teams.find(id) === undefined);
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
