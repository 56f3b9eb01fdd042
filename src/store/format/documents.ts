import { z } from 'zod';
import { accountDataSchema } from '../../domain/account.ts';
import { checkStatuses, checkTypes } from '../../domain/check.ts';
import { datasetNames } from '../../domain/dataset.ts';
import { recurrences } from '../../domain/maintenance.ts';
import {
  transactionKinds,
  transactionRegions,
  transactionSeverities,
  transactionStatuses,
  transactionStepFunctions,
} from '../../domain/transaction.ts';
import { whole } from '../../lib/whole.ts';
import { outagesSchema } from './outages.ts';
import { CorruptRowError, isMonthKind, type MonthKind, type RowKey } from './row.ts';

/*
 * The documents of an account: all its data except the totals of its items, as JSON under a name.
 * The schema of a document is also its type. A document that does not match its schema is dropped
 * when it is read; the log has its name, and its data are fetched again. To store another document,
 * add its schema to `documents`, or to `documentFamilies` if each check or transaction has one.
 */

const id = z.number().int();
const amount = z.number().nonnegative();
/** An amount whose fraction, if it has one, is removed when it is read. */
const wholeAmount = amount.transform(whole);
const time = amount.exactOptional();
const text = z.string().exactOptional();
const flag = z.boolean().exactOptional();
const many = <T extends z.ZodType>(of: T) => z.array(of).exactOptional();

const tags = z.array(z.object({ name: z.string(), source: z.enum(['user', 'auto']) }));
const checkType = z.enum([...checkTypes, 'unknown']);
const transaction = z.object({
  id,
  name: z.string(),
  status: z.enum(transactionStatuses),
  kind: z.enum(transactionKinds),
  active: flag,
  region: z.enum(transactionRegions).exactOptional(),
  severity: z.enum(transactionSeverities).exactOptional(),
  tags,
  intervalSeconds: time,
  createdAtSeconds: time,
  modifiedAtSeconds: time,
  lastDowntimeStartAtSeconds: time,
  lastDowntimeEndAtSeconds: time,
});

const occurrence = {
  id: id.exactOptional(),
  maintenanceId: id,
  fromSeconds: amount,
  toSeconds: amount,
};
const occurrenceMembers = { ...occurrence, checkIds: z.array(id), transactionIds: z.array(id) };
const maintenance = z.object({
  windows: z.array(
    z.object({
      id,
      description: text,
      recurrence: z.enum(recurrences),
      repeatEvery: z.number().exactOptional(),
      startAtSeconds: time,
      endAtSeconds: time,
      recurrenceEndAtSeconds: time,
      checkIds: z.array(id),
      transactionIds: z.array(id),
    }),
  ),
  occurrences: z.array(z.object(occurrence)),
  ended: many(z.object(occurrenceMembers)),
  unplanned: many(z.object(occurrenceMembers)),
  counted: z
    .record(z.string(), z.array(z.object({ fromSeconds: amount, toSeconds: amount })))
    .exactOptional(),
});
const alerts = z.object({
  watermark: z.object({
    startSeconds: wholeAmount,
    atSeconds: wholeAmount,
    recent: z.array(z.object({ atSeconds: amount, key: z.string() })),
  }),
  counts: z.record(z.string(), amount),
});

const budgetWindow = z.object({
  limit: amount,
  remaining: z.number(),
  unreported: amount,
  resetSeconds: z.number(),
  lengthSeconds: amount,
  others: z.object({ requests: z.number(), seconds: amount }),
  formerLimit: time,
});
const budget = z.object({
  atSeconds: amount,
  snapshot: z.object({
    windows: z.object({ short: budgetWindow.exactOptional(), long: budgetWindow.exactOptional() }),
    holdSeconds: z.number(),
    refusals: amount,
    owedSeconds: z.number().exactOptional(),
    idleSeconds: time,
  }),
  allowances: z
    .object({
      status: z.number(),
      event: z.number(),
      background: z.number(),
      firstSight: z.number().exactOptional(),
    })
    .exactOptional(),
});

const checkMeasurements = z.array(
  z.tuple(
    [id, z.enum(checkStatuses)],
    // Times and durations; null if absent.
    amount.nullable(),
  ),
);
const checkSettings = z.array(
  z.object({
    id,
    name: z.string(),
    type: checkType,
    hostname: text,
    severity: text,
    ipv6: flag,
    tags,
    resolutionSeconds: time,
    createdAtSeconds: time,
  }),
);

