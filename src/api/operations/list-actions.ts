import type { Action } from '../../domain/action.ts';
import type { Period } from '../../domain/period.ts';
import { readList } from '../read-list.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { actionList } from '../wire/action.ts';
import { arrayIn, objectIn } from '../wire/envelope.ts';
import { periodQuery } from '../wire/period-query.ts';

const operation = 'list_actions';

/** API 2.x, section 4.2. */
const limit = 300;

/** The alerts sent in a period, complete or not at all (API 3.1, section 4.3). */
export async function listActions(
  reader: Reader,
  period: Period,
  signal: AbortSignal,
): Promise<Listing<Action>> {
  const pageIn = (reply: unknown) => ({
    entries: arrayIn(objectIn(reply, 'actions', operation), actionList.field, operation),
  });
  const query = periodQuery(period);
  const path = 'actions';
  return readList({ reader, operation, path, query, signal, limit, form: actionList, pageIn });
}
