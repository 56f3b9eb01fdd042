import type { Team } from '../../domain/team.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { arrayIn } from '../wire/envelope.ts';
import { decodeList } from '../wire/keyed-list.ts';
import { teamList } from '../wire/team.ts';

const operation = 'list_teams';

/** API 3.1, section 4.5. */
export async function listTeams(reader: Reader, signal: AbortSignal): Promise<Listing<Team>> {
  const reply = await reader.get({ operation, path: 'alerting/teams', signal });
  return decodeList(arrayIn(reply, teamList.field, operation), { operation, ...teamList });
}
