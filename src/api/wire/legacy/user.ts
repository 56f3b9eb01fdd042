import { z } from 'zod';
import type { Contact } from '../../../domain/contact.ts';
import { present } from '../../../lib/present.ts';
import { countTargets } from '../contact-targets.ts';
import { flag, identifier, truth } from '../fields.ts';
import { byId } from '../keyed-list.ts';

/** API 2.1, section 2.4. */
const wireUser = z.object({
  id: identifier,
  paused: flag,
  email: z.unknown().optional(),
  sms: z.unknown().optional(),
});

export const userList = {
  field: 'users',
  decode: (entry: unknown): Contact | undefined => {
    const wire = wireUser.safeParse(entry).data;
    if (wire === undefined) return undefined;
    const { id, paused, email, sms } = wire;
    const targets = countTargets({ email, sms });
    return present({ id, type: 'user' as const, paused: truth(paused), targets });
  },
  ...byId,
};
