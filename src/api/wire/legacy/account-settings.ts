import { z } from 'zod';
import type { AccountSettings } from '../../../domain/account-settings.ts';
import { present } from '../../../lib/present.ts';
import { isObject, objectIn } from '../envelope.ts';
import { number, text, timestamp, wellFormed } from '../fields.ts';

/** The few attributes of API 2.x, section 2.5, that say nothing of a person or a company. */
const wireSettings = z.object({
  accountcreated: number,
  region: text,
  timezone: z.unknown().optional(),
  country: z.unknown().optional(),
});

/** The settings of a reply `{settings}`. Fails with reason `shape`. */
export function decodeAccountSettings(reply: unknown, operation: string): AccountSettings {
  const wire = wireSettings.parse(objectIn(reply, 'settings', operation));
  return present({
    createdAtSeconds: timestamp(wire.accountcreated),
    timezone: textIn(wire.timezone, 'description'),
    region: wellFormed(wire.region),
    countryIso: textIn(wire.country, 'iso'),
  });
}

function textIn(value: unknown, key: string): string | undefined {
  return isObject(value) ? wellFormed(text.parse(value[key])) : undefined;
}
