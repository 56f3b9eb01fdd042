import { z } from 'zod';
import type { Resolution } from '../../domain/averages.ts';
import type { TimeRange } from '../../domain/interval.ts';
import {
  type StepAverage,
  type TransactionPerformanceInterval,
  type TransactionStepFunction,
  transactionStepFunctions,
} from '../../domain/transaction.ts';
import { present } from '../../lib/present.ts';
import { isObject } from '../decoding/envelope.ts';
import { dateTime, enumValueOf, mean, number } from '../decoding/fields.ts';
import { decodedBy, readWhole } from '../list.ts';
import {
  dateTimeRangeParameters,
  type Reader,
  type TransactionPerformanceQuery,
} from '../reader.ts';
import type { Listing } from '../service.ts';
import { byStart, measuredInterval, wireAmounts } from './performance.ts';

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

/** A recording has some dozens of steps. More than this would inflate the exposition. */
const maxSteps = 250;

/** Durations are read as documented, in milliseconds. The caller corrects other units. */
function transactionIntervalList(period: TimeRange, resolution: Resolution) {
  return {
    field: 'intervals',
    decode: decodedBy(wireInterval, (wire) => {
      const { from: startAtSeconds, average_response, steps, ...amounts } = wire;
      const averageResponseTimeSeconds = mean(average_response, 1000);
      const measured = { ...amounts, startAtSeconds, averageResponseTimeSeconds };
      return {
        ...measuredInterval(measured, period, resolution),
        steps: steps.slice(0, maxSteps).map(decodeStep),
      };
    }),
    requiredFields: { from: 'a date-time' },
    keyOf: ({ startAtSeconds }: TransactionPerformanceInterval) => startAtSeconds,
  };
}

/** Decodes a step. A malformed step is kept, because steps are identified by their position. */
function decodeStep(entry: unknown): StepAverage {
  const { step, average_response } = wireStep.parse(entry);
  return present({
    fn: stepFunctionOf(step),
    averageResponseTimeSeconds: mean(average_response, 1000),
  });
}

/** The function of a step. Its arguments are not read (API 3.1, section 2.11). */
function stepFunctionOf(step: unknown): TransactionStepFunction {
  return enumValueOf(transactionStepFunctions, isObject(step) ? step.fn : undefined);
}

const operation = 'get_transaction_performance';

/** The intervals of a period, in order, at most 8 days by the hour (API 3.1, section 4.6). */
export async function getTransactionPerformance(
  reader: Reader,
  query: TransactionPerformanceQuery,
  signal: AbortSignal,
): Promise<Listing<TransactionPerformanceInterval>> {
  const { transactionId, resolution } = query;
  const path = `tms/check/${transactionId}/report/performance`;
  const parameters = {
    ...dateTimeRangeParameters(query),
    resolution,
    include_uptime: true,
    order: 'asc',
  };
  const form = transactionIntervalList(query, resolution);
  const request = { operation, path, query: parameters, signal };
  const { items, rejected } = await readWhole(reader, form, request, 'report');
  return { items: items.toSorted(byStart), rejected };
}
