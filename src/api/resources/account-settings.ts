import { z } from 'zod';
import type { AccountProfile } from '../../domain/account.ts';
import { present } from '../../lib/present.ts';
import { isObject, objectIn } from '../decoding/envelope.ts';
import { nonEmptyText, number, text, timestamp } from '../decoding/fields.ts';
import type { Reader } from '../reader.ts';

/** The few attributes of API 2.x, section 2.5, that say nothing of a person or a company. */
const wireSettings = z.object({
  accountcreated: number,
  region: text,
  timezone: z.unknown().optional(),
  country: z.unknown().optional(),
});

/** The settings of a reply `{settings}`. Fails with reason `shape`. */
export function decodeAccountSettings(reply: unknown, operation: string): AccountProfile {
  const wire = wireSettings.parse(objectIn(reply, 'settings', operation));
  return present({
    createdAtSeconds: timestamp(wire.accountcreated),
    timezone: textIn(wire.timezone, 'description'),
    region: nonEmptyText(wire.region),
    countryIso: textIn(wire.country, 'iso'),
  });
}

function textIn(value: unknown, key: string): string | undefined {
  return isObject(value) ? nonEmptyText(text.parse(value[key])) : undefined;
}

const operation = 'get_settings';

/** The account's settings (API 2.x, section 4.8). Rejects with an `ApiError`. */
export async function getSettings(reader: Reader, signal: AbortSignal): Promise<AccountProfile> {
  return decodeAccountSettings(
    await reader.get({ operation, path: 'settings', signal }),
    operation,
  );
}
