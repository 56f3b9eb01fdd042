import { z } from 'zod';

/** The functions of a script's steps, actions first, with the arguments each requires (API 3.1, section 2.11). */
const script = {
  go_to: ['url'],
  click: ['element'],
  fill: ['input', 'value'],
  check: ['checkbox'],
  uncheck: ['checkbox'],
  sleep: ['seconds'],
  select_radio: ['radio'],
  select: ['select', 'option'],
  basic_auth: ['username', 'password'],
  submit: ['form'],
  wait_for_element: ['element'],
  wait_for_contains: ['element', 'value'],
  url: ['url'],
  exists: ['element'],
  not_exists: ['element'],
  contains: ['element', 'value'],
  not_contains: ['element', 'value'],
  field_contains: ['input', 'value'],
  field_not_contains: ['input', 'value'],
  is_checked: ['checkbox'],
  is_not_checked: ['checkbox'],
  radio_selected: ['radio'],
  dropdown_selected: ['select', 'option'],
  dropdown_not_selected: ['select', 'option'],
} as const;

/** The same for the steps of a recording. */
const recording = {
  wpm_go_to: ['url'],
  wpm_click: ['element', 'offsetX', 'offsetY'],
  wpm_click_xy: ['element', 'x', 'y', 'scrollX', 'scrollY'],
  wpm_fill: ['input', 'value'],
  wpm_move_mouse_to_element: ['element', 'offsetX', 'offsetY'],
  wpm_select_dropdown: ['select', 'option'],
  wpm_wait: ['seconds'],
  wpm_close_tab: [],
  wpm_contains_timeout: ['element', 'value', 'waitTime', 'useRegularExpression'],
  wpm_not_contains_timeout: ['element', 'value', 'waitTime', 'useRegularExpression'],
} as const;

export const transactionKinds = ['script', 'recording'] as const;
export type TransactionKind = (typeof transactionKinds)[number];

const requiredArguments: Readonly<Record<string, readonly string[]>> = { ...script, ...recording };
const knownArguments: ReadonlySet<string> = new Set(Object.values(requiredArguments).flat());

/** `undefined` for a function there is not. */
function argumentsRequiredBy(fn: string): readonly string[] | undefined {
  return Object.hasOwn(requiredArguments, fn) ? requiredArguments[fn] : undefined;
}

function isArgument(name: string): boolean {
  return knownArguments.has(name);
}

/** The kind of transaction whose step `fn` is. */
function kindOfFunction(fn: string): TransactionKind {
  return Object.hasOwn(recording, fn) ? 'recording' : 'script';
}

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
