import { z } from 'zod';
import {
  argumentsRequiredBy,
  isArgument,
  kindOfFunction,
  type TransactionKind,
} from './step-functions.ts';

const numericArguments: ReadonlySet<string> = new Set(['seconds']);

/** One step of a transaction (API 3.1, section 2.11). */
export const stepSchema = z
  .strictObject({
    fn: z.string(),
    args: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  })
  .superRefine(({ fn, args }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    const required = argumentsRequiredBy(fn);
    if (required === undefined) {
      refuse(`there is no step function "${fn}"`);
      return;
    }
    for (const name of required) {
      if (!Object.hasOwn(args, name)) refuse(`step ${fn} requires the argument ${name}`);
    }
    for (const [name, value] of Object.entries(args)) {
      if (!isArgument(name)) refuse(`there is no step argument "${name}"`);
      else if (numericArguments.has(name) && !/^\d+(\.\d+)?$/.test(String(value))) {
        refuse(`the argument ${name} must be a number of 0 or more`);
      }
    }
  });

export type Step = z.output<typeof stepSchema>;

/** The steps of one transaction: all of one kind, and in a script exactly one of them go_to. */
export const stepsSchema = z
  .array(stepSchema)
  .min(1, 'a transaction has at least one step')
  .superRefine((steps, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    const kinds = new Set(steps.map(({ fn }) => kindOfFunction(fn)));
    if (kinds.size > 1) refuse('steps that begin with wpm_ belong in recordings only');
    const visits = steps.filter(({ fn }) => fn === 'go_to').length;
    if (kinds.has('script') && visits !== 1) {
      refuse(`a script has exactly one go_to step, not ${visits}`);
    }
  });

export function kindOfSteps(steps: readonly Step[]): TransactionKind {
  return kindOfFunction(steps[0]?.fn ?? '');
}
