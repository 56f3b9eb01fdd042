import { z } from 'zod';
import {
  type Transaction,
  type TransactionDetail,
  transactionKinds,
  transactionRegions,
  transactionSeverities,
  transactionStatuses,
} from '../../domain/transaction.ts';
import { present } from '../../lib/present.ts';
import { decodeCheckTags } from './check-tags.ts';
import {
  flag,
  identifier,
  minutes,
  number,
  text,
  timestamp,
  truth,
  wellFormed,
  wordOf,
} from './fields.ts';
import { byId } from './keyed-list.ts';
import { countRecipients } from './recipients.ts';
import { stepFunctionOf } from './transaction-step.ts';

/** API 3.1, sections 2.11 and 4.6. */
const wireTransaction = z.object({
  id: identifier,
  name: text,
  status: text,
  type: z.unknown().optional(),
  active: flag,
  region: text,
  severity_level: text,
  severity: text,
  tags: z.unknown().optional(),
  interval: number,
  created_at: number,
  modified_at: number,
  last_downtime_start: number,
  last_downtime_end: number,
});

function decode(entry: unknown): Transaction | undefined {
  const wire = wireTransaction.safeParse(entry).data;
  if (wire === undefined) return undefined;
  const region = wellFormed(wire.region);
  const severity = wellFormed(wire.severity_level) ?? wellFormed(wire.severity);
  return present({
    id: wire.id,
    name: wellFormed(wire.name) ?? `transaction ${wire.id}`,
    status: wordOf(transactionStatuses, wire.status),
    kind: wordOf(transactionKinds, Array.isArray(wire.type) ? wire.type[0] : wire.type),
    active: truth(wire.active),
    region: region === undefined ? undefined : wordOf(transactionRegions, region),
    severity: severity === undefined ? undefined : wordOf(transactionSeverities, severity),
    tags: decodeCheckTags(wire.tags),
    intervalSeconds: minutes(wire.interval),
    createdAtSeconds: timestamp(wire.created_at),
    modifiedAtSeconds: timestamp(wire.modified_at),
    lastDowntimeStartAtSeconds: timestamp(wire.last_downtime_start),
    lastDowntimeEndAtSeconds: timestamp(wire.last_downtime_end),
  });
}

export const transactionList = { field: 'checks', decode, ...byId };

const wireDetail = z.object({
  steps: z.array(z.unknown()).catch([]),
  contact_ids: z.unknown().optional(),
  team_ids: z.unknown().optional(),
  integration_ids: z.unknown().optional(),
});

/** A transaction with its steps, or undefined when the entry has no valid id. */
export function decodeTransactionDetail(entry: unknown): TransactionDetail | undefined {
  const transaction = decode(entry);
  const wire = wireDetail.safeParse(entry).data;
  if (transaction === undefined || wire === undefined) return undefined;
  return {
    ...transaction,
    steps: wire.steps.map(stepFunctionOf),
    recipients: countRecipients({
      contact: wire.contact_ids,
      team: wire.team_ids,
      integration: wire.integration_ids,
    }),
  };
}
