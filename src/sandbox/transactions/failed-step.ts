import { hashUnit } from '../../lib/random.ts';
import type { Step } from './step.ts';
import type { Transaction } from './transaction.ts';

const stepSalt = 63;

/** What a failure that began at `since`, in UNIX seconds, is put down to; steps are counted from 1. */
export function failedStep({ id, settings: { steps } }: Transaction, since: number) {
  const position = Math.floor(hashUnit(id, since, stepSalt) * steps.length);
  const step = steps[position];
  return { error_in_step: position + 1, message: step === undefined ? '' : messageOf(step) };
}

function messageOf({ fn, args }: Step): string {
  const target = Object.values(args)[0];
  const what = target === undefined ? fn : `${fn} "${target}"`;
  return `Step ${what} did not succeed within 30 seconds`;
}
