import { z } from 'zod';
import { type Result, resultStatuses } from '../../domain/result.ts';
import { present } from '../../lib/present.ts';
import { identifier, instant, milliseconds, number, text, wordOf } from './fields.ts';
import { type KeyedListOptions, positiveInteger } from './keyed-list.ts';

/** API 3.1, section 2.8. */
const wireResult = z.object({
  time: instant,
  probeid: identifier,
  status: text,
  responsetime: number,
  analysisid: z.unknown().optional(),
});

function decode(entry: unknown): Result | undefined {
  const wire = wireResult.safeParse(entry).data;
  if (wire === undefined) return undefined;
  return present({
    atSeconds: wire.time,
    probeId: wire.probeid,
    status: statusOf(wire.status),
    responseTimeSeconds: milliseconds(wire.responsetime),
    analysisId: identifier.safeParse(wire.analysisid).data,
  });
}

/** `unconfirmed` is how the filter of the service writes it (API 3.1, section 4.4). */
function statusOf(value: unknown): Result['status'] {
  return value === 'unconfirmed' ? 'unconfirmed_down' : wordOf(resultStatuses, value);
}

export const resultKey = ({ atSeconds, probeId }: Result) => `${atSeconds} ${probeId}`;

export const resultList = {
  field: 'results',
  decode,
  needs: { time: positiveInteger, probeid: positiveInteger },
  keyOf: resultKey,
} satisfies Omit<KeyedListOptions<Result>, 'operation'>;
