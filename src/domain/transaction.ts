import { z } from 'zod';
import { id, optional, type TypeOf } from '../lib/schema.ts';
import { performanceSchema } from './averages.ts';
import { checkTagSchema } from './check.ts';
import type { MonitoredState, StateSpan } from './interval.ts';

export const transactionStepFunctions = [
  'go_to',
  'click',
  'fill',
  'check',
  'uncheck',
  'sleep',
  'select_radio',
  'select',
  'basic_auth',
  'submit',
  'wait_for_element',
  'wait_for_contains',
  'url',
  'exists',
  'not_exists',
  'contains',
  'not_contains',
  'field_contains',
  'field_not_contains',
  'is_checked',
  'is_not_checked',
  'radio_selected',
  'dropdown_selected',
  'dropdown_not_selected',
  'wpm_go_to',
  'wpm_click',
  'wpm_click_xy',
  'wpm_fill',
  'wpm_move_mouse_to_element',
  'wpm_select_dropdown',
  'wpm_wait',
  'wpm_close_tab',
  'wpm_contains_timeout',
  'wpm_not_contains_timeout',
  'unknown',
] as const;

/** The function of a step (API 3.1, section 2.11); `unknown` for later ones. */
export type TransactionStepFunction = (typeof transactionStepFunctions)[number];

export const transactionStatuses = ['successful', 'failing', 'unknown'] as const;

/** A status that the service adds later reads as `unknown`. */
export type TransactionStatus = (typeof transactionStatuses)[number];

export const transactionKinds = ['script', 'recording', 'unknown'] as const;

export const transactionRegions = ['us-east', 'us-west', 'eu', 'au', 'unknown'] as const;

export const transactionSeverities = ['high', 'low', 'unknown'] as const;

export const transactionSchema = z.object({
  id,
  name: z.string(),
  status: z.enum(transactionStatuses),
  kind: z.enum(transactionKinds),
  active: optional.flag,
  /** The region in which it is run. */
  region: z.enum(transactionRegions).exactOptional(),
  severity: z.enum(transactionSeverities).exactOptional(),
  tags: z.array(checkTagSchema),
  intervalSeconds: optional.amount,
  createdAtSeconds: optional.amount,
  modifiedAtSeconds: optional.amount,
  lastDowntimeStartAtSeconds: optional.amount,
  lastDowntimeEndAtSeconds: optional.amount,
});
/** A transaction check (API 3.1, section 2.11), in UNIX seconds. Omitted fields are absent. */
export interface Transaction extends TypeOf<typeof transactionSchema> {}

/** A span in one state (API 3.1, section 2.11), without its message, which may quote a script. */
export interface TransactionStateSpan extends StateSpan<MonitoredState> {
  /** The number of the failed step, as the service numbers steps. Present only for a failure. */
  readonly failedStep?: number;
}

/** The states of one transaction over a period. */
export interface TransactionStates {
  readonly transactionId: number;
  readonly states: readonly TransactionStateSpan[];
  /** The number of further states, which could not be decoded: they look unmonitored. */
  readonly unreadable?: number;
}

/** The units that accounts have received. Documented are milliseconds (API 3.1, section 2.11). */
export const transactionResponseUnits = ['milliseconds', 'microseconds'] as const;
export type TransactionResponseUnit = (typeof transactionResponseUnits)[number];

/** The measurements of one interval, with the steps in order (API 3.1, section 2.11). */
export const transactionPerformanceSchema = performanceSchema.extend({
  steps: z.array(
    z.object({
      fn: z.enum(transactionStepFunctions),
      averageResponseTimeSeconds: optional.amount,
    }),
  ),
  /** The response times were implausible and were omitted. */
  withheld: optional.yes,
});
export type TransactionPerformanceInterval = TypeOf<typeof transactionPerformanceSchema>;
export type StepAverage = TransactionPerformanceInterval['steps'][number];

/** The shortest interval of these transactions, in seconds; Infinity if none is known. */
export function shortestIntervalSeconds(
  transactions: readonly Pick<Transaction, 'intervalSeconds'>[],
): number {
  const none = Number.POSITIVE_INFINITY;
  return transactions.reduce(
    (shortest, { intervalSeconds = none }) => Math.min(shortest, intervalSeconds),
    none,
  );
}
