import { z } from 'zod';
import { type Result, resultStatuses } from '../../domain/results.ts';
import { whole } from '../../lib/whole.ts';
import { arrayIn } from '../decoding/envelope.ts';
import {
  enumValueOf,
  identifier,
  instant,
  milliseconds,
  number,
  text,
  visibleText,
} from '../decoding/fields.ts';
import { ApiError } from '../errors.ts';
import {
  decodedBy,
  KeyedList,
  type KeyedListOptions,
  positiveInteger,
  readPages,
} from '../list.ts';
import { type CheckTimeRange, type Reader, timeRangeParameters } from '../reader.ts';
import type { Listing, RejectedEntry } from '../service.ts';

/** API 3.1, section 2.8. */
const wireResult = z.object({
  time: instant,
  probeid: identifier,
  status: text,
  responsetime: number,
  statusdesc: z.unknown().optional(),
});

/** Longer descriptions are cut, because a table shows them. */
const maxDescriptionCharacters = 200;

const decodeResult = decodedBy(wireResult, (wire) => {
  const status = statusOf(wire.status);
  return {
    atSeconds: wire.time,
    probeId: wire.probeid,
    status,
    responseTimeSeconds: milliseconds(wire.responsetime),
    description: status === 'up' ? undefined : descriptionOf(wire.statusdesc),
  };
});

function descriptionOf(value: unknown): string | undefined {
  const words = typeof value === 'string' ? value.slice(0, maxDescriptionCharacters).trim() : '';
  return visibleText(words);
}

/** Also accepts the filter's word `unconfirmed` (API 3.1, section 4.4). */
function statusOf(value: unknown): Result['status'] {
  const word = enumValueOf([...resultStatuses, 'unconfirmed'], value);
  return word === 'unconfirmed' ? 'unconfirmed_down' : word;
}

const resultKey = ({ atSeconds, probeId }: Result) => `${atSeconds} ${probeId}`;

const resultList = {
  field: 'results',
  decode: decodeResult,
  requiredFields: { time: positiveInteger, probeid: positiveInteger },
  keyOf: resultKey,
} satisfies Omit<KeyedListOptions<Result>, 'operation'>;

const operation = 'list_results';

/** The largest size of a result page (API 3.1, section 8). */
const limit = 1000;
/** The largest offset that the service accepts (API 2.x, section 4.7). */
const maxOffset = 43_200;

/**
 * Reads every result of a check in a period, oldest first (API 3.1, section 4.4). The service sends
 * the newest first. If there are results beyond the largest offset, the list is read again for a
 * period that ends at the oldest result read.
 */
export async function listResults(
  reader: Reader,
  query: CheckTimeRange,
  signal: AbortSignal,
): Promise<Listing<Result>> {
  const results = new Map<string, Result>();
  const rejected: RejectedEntry[] = [];
  let period = query;
  for (;;) {
    const { list, complete } = await readRange(reader, period, signal);
    if (results.size > 0 && !list.items.some((result) => results.has(resultKey(result)))) {
      throw fail('inconsistent', 'results went away while they were read');
    }
    for (const result of list.items) results.set(resultKey(result), result);
    rejected.push(...list.rejected);
    if (complete) return { items: [...results.values()].sort(byTime), rejected };
    period = { ...period, toSeconds: nextEnd(list.items, period) };
  }
}

async function readRange(reader: Reader, query: CheckTimeRange, signal: AbortSignal) {
  const list = new KeyedList({ operation, ...resultList });
  const path = `results/${query.checkId}`;
  const read = async (offset: number) => {
    const page = { limit: whole(limit), offset: whole(offset) };
    const parameters = { ...timeRangeParameters(query), ...page };
    const response = await reader.get({ operation, path, query: parameters, signal });
    return { entries: arrayIn(response, 'results', operation) };
  };
  return { list, complete: await readPages({ operation, list, limit, maxOffset, read }) };
}

/** One second after the oldest result, so that it is read again, end included or not. */
function nextEnd(items: readonly Result[], { toSeconds }: CheckTimeRange): number {
  const newestFirst = items.every(
    ({ atSeconds }, index) => atSeconds <= (items[index - 1]?.atSeconds ?? atSeconds),
  );
  const oldest = items.at(-1)?.atSeconds ?? toSeconds;
  if (!newestFirst) throw fail('shape', 'the results are not in order, newest first');
  if (oldest + 1 >= toSeconds) throw fail('shape', 'too many results at one time');
  return oldest + 1;
}

function byTime(a: Result, b: Result): number {
  return a.atSeconds - b.atSeconds || a.probeId - b.probeId;
}

function fail(reason: 'shape' | 'inconsistent', message: string): ApiError {
  return new ApiError({ reason, operation, message });
}