const dated = <T extends z.ZodType>(value: T) => z.object({ value, at: amount }).exactOptional();
const interval = {
  startAtSeconds: amount,
  complete: z.boolean(),
  averageResponseTimeSeconds: time,
  upSeconds: time,
  downSeconds: time,
  unmonitoredSeconds: time,
};
const notes = dated(
  z.array(z.object({ atSeconds: amount, cause: text, analysisId: id.exactOptional() })),
);
const hourlyAverages = dated(z.object({ startAtSeconds: amount, milliseconds: z.base64() }));
const average = dated(
  z.object({
    window: z.enum(['24h', '7d', '30d']),
    uptimeRatio: time,
    responseTimeSeconds: time,
    byCountry: z.array(z.object({ countryIso: z.string(), responseTimeSeconds: amount })),
  }),
);
const checkDetails = z.object({
  average24h: average,
  average7d: average,
  average30d: average,
  performance: dated(z.object(interval).optional()),
  hoursOfDay: dated(z.array(z.object({ hour: amount, responseTimeSeconds: amount }))),
  settings: dated(
    z.object({
      responseTimeThresholdSeconds: time,
      certificateWarningSeconds: time,
      recipients: z.object({ user: time, team: time, integration: time, contact: time }),
    }),
  ),
  activeProbes: dated(amount),
  hourlyAverages,
  quantiles: dated(
    z.object({ fromSeconds: amount, toSeconds: amount, p50Seconds: amount, p95Seconds: amount }),
  ),
  notes,
});
const transactionDetails = z.object({
  failingStep: dated(z.number().optional()),
  reportedUntilSeconds: dated(amount),
  hourlyAverages,
  notes,
  performance: dated(
    z
      .object({
        ...interval,
        steps: z.array(
          z.object({ fn: z.enum(transactionStepFunctions), averageResponseTimeSeconds: time }),
        ),
        withheld: z.literal(true).exactOptional(),
      })
      .optional(),
  ),
});

const documents = {
  alerts,
  budget,
  'check readings': checkMeasurements,
  datasets: z.array(
    z.object({
      name: z.enum(datasetNames),
      atSeconds: amount,
      serviceAtSeconds: time,
      items: amount,
      intervalSeconds: time,
    }),
  ),
  account: z.object({
    /** The time of the last change of the configuration with which the account was run last. */
    configuredAtSeconds: time,
    /** When the account was removed from the configuration; absent while it is in it. */
    goneAtSeconds: time,
  }),
  accountData: accountDataSchema,
  maintenance,
  'outages of checks': outagesSchema,
  'outages of transactions': outagesSchema,
  store: z.object({ id: z.string() }),
  transactions: z.array(transaction),
} satisfies Record<string, z.ZodType>;

/** Document families: the name of a document is this prefix and a number. */
const documentFamilies = {
  'check settings': checkSettings,
  'details of check': checkDetails,
  'details of transaction': transactionDetails,
} satisfies Record<string, z.ZodType>;

/** Documents are never changed in place. */
type Immutable<T> = T extends number
  ? T
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T;
type TypeOf<S extends Record<string, z.ZodType>> = {
  readonly [N in keyof S]: Immutable<z.infer<S[N]>>;
};

/** Keyed by name. */
export type SingleDocuments = TypeOf<typeof documents>;
/** Keyed by the name without its number. */
export type FamilyDocuments = TypeOf<typeof documentFamilies>;
export type FamilyName = keyof FamilyDocuments;
/** A document of an optional feature, or of a month. Whoever reads it checks its values. */
export type FeatureDocumentName = `feature ${string}` | `${MonthKind} ${number}`;
export type DocumentName = keyof SingleDocuments | `${FamilyName} ${number}` | FeatureDocumentName;
export type DocumentOf<N extends DocumentName> = N extends keyof SingleDocuments
  ? SingleDocuments[N]
  : N extends FeatureDocumentName
    ? unknown
    : { [F in FamilyName]: N extends `${F} ${number}` ? FamilyDocuments[F] : never }[FamilyName];

const featureDocument = z.unknown();
const schemas: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(documents));
const families: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(documentFamilies));

/** Returns undefined for an unknown name. */
export function documentSchema(name: string): z.ZodType | undefined {
  if (name.startsWith('feature ') || isMonthKind(name)) return featureDocument;
  return schemas.get(name) ?? families.get(documentRow(name).kind);
}

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

/** Throws a `CorruptRowError` if the value violates the schema. */
export function readDocument(name: string, value: unknown): unknown {
  const schema = documentSchema(name);
  if (schema === undefined) throw new CorruptRowError('no document has this name');
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.join('.');
  throw new CorruptRowError(`${where} is not as expected: ${issue?.message}`);
}
