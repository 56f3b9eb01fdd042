import { z } from 'zod';
import type { Team } from '../../domain/people.ts';
import { present } from '../../lib/present.ts';
import { arrayIn } from '../decoding/envelope.ts';
import { identifier, nonEmptyText, text } from '../decoding/fields.ts';
import { byId, decodeList } from '../list.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';

/** API 3.1, section 2.10; API 2.1, section 2.4, where members are users. */
const wireTeam = z.object({
  id: identifier,
  name: text,
  members: z.array(z.unknown()).optional().catch(undefined),
  users: z.array(z.unknown()).optional().catch(undefined),
});

const teamList = {
  field: 'teams',
  decode: (entry: unknown): Team | undefined => {
    const wire = wireTeam.safeParse(entry).data;
    if (wire === undefined) return undefined;
    return present({
      id: wire.id,
      name: nonEmptyText(wire.name) ?? `team ${wire.id}`,
      memberCount: (wire.members ?? wire.users)?.length,
    });
  },
  ...byId,
};

const operation = 'list_teams';

/** API 3.1, section 4.5. */
export async function listTeams(reader: Reader, signal: AbortSignal): Promise<Listing<Team>> {
  const reply = await reader.get({ operation, path: 'alerting/teams', signal });
  return decodeList(arrayIn(reply, teamList.field, operation), { operation, ...teamList });
}

/** All teams of version 2.1 (API 2.1, section 4.4). Rejects with an `ApiError`. */
export async function listLegacyTeams(reader: Reader, signal: AbortSignal): Promise<Listing<Team>> {
  const reply = await reader.get({ operation, path: 'teams', signal });
  const entries = arrayIn(reply, teamList.field, operation);
  return decodeList(entries, { operation, ...teamList });
}
