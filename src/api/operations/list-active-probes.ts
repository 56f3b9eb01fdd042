import type { CheckPeriod } from '../queries.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { arrayIn } from '../wire/envelope.ts';
import { decodeList } from '../wire/keyed-list.ts';
import { periodQuery } from '../wire/period-query.ts';
import { probeIdList } from '../wire/probe.ts';

const operation = 'list_active_probes';

/** Ids of the probes that tested a check in a period (API 3.1, section 4.4). */
export async function listActiveProbes(
  reader: Reader,
  query: CheckPeriod,
  signal: AbortSignal,
): Promise<Listing<number>> {
  const path = `summary.probes/${query.checkId}`;
  const reply = await reader.get({ operation, path, query: periodQuery(query), signal });
  return decodeList(arrayIn(reply, probeIdList.field, operation), { operation, ...probeIdList });
}
