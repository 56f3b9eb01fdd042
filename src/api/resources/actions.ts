import { z } from 'zod';
import { type Action, type AlertStatus, alertMedia, alertStatuses } from '../../domain/action.ts';
import type { TimeRange } from '../../domain/interval.ts';
import { arrayIn } from '../decoding/envelope.ts';
import { enumValueOf, identifier, instant, text } from '../decoding/fields.ts';
import { decodedBy, positiveInteger, readList } from '../list.ts';
import { type Reader, timeRangeParameters } from '../reader.ts';
import type { Listing } from '../service.ts';

/** API 3.1, section 2.2. */
const wireAction = z.object({
  time: instant,
  checkid: z.unknown().optional(),
  via: text,
  status: text,
});

const actionList = {
  field: 'alerts',
  decode: decodedBy(wireAction, (wire) => ({
    atSeconds: wire.time,
    checkId: identifier.safeParse(wire.checkid).data,
    via: enumValueOf(alertMedia, wire.via),
    status: statusOf(wire.status),
  })),
  requiredFields: { time: positiveInteger },
  // The key excludes the status, which changes while an alert is being delivered.
  keyOf: ({ atSeconds, checkId, via }: Action) => `${atSeconds} ${checkId} ${via}`,
  allowDuplicates: true,
};

/** Responses omit the underscore of the filter's words: `notdelivered` (API 2.x, section 2.2). */
function statusOf(value: unknown): AlertStatus {
  const word = enumValueOf([...alertStatuses, 'notdelivered', 'nocredits'], value);
  if (word === 'notdelivered') return 'not_delivered';
  return word === 'nocredits' ? 'no_credits' : word;
}

const operation = 'list_actions';

/** The size of a result page (API 2.x, section 4.2). */
const limit = 300;

/** The complete list of alerts sent in a period (API 3.1, section 4.3). */
export async function listActions(
  reader: Reader,
  period: TimeRange,
  signal: AbortSignal,
): Promise<Listing<Action>> {
  const pageIn = (response: unknown) => ({
    entries: arrayIn(response, actionList.field, operation, 'actions'),
  });
  const query = timeRangeParameters(period);
  const path = 'actions';
  return readList({ reader, operation, path, query, signal, limit, form: actionList, pageIn });
}
