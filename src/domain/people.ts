import { z } from 'zod';

export const contactTypes = ['user', 'contact', 'unknown'] as const;

export const targetMedia = ['email', 'sms', 'apns', 'agcm', 'social', 'pusha', 'pushb'] as const;

/** The ways to reach a contact (API 3.1, section 2.10; API 2.x, sections 2.3 and 2.4). */
export type TargetMedium = (typeof targetMedia)[number];

export const targetSeverities = ['high', 'low', 'unknown'] as const;

/** The number of a contact's targets of one medium and severity. */
const targetCount = z
  .object({
    medium: z.enum(targetMedia),
    severity: z.enum(targetSeverities),
    count: z.number().nonnegative(),
  })
  .readonly();
export type TargetCount = z.infer<typeof targetCount>;

export const contactSchema = z
  .object({
    id: z.number().int(),
    type: z.enum(contactTypes),
    paused: z.boolean().exactOptional(),
    owner: z.boolean().exactOptional(),
    /** Each pair of medium and severity at most once. */
    targets: z.array(targetCount).readonly(),
  })
  .readonly();

/** A recipient of notifications: a contact of 3.1 or 2.0, a user of 2.1, without addresses. */
export type Contact = z.infer<typeof contactSchema>;

export const teamSchema = z
  .object({
    id: z.number().int(),
    name: z.string(),
    memberCount: z.number().nonnegative().exactOptional(),
  })
  .readonly();

/** People who are notified together (API 3.1, section 2.10). Only their number is read. */
export type Team = z.infer<typeof teamSchema>;
