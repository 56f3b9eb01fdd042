import { z } from 'zod';
import { kindOfSteps, stepsSchema } from './transaction-steps.ts';

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

/** The settings a transaction can be given; also the parameters of create and modify. */
export const transactionSettingNames = Object.keys(fields);

/** What create takes, with the defaults of API 3.1, section 4.6. */
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

/** What modify takes. Each setting may be left out, and stays as it was then. */
export const transactionChangesSchema = z.object(fields).partial();
export type TransactionChanges = z.output<typeof transactionChangesSchema>;
