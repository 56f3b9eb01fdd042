import { z } from 'zod';
import { type Contact, contactTypes } from '../../domain/contact.ts';
import { present } from '../../lib/present.ts';
import { countTargets } from './contact-targets.ts';
import { isObject } from './envelope.ts';
import { flag, identifier, text, truth, wordOf } from './fields.ts';
import { byId } from './keyed-list.ts';

/** API 3.1, section 2.10. */
const wireContact = z.object({
  id: identifier,
  type: text,
  paused: flag,
  owner: flag,
  notification_targets: z.unknown().optional(),
});

export const contactList = {
  field: 'contacts',
  decode: (entry: unknown): Contact | undefined => {
    const wire = wireContact.safeParse(entry).data;
    if (wire === undefined) return undefined;
    const { email, sms, apns, agcm } = isObject(wire.notification_targets)
      ? wire.notification_targets
      : {};
    return present({
      id: wire.id,
      type: wordOf(contactTypes, wire.type),
      paused: truth(wire.paused),
      owner: truth(wire.owner),
      targets: countTargets({ email, sms, apns, agcm }),
    });
  },
  ...byId,
};
