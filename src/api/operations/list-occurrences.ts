import type { MaintenanceOccurrence } from '../../domain/maintenance.ts';
import type { Period } from '../../domain/period.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { arrayIn } from '../wire/envelope.ts';
import { decodeList } from '../wire/keyed-list.ts';
import { occurrenceList } from '../wire/maintenance.ts';
import { periodQuery } from '../wire/period-query.ts';

const operation = 'list_occurrences';

/** The occurrences of all maintenance windows in a period (API 3.1, section 4.2). */
export async function listOccurrences(
  reader: Reader,
  period: Period,
  signal: AbortSignal,
): Promise<Listing<MaintenanceOccurrence>> {
  const query = periodQuery(period);
  const reply = await reader.get({ operation, path: 'maintenance.occurrences', query, signal });
  const entries = arrayIn(reply, occurrenceList.field, operation);
  return decodeList(entries, { operation, ...occurrenceList });
}
