import { z } from 'zod';
import { hourOfDaySchema, performanceSchema, rangeAverageSchema } from '../../domain/averages.ts';
import { alertSettingsSchema } from '../../domain/check.ts';
import { transactionPerformanceSchema } from '../../domain/transaction.ts';
import { amount, type TypeOf } from '../../lib/schema.ts';
import { hourlyAveragesSchema } from '../../slo/hourly-averages.ts';
import { noteSchema, quantilesSchema } from '../../slo/last-outages.ts';
import { responseMonthsSchema } from '../../slo/response-months.ts';

const check = {
  average24h: rangeAverageSchema,
  average7d: rangeAverageSchema,
  average30d: rangeAverageSchema,
  /** Undefined when the last complete hour has no results. */
  performance: performanceSchema.optional(),
  hoursOfDay: z.array(hourOfDaySchema),
  settings: alertSettingsSchema,
  activeProbes: amount,
  /** Up to 30 days, for the views. */
  hourlyAverages: hourlyAveragesSchema,
  /** For the report of the month. */
  responseMonths: responseMonthsSchema,
  /** The response times of the last results. */
  quantiles: quantilesSchema,
  /** The causes of failures that probes and analyses report. */
  notes: z.array(noteSchema),
};
const transaction = {
  /** Undefined while it succeeds, and when the service does not report the step. */
  failingStep: z.number().optional(),
  /** The service has reported its states up to this moment; UNIX seconds. */
  reportedUntilSeconds: amount,
  /** Undefined when the last complete hour has no results. */
  performance: transactionPerformanceSchema.optional(),
  /** Up to 30 days, for the views. */
  hourlyAverages: hourlyAveragesSchema,
  /** For the report of the month. */
  responseMonths: responseMonthsSchema,
  /** The steps that failed, for the views. */
  notes: z.array(noteSchema),
};

/** Data of one check that are neither in the list nor counted. */
export type CheckItemDetails = ValuesOf<typeof check>;
/** Data of one transaction that are neither in the list nor counted. */
export type TransactionItemDetails = ValuesOf<typeof transaction>;

type Values = Readonly<Record<string, z.ZodType>>;
type ValuesOf<V extends Values> = { readonly [K in keyof V]: TypeOf<V[K]> };

/** Details with their times in UNIX seconds. In JSON, one that is undefined has no `value`. */
export type StoredDetails<D> = {
  readonly [K in keyof D]?: { readonly value?: D[K]; readonly at: number };
};

export const checkDetailsSchema = dated(check);
export const transactionDetailsSchema = dated(transaction);

function dated(values: Values): z.ZodType {
  const fields = Object.entries(values).map(([name, value]) => [
    name,
    z.object({ value, at: amount }).exactOptional(),
  ]);
  return z.object(Object.fromEntries(fields));
}
