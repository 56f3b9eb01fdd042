import type { StateSpan } from '../../domain/outage.ts';
import type { CheckPeriod } from '../queries.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { arrayIn, objectIn } from '../wire/envelope.ts';
import { decodeList } from '../wire/keyed-list.ts';
import { periodQuery } from '../wire/period-query.ts';
import { withoutOverlaps } from '../wire/spans.ts';
import { spanList } from '../wire/state-span.ts';

const operation = 'list_outages';

/** The states of a check over a period, in order (API 3.1, section 4.4). */
export async function listOutages(
  reader: Reader,
  query: CheckPeriod,
  signal: AbortSignal,
): Promise<Listing<StateSpan>> {
  const path = `summary.outage/${query.checkId}`;
  const parameters = { ...periodQuery(query), order: 'asc' };
  const reply = await reader.get({ operation, path, query: parameters, signal });
  const entries = arrayIn(objectIn(reply, 'summary', operation), spanList.field, operation);
  return withoutOverlaps(decodeList(entries, { operation, ...spanList }), spanList.field);
}
