import { z } from 'zod';
import type { Contact, TargetCount, TargetMedium } from '../../../domain/contact.ts';
import { present } from '../../../lib/present.ts';
import { flag, identifier, truth } from '../fields.ts';
import { byId } from '../keyed-list.ts';

const optional = z.unknown().optional();

/** API 2.0, section 2.3. */
const wireContact = z.object({
  id: identifier,
  paused: flag,
  email: optional,
  cellphone: optional,
  socialuser: optional,
  pushatokens: optional,
  pushbtokens: optional,
});

export const legacyContactList = {
  field: 'contacts',
  decode: (entry: unknown): Contact | undefined => {
    const wire = wireContact.safeParse(entry).data;
    if (wire === undefined) return undefined;
    return present({
      id: wire.id,
      type: 'contact' as const,
      paused: truth(wire.paused),
      targets: [
        ...targets('email', [wire.email]),
        ...targets('sms', [wire.cellphone]),
        ...targets('social', [wire.socialuser]),
        ...targets('pusha', wire.pushatokens),
        ...targets('pushb', wire.pushbtokens),
      ],
    });
  },
  ...byId,
};

/** How many there are: what they are is not kept. Version 2.0 tells no severities apart. */
function targets(medium: TargetMedium, addresses: unknown): TargetCount[] {
  const count = Array.isArray(addresses) ? addresses.filter(isAddress).length : 0;
  return count === 0 ? [] : [{ medium, severity: 'unknown', count }];
}

/** A number may come without quotes. */
function isAddress(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : typeof value === 'number';
}
