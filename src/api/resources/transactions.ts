import { z } from 'zod';
import {
  type Transaction,
  transactionKinds,
  transactionRegions,
  transactionSeverities,
  transactionStatuses,
} from '../../domain/transaction.ts';
import {
  booleanOf,
  enumValueOf,
  flag,
  identifier,
  minutes,
  number,
  text,
  timestamp,
  visibleText,
} from '../decoding/fields.ts';
import { byId, decodedBy, readList, unknownStatus } from '../list.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { decodeCheckTags, hasMoreTags } from './checks.ts';

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

const decodeTransaction = decodedBy(wireTransaction, (wire) => {
  const region = visibleText(wire.region);
  const status = enumValueOf(transactionStatuses, wire.status);
  const severity = visibleText(wire.severity_level) ?? visibleText(wire.severity);
  return {
    id: wire.id,
    name: visibleText(wire.name) ?? `transaction ${wire.id}`,
    status,
    kind: enumValueOf(transactionKinds, Array.isArray(wire.type) ? wire.type[0] : wire.type),
    active: booleanOf(wire.active),
    region: region === undefined ? undefined : enumValueOf(transactionRegions, region),
    severity: severity === undefined ? undefined : enumValueOf(transactionSeverities, severity),
    tags: decodeCheckTags(wire.tags),
    intervalSeconds: minutes(wire.interval),
    createdAtSeconds: timestamp(wire.created_at),
    modifiedAtSeconds: timestamp(wire.modified_at),
    lastDowntimeStartAtSeconds: timestamp(wire.last_downtime_start),
    // While a transaction fails, the service may report its last run as the end of the downtime.
    // The end is then absent.
    lastDowntimeEndAtSeconds: status === 'failing' ? undefined : timestamp(wire.last_downtime_end),
  };
});

const transactionList = { field: 'checks', unknownWord: unknownStatus, ...byId };

/** The default; a maximum is not documented (API 3.1, section 4.6). */
const limit = 1000;

/** The complete list of the account's transactions. */
export async function listTransactions(
  reader: Reader,
  signal: AbortSignal,
): Promise<Listing<Transaction>> {
  const query = { extended_tags: true };
  const request = { operation: 'list_transactions', path: 'tms/check', query, signal };
  const withMoreTags = new Set<number>();
  const decode = (entry: unknown) => {
    const transaction = decodeTransaction(entry);
    if (transaction !== undefined && hasMoreTags(entry)) withMoreTags.add(transaction.id);
    return transaction;
  };
  const form = { ...transactionList, decode };
  const listing = await readList({ ...request, reader, limit, form });
  return withMoreTags.size === 0 ? listing : { ...listing, withMoreTags };
}
