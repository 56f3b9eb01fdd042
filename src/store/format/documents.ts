import { z } from 'zod';
import { budgetSnapshotSchema } from '../../budget/budget.ts';
import { accountDataSchema } from '../../domain/account.ts';
import { checkSettingsSchema, listedStatuses } from '../../domain/check.ts';
import { allowancesSchema, datasetSuccessSchema } from '../../domain/dataset.ts';
import { maintenanceSchema } from '../../domain/maintenance.ts';
import { transactionSchema } from '../../domain/transaction.ts';
import { amount, id, optional, type TypeOf } from '../../lib/schema.ts';
import {
  type CheckItemDetails,
  checkDetailsSchema,
  type StoredDetails,
  type TransactionItemDetails,
  transactionDetailsSchema,
} from './item-details.ts';
import { outagesSchema } from './outages.ts';
import type { Reader } from './readers.ts';
import { CorruptRowError, isMonthKind, type MonthKind } from './row.ts';
import { readEvents } from './tallies.ts';

/*
 * The documents of an account: all its data except the totals of its items, as JSON, by kind and id.
 * The schema of a document, in the room that owns its data, is also its type. A document that does
 * not match its schema is dropped when it is read; the log has its name, and its data are fetched
 * again. To store another one, add its kind to `documents`.
 */

/** The status and the measurements of a check; null for an absent one. */
const checkMeasurements = z.array(z.tuple([id, z.enum(listedStatuses)], amount.nullable()));

const budget = z.object({
  atSeconds: amount,
  snapshot: budgetSnapshotSchema,
  allowances: allowancesSchema.exactOptional(),
  /** A mark of the credentials. */
  credentials: z.string().exactOptional(),
});

const documents = {
  alerts: readEvents,
  budget: readerOf(budget),
  // The id of both is the part of the checks.
  'check settings': readerOf(z.array(checkSettingsSchema)),
  'check measurements': readerOf(checkMeasurements),
  datasets: readerOf(z.array(datasetSuccessSchema)),
  account: readerOf(
    z.object({
      /** The time of the last change of the configuration with which the account was run last. */
      configuredAtSeconds: optional.amount,
      /** When the account was removed from the configuration; absent while it is in it. */
      goneAtSeconds: optional.amount,
    }),
  ),
  accountData: readerOf(accountDataSchema),
  maintenance: readerOf(maintenanceSchema),
  'outages of checks': readerOf(outagesSchema),
  'outages of transactions': readerOf(outagesSchema),
  transactions: readerOf(z.array(transactionSchema)),
  // The id is that of the item.
  'details of check': readerOf(checkDetailsSchema) as Reader<StoredDetails<CheckItemDetails>>,
  'details of transaction': readerOf(transactionDetailsSchema) as Reader<
    StoredDetails<TransactionItemDetails>
  >,
} satisfies Readonly<Record<string, Reader<unknown>>>;
type Documents = typeof documents;

/** A kind of documents of an optional feature. Whoever reads one checks its values. */
type FeatureKind = `feature ${string}` | MonthKind;
export type DocumentKind = keyof Documents | FeatureKind;
export type DocumentOf<K extends DocumentKind> = K extends keyof Documents
  ? ReturnType<Documents[K]>
  : unknown;

const readers: ReadonlyMap<string, Reader<unknown>> = new Map(Object.entries(documents));

/** Throws a `CorruptRowError` if there is no such kind, or if the value is not as expected. */
export function readDocument(kind: string, value: unknown): unknown {
  if (kind.startsWith('feature ') || isMonthKind(kind)) return value;
  const read = readers.get(kind);
  if (read === undefined) throw new CorruptRowError('no document is of this kind');
  return read(value);
}

function readerOf<S extends z.ZodType>(schema: S): Reader<TypeOf<S>> {
  return (value) => {
    const checked = schema.safeParse(value);
    if (checked.success) return checked.data as TypeOf<S>;
    const [issue] = checked.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.join('.');
    throw new CorruptRowError(`${where} is not as expected: ${issue?.message}`);
  };
}
