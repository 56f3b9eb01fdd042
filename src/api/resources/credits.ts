import { z } from 'zod';
import type { Credits } from '../../domain/account.ts';
import { present } from '../../lib/present.ts';
import { objectIn } from '../decoding/envelope.ts';
import { booleanOf, flag, integer, number } from '../decoding/fields.ts';
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

/** The credits of a reply `{credits}`. Fails with reason `shape`. */
export function decodeCredits(reply: unknown, operation: string): Credits {
  const wire = wireCredits.parse(objectIn(reply, 'credits', operation));
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

const operation = 'get_credits';

/** What the account's plan allows and has left (API 3.1, section 4.1). Rejects with an `ApiError`. */
export async function getCredits(reader: Reader, signal: AbortSignal): Promise<Credits> {
  return decodeCredits(await reader.get({ operation, path: 'credits', signal }), operation);
}
