import { z } from 'zod';
import { budgetSnapshotSchema } from '../../budget/budget.ts';
import { accountDataSchema } from '../../domain/account.ts';
import { checkSettingsSchema, checkStatuses } from '../../domain/check.ts';
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
import { CorruptRowError, isMonthKind, type MonthKind, type RowKey } from './row.ts';
import { readEvents } from './tallies.ts';

/*
 * The documents of an account: all its data except the totals of its items, as JSON under a name.
 * The schema of a document, in the room that owns its data, is also its type. A document that does
 * not match its schema is dropped when it is read; the log has its name, and its data are fetched
 * again. To store another document, add it to `documents`, or to `documentFamilies` if each check or
 * transaction has one.
 */

/** The status and the measurements of a check; null for an absent one. */
const checkMeasurements = z.array(z.tuple([id, z.enum(checkStatuses)], amount.nullable()));

const budget = z.object({
  atSeconds: amount,
  snapshot: budgetSnapshotSchema,
  allowances: allowancesSchema.exactOptional(),
});

const documents = {
  alerts: readEvents,
  budget: readerOf(budget),
  'check readings': readerOf(checkMeasurements),
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
} satisfies Readers;

/** Document families: the name of a document is this prefix and a number. */
const documentFamilies = {
  'check settings': readerOf(z.array(checkSettingsSchema)),
  'details of check': readerOf(checkDetailsSchema) as Reader<StoredDetails<CheckItemDetails>>,
  'details of transaction': readerOf(transactionDetailsSchema) as Reader<
    StoredDetails<TransactionItemDetails>
  >,
} satisfies Readers;

type Readers = Readonly<Record<string, Reader<unknown>>>;
type Read<R extends Readers> = { readonly [N in keyof R]: ReturnType<R[N]> };

/** Keyed by name. */
export type SingleDocuments = Read<typeof documents>;
/** Keyed by the name without its number. */
export type FamilyDocuments = Read<typeof documentFamilies>;
export type FamilyName = keyof FamilyDocuments;
/** A document of an optional feature, or of a month. Whoever reads it checks its values. */
export type FeatureDocumentName = `feature ${string}` | `${MonthKind} ${number}`;
export type DocumentName = keyof SingleDocuments | `${FamilyName} ${number}` | FeatureDocumentName;
export type DocumentOf<N extends DocumentName> = N extends keyof SingleDocuments
  ? SingleDocuments[N]
  : N extends FeatureDocumentName
    ? unknown
    : { [F in FamilyName]: N extends `${F} ${number}` ? FamilyDocuments[F] : never }[FamilyName];

const single: ReadonlyMap<string, Reader<unknown>> = new Map(Object.entries(documents));
const families: ReadonlyMap<string, Reader<unknown>> = new Map(Object.entries(documentFamilies));

/** The row of a document. That of a family is numbered; any other one has the id 0. */
export function documentRow(name: string): RowKey {
  const [, kind, number] = /^(.+) (\d+)$/.exec(name) ?? [];
  const isNumbered = kind !== undefined && (families.has(kind) || Number(number) > 0);
  return isNumbered
    ? { table: 'row', kind, id: Number(number) }
    : { table: 'row', kind: name, id: 0 };
}

/** The name of the document in a row. */
export function documentName({ kind, id }: RowKey): string {
  return id > 0 || families.has(kind) ? `${kind} ${id}` : kind;
}

/** Throws a `CorruptRowError` if no document has this name, or if the value is not as expected. */
export function readDocument(name: string, value: unknown): unknown {
  if (name.startsWith('feature ') || isMonthKind(name)) return value;
  const read = single.get(name) ?? families.get(documentRow(name).kind);
  if (read === undefined) throw new CorruptRowError('no document has this name');
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
