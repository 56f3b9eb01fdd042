import type { Team } from '../../../domain/team.ts';
import type { Reader } from '../../reader.ts';
import type { Listing } from '../../service.ts';
import { arrayIn } from '../../wire/envelope.ts';
import { decodeList } from '../../wire/keyed-list.ts';
import { teamList } from '../../wire/team.ts';

const operation = 'list_teams';

/** All teams of version 2.1 (API 2.1, section 4.4). Rejects with an `ApiError`. */
export async function listLegacyTeams(reader: Reader, signal: AbortSignal): Promise<Listing<Team>> {
  const reply = await reader.get({ operation, path: 'teams', signal });
  const entries = arrayIn(reply, teamList.field, operation);
  return decodeList(entries, { operation, ...teamList });
}
