import type { OperationContext } from '../operation.ts';
import type { Transaction } from './transaction.ts';

/**
 * A transaction as the list shows it (API 3.1, section 4.6). What does not apply to it is absent, and tags
 * have their kind and count only where `tagCounts` is given.
 */
export function listEntry(
  transaction: Transaction,
  { world, now }: OperationContext,
  tagCounts: ReadonlyMap<string, number> | undefined,
): object {
  const { id, kind, createdAt, modifiedAt, settings } = transaction;
  const { name, active, interval, region, tags } = settings;
  const { status, downtime } = world.transactionObserver.observe(transaction, now);
  // JSON leaves out what is undefined.
  return {
    id,
    name,
    type: [kind],
    active,
    interval,
    region,
    status,
    created_at: createdAt,
    modified_at: modifiedAt,
    last_downtime_start: downtime?.start,
    last_downtime_end: downtime?.end,
    tags: tagCounts ? tags.map((tag) => extended(tag, tagCounts)) : tags,
  };
}

/** A transaction with all its settings. */
export function detail(
  transaction: Transaction,
  context: OperationContext,
  tagCounts: ReadonlyMap<string, number> | undefined,
): object {
  const { people } = context.world;
  const { contact_ids, team_ids, ...settings } = transaction.settings;
  return {
    ...settings,
    ...listEntry(transaction, context, tagCounts),
    contact_ids: contact_ids.filter((id) => people.person(id) !== undefined),
    team_ids: team_ids.filter((id) => people.team(id) !== undefined),
  };
}

function extended(name: string, counts: ReadonlyMap<string, number>): object {
  return { name, type: 'u', count: counts.get(name) };
}
