import { z } from 'zod';
import type { Credits } from '../../domain/credits.ts';
import { present } from '../../lib/present.ts';
import { objectIn } from './envelope.ts';
import { flag, integer, number, truth } from './fields.ts';

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
    smsAutofillEnabled: truth(wire.autofillsms),
    smsAutofillAmount: integer(wire.autofillsms_amount),
    smsAutofillThreshold: integer(wire.autofillsms_when_left),
    smsOverageLimit: integer(wire.max_sms_overage),
    rumSitesAvailable: integer(wire.availablerumsites),
    rumSitesUsed: integer(wire.usedrumsites),
    rumFiltersLimit: integer(wire.maxrumfilters),
    rumPageviewsLimit: integer(wire.maxrumpageviews),
  });
}
