import { z } from 'zod';
import type { CheckDetail } from '../../domain/check-detail.ts';
import { present } from '../../lib/present.ts';
import { decodeCheck } from './check.ts';
import { isObject } from './envelope.ts';
import { flag, milliseconds, number, seconds, truth } from './fields.ts';
import { countRecipients } from './recipients.ts';

const secondsPerDay = 86_400;

/** API 3.1, section 2.1; API 2.x, section 2.1. */
const wireDetail = z.object({
  type: z.unknown().optional(),
  responsetime_threshold: number,
  userids: z.unknown().optional(),
  teams: z.unknown().optional(),
  integrationids: z.unknown().optional(),
  contactids: z.unknown().optional(),
});

/** The settings that stand below the one key of `type`. */
const wireSettings = z.object({
  encryption: flag,
  verify_certificate: flag,
  ssl_down_days_before: number,
});

/** A check with its settings, or undefined when the entry has no valid id. */
export function decodeCheckDetail(entry: unknown): CheckDetail | undefined {
  const check = decodeCheck(entry);
  const wire = wireDetail.safeParse(entry).data;
  if (check === undefined || wire === undefined) return undefined;
  const settings = settingsOf(wire.type);
  const verifiesCertificate = truth(settings?.verify_certificate);
  const warningDays =
    verifiesCertificate === false ? undefined : seconds(settings?.ssl_down_days_before);
  return present({
    ...check,
    responseTimeThresholdSeconds: milliseconds(wire.responsetime_threshold),
    verifiesCertificate,
    certificateWarningSeconds: warningDays === undefined ? undefined : warningDays * secondsPerDay,
    encrypted: truth(settings?.encryption),
    recipients: countRecipients({
      user: wire.userids,
      team: wire.teams,
      integration: wire.integrationids,
      contact: wire.contactids,
    }),
  });
}

function settingsOf(type: unknown): z.infer<typeof wireSettings> | undefined {
  return isObject(type) ? wireSettings.safeParse(Object.values(type)[0]).data : undefined;
}
