import {
  type TransactionStepFunction,
  transactionStepFunctions,
} from '../../domain/transaction-step.ts';
import { isObject } from './envelope.ts';
import { wordOf } from './fields.ts';

/** What a step does; its arguments are left unread (API 3.1, section 2.11). */
export function stepFunctionOf(step: unknown): TransactionStepFunction {
  return wordOf(transactionStepFunctions, isObject(step) ? step.fn : undefined);
}
