import { z } from 'zod';
import type { Team } from '../../domain/team.ts';
import { present } from '../../lib/present.ts';
import { identifier, text, wellFormed } from './fields.ts';
import { byId } from './keyed-list.ts';

/** API 3.1, section 2.10; API 2.1, section 2.4, where members are users. */
const wireTeam = z.object({
  id: identifier,
  name: text,
  members: z.array(z.unknown()).optional().catch(undefined),
  users: z.array(z.unknown()).optional().catch(undefined),
});

export const teamList = {
  field: 'teams',
  decode: (entry: unknown): Team | undefined => {
    const wire = wireTeam.safeParse(entry).data;
    if (wire === undefined) return undefined;
    return present({
      id: wire.id,
      name: wellFormed(wire.name) ?? `team ${wire.id}`,
      memberCount: (wire.members ?? wire.users)?.length,
    });
  },
  ...byId,
};
