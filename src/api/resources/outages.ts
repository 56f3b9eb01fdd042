import {
  type MonitoredState,
  monitoredStates,
  type StateSpan,
  type TimeRange,
} from '../../domain/interval.ts';
import { isObject } from '../decoding/envelope.ts';
import { enumValueOf, readIdentifier, timestamp } from '../decoding/fields.ts';
import { positiveInteger, readWhole } from '../list.ts';
import { joinedSpans, readInParts } from '../long-reports.ts';
import { type CheckTimeRange, type Reader, timeRangeParameters } from '../reader.ts';
import type { Listing, RejectedEntry } from '../service.ts';

/**
 * Sorts spans by time. A span that begins before its predecessor ends is omitted, and reported unless
 * it has no duration.
 */
export function withoutOverlaps<S extends StateSpan<MonitoredState>>(
  { items, rejected }: Listing<S>,
  field: string,
): Listing<S> {
  const sorted = items.toSorted((a, b) => a.fromSeconds - b.fromSeconds);
  const apart: S[] = [];
  const overlapping: RejectedEntry[] = [];
  for (const span of sorted) {
    if (span.fromSeconds < (apart.at(-1)?.toSeconds ?? 0)) {
      if (span.fromSeconds === span.toSeconds) continue;
      const detail = `${field}: two of its states overlap`;
      overlapping.push({ reason: 'overlap', detail });
    } else {
      apart.push(span);
    }
  }
  return { items: apart, rejected: [...rejected, ...overlapping] };
}

export const spanKey = ({ fromSeconds, toSeconds }: TimeRange) => `${fromSeconds}-${toSeconds}`;

/**
 * A state of a report (API 3.1, section 2.9). It is decoded without a schema, because a large
 * account is first read with the reports of all its checks.
 */
function decodeSpan(entry: unknown): StateSpan<MonitoredState> | undefined {
  if (!isObject(entry)) return undefined;
  const fromSeconds = timestamp(readIdentifier(entry.timefrom));
  const toSeconds = timestamp(readIdentifier(entry.timeto));
  if (fromSeconds === undefined || toSeconds === undefined) return undefined;
  if (fromSeconds > toSeconds) return undefined;
  return { state: enumValueOf(monitoredStates, entry.status), fromSeconds, toSeconds };
}

const spanList = {
  field: 'states',
  decode: decodeSpan,
  requiredFields: { timefrom: positiveInteger, timeto: `${positiveInteger} not before timefrom` },
  keyOf: spanKey,
  areParts: true,
};

const operation = 'list_outages';

/**
 * A report may begin with the first test in its period, instead of the state at its start. Tests are
 * at most an hour apart (API 3.1, section 2.1), and may be late.
 */
const earlierSeconds = 2 * 3_600;

/** The states of a check over a period, in order (API 3.1, section 4.4). */
export async function listOutages(
  reader: Reader,
  { checkId, fromSeconds, toSeconds }: CheckTimeRange,
  signal: AbortSignal,
): Promise<Listing<StateSpan<MonitoredState>>> {
  const path = `summary.outage/${checkId}`;
  const longer = { fromSeconds: fromSeconds - earlierSeconds, toSeconds };
  const reports = await readInParts(longer, async (part) => {
    const query = { ...timeRangeParameters(part), order: 'asc' };
    const spans = await readWhole(reader, spanList, { operation, path, query, signal }, 'summary');
    return withoutOverlaps(spans, spanList.field);
  });
  const items = joinedSpans(reports.map((report) => report.items));
  return {
    items: items.filter((span) => span.toSeconds > fromSeconds),
    rejected: reports.flatMap(({ rejected }) => rejected),
  };
}
