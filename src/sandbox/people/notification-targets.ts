import { z } from 'zod';
import { type NewTarget, type Person, severities, valuesOf } from './person.ts';

const severity = z.enum(severities);
const digits = z.string().regex(/^\d+$/, 'must be digits');
const word = z.string().min(1, 'must not be empty');

export const emailAddress = z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address');

/** API 3.1, section 4.5: at least one method. */
export const notificationTargets = z
  .strictObject({
    email: z.array(z.strictObject({ severity, address: emailAddress })).default([]),
    sms: z
      .array(z.strictObject({ severity, country_code: digits, number: digits, provider: word }))
      .default([]),
    apns: z.array(z.strictObject({ severity, device: word, name: word })).default([]),
    agcm: z.array(z.strictObject({ severity, agcm_id: word })).default([]),
  })
  .refine(
    (targets) => Object.values(targets).some((ofChannel) => ofChannel.length > 0),
    'there must be at least one notification method',
  );

export function targetsFrom(given: z.output<typeof notificationTargets>): NewTarget[] {
  return [
    ...given.email.map((value) => ({ channel: 'email' as const, value })),
    ...given.sms.map((value) => ({ channel: 'sms' as const, value })),
    ...given.apns.map((value) => ({ channel: 'apns' as const, value })),
    ...given.agcm.map((value) => ({ channel: 'agcm' as const, value })),
  ];
}

/** As contacts show them (API 3.1, section 2.10); push channels only where there are any. */
export function wireTargets(person: Person): object {
  const apns = valuesOf(person, 'apns');
  const agcm = valuesOf(person, 'agcm');
  return {
    email: valuesOf(person, 'email'),
    sms: valuesOf(person, 'sms'),
    ...(apns.length > 0 && { apns }),
    ...(agcm.length > 0 && { agcm }),
  };
}
