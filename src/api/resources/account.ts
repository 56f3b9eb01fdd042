import { z } from 'zod';
import type { Credits } from '../../domain/account.ts';
import { present } from '../../lib/present.ts';
import { isObject, kindOf, objectIn } from '../decoding/envelope.ts';
import { booleanOf, flag, integer, number, timestamp } from '../decoding/fields.ts';
import { ApiError } from '../errors.ts';
import type { Reader } from '../reader.ts';

/** API 3.1, section 2.4. */
const wireCredits = z.object({
  checklimit: number,
  availablechecks: number,
  useddefault: number,
  usedtransaction: number,
  availablesms: number,
  availablesmstests: number,
  autofillsms: flag,
  autofillsms_amount: number,
  autofillsms_when_left: number,
  max_sms_overage: number,
  availablerumsites: number,
  usedrumsites: number,
  maxrumfilters: number,
  maxrumpageviews: number,
});

/** The credits in a response `{credits}`. Fails with reason `shape`. */
export function decodeCredits(response: unknown, operation: string): Credits {
  const wire = wireCredits.parse(objectIn(response, 'credits', operation));
  return present({
    checkLimit: integer(wire.checklimit),
    checksAvailable: integer(wire.availablechecks),
    defaultChecksUsed: integer(wire.useddefault),
    transactionChecksUsed: integer(wire.usedtransaction),
    smsAvailable: integer(wire.availablesms),
    smsTestsAvailable: integer(wire.availablesmstests),
    smsAutofillEnabled: booleanOf(wire.autofillsms),
    smsAutofillAmount: integer(wire.autofillsms_amount),
    smsAutofillThreshold: integer(wire.autofillsms_when_left),
    smsOverageLimit: integer(wire.max_sms_overage),
    rumSitesAvailable: integer(wire.availablerumsites),
    rumSitesUsed: integer(wire.usedrumsites),
    rumFiltersLimit: integer(wire.maxrumfilters),
    rumPageviewsLimit: integer(wire.maxrumpageviews),
  });
}

/** The limits and remaining allowances of the account's plan (API 3.1, section 4.1). */
export async function getCredits(reader: Reader, signal: AbortSignal): Promise<Credits> {
  const operation = 'get_credits';
  return decodeCredits(await reader.get({ operation, path: 'credits', signal }), operation);
}

/** The time in a response `{servertime}` (API 2.x, section 2.5). Fails with reason `shape`. */
export function decodeServerTime(response: unknown, operation: string): number {
  const value = isObject(response) ? response.servertime : undefined;
  const seconds = timestamp(number.parse(value));
  if (seconds !== undefined) return seconds;
  const message = `servertime: expected UNIX seconds, found ${kindOf(value)}`;
  throw new ApiError({ reason: 'shape', operation, message });
}

/** The service's clock, in UNIX seconds (API 2.x, section 4.5). Rejects with an `ApiError`. */
export async function getServerTime(reader: Reader, signal: AbortSignal): Promise<number> {
  const operation = 'get_server_time';
  return decodeServerTime(await reader.get({ operation, path: 'servertime', signal }), operation);
}
