import { z } from 'zod';

/**
 * The functions of a script's steps, actions first, with the arguments each requires (API 3.1,
 * section 2.11).
 */
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

/** `undefined` for an unknown function. */
function argumentsRequiredBy(fn: string): readonly string[] | undefined {
  return Object.hasOwn(requiredArguments, fn) ? requiredArguments[fn] : undefined;
}

function isArgument(name: string): boolean {
  return knownArguments.has(name);
}

/** The kind of transaction that has steps with the function `fn`. */
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

/** The steps of one transaction: all of one kind, and in a script exactly one go_to. */
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

/** API 3.1, section 2.11; minutes. */
export const transactionIntervals = [5, 10, 20, 60, 720, 1440] as const;
export const transactionRegionNames = ['us-east', 'us-west', 'eu', 'au'] as const;

const identifiers = z.array(z.int().min(0));

const tag = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'a tag has 1 to 64 characters of A-Z a-z 0-9 _ -');

const metadata = z.strictObject({
  width: z.int().min(1).optional(),
  height: z.int().min(1).optional(),
  disableWebSecurity: z.boolean().optional(),
  authentications: z
    .strictObject({
      httpAuthentications: z.array(
        z.strictObject({
          host: z.string(),
          credentials: z.strictObject({ userName: z.string(), password: z.string() }),
        }),
      ),
    })
    .optional(),
});

const fields = {
  active: z.boolean(),
  contact_ids: identifiers,
  custom_message: z.string(),
  integration_ids: identifiers,
  interval: z.literal(transactionIntervals),
  metadata: metadata.optional(),
  name: z.string().refine((name) => name.trim() !== '', 'a transaction has a name'),
  region: z.enum(transactionRegionNames),
  send_notification_when_down: z.int().min(0),
  severity_level: z.enum(['low', 'high']),
  steps: stepsSchema,
  tags: z.array(tag),
  team_ids: identifiers,
};

/** The settings of a transaction, by the names of the API. */
export type TransactionSettings = z.output<z.ZodObject<typeof fields>>;

/** The parameters of create, with the defaults of API 3.1, section 4.6. */
export const newTransactionSchema = z
  .object({
    ...fields,
    active: fields.active.default(true),
    contact_ids: identifiers.default([]),
    custom_message: fields.custom_message.default(''),
    integration_ids: identifiers.default([]),
    interval: fields.interval.default(10),
    region: fields.region.default('us-east'),
    send_notification_when_down: fields.send_notification_when_down.default(1),
    severity_level: fields.severity_level.default('high'),
    tags: fields.tags.default([]),
    team_ids: identifiers.default([]),
  })
  .superRefine((settings, context) => {
    if (settings.metadata !== undefined && kindOfSteps(settings.steps) === 'script') {
      const message = 'only a recording has metadata';
      context.addIssue({ code: 'custom', path: ['metadata'], message });
    }
  });

/** The parameters of modify. An omitted setting stays. */
export const transactionChangesSchema = z.object(fields).partial();
export type TransactionChanges = z.output<typeof transactionChangesSchema>;
