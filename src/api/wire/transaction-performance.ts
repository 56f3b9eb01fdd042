import { z } from 'zod';
import type { Resolution } from '../../domain/performance.ts';
import type { Period } from '../../domain/period.ts';
import type {
  StepAverage,
  TransactionPerformanceInterval,
} from '../../domain/transaction-report.ts';
import { present } from '../../lib/present.ts';
import { dateTime } from './date-time.ts';
import { mean, number } from './fields.ts';
import { measuredInterval, wireAmounts } from './performance.ts';
import { stepFunctionOf } from './transaction-step.ts';

/** API 3.1, section 2.11. */
const wireInterval = z.object({
  from: dateTime,
  average_response: number,
  ...wireAmounts,
  steps: z.array(z.unknown()).catch([]),
});

const wireStep = z
  .object({ step: z.unknown().optional(), average_response: number })
  .catch({ average_response: undefined });

export interface TransactionIntervalsOptions {
  readonly period: Period;
  readonly resolution: Resolution;
  /** Units of `average_response` in a second. */
  readonly unitsPerSecond: number;
}

export function transactionIntervalList(options: TransactionIntervalsOptions) {
  const { period, resolution, unitsPerSecond } = options;
  return {
    field: 'intervals',
    decode: (entry: unknown): TransactionPerformanceInterval | undefined => {
      const wire = wireInterval.safeParse(entry).data;
      if (wire === undefined) return undefined;
      const { from: startAtSeconds, average_response, steps, ...amounts } = wire;
      const averageResponseTimeSeconds = mean(average_response, unitsPerSecond);
      const measured = { ...amounts, startAtSeconds, averageResponseTimeSeconds };
      return {
        ...measuredInterval(measured, period, resolution),
        steps: steps.map((step) => decodeStep(step, unitsPerSecond)),
      };
    },
    needs: { from: 'a date-time' },
    keyOf: ({ startAtSeconds }: TransactionPerformanceInterval) => startAtSeconds,
  };
}

/**
 * Every step keeps its place, a bad one too: steps are told apart by their number. An average of zero
 * is none: no step that was done took no time.
 */
function decodeStep(entry: unknown, unitsPerSecond: number): StepAverage {
  const { step, average_response } = wireStep.parse(entry);
  return present({
    fn: stepFunctionOf(step),
    averageResponseTimeSeconds:
      average_response === 0 ? undefined : mean(average_response, unitsPerSecond),
  });
}
