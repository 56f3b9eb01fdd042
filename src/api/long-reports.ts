import type { StateSpan, TimeRange } from '../domain/interval.ts';
import { ApiError } from './errors.ts';

const daySeconds = 86_400;
/** No longest period is shorter than the one that is documented for other reports. */
const shortestSeconds = 8 * daySeconds;
/** A report may begin with the first run in its period. Runs are a day apart at most. */
const overlapSeconds = 2 * daySeconds;

/**
 * Reads a report of states, whose longest period is not documented. If the service rejects a long
 * one, its halves are read, which overlap. Resolves with the reports of the parts, in order.
 */
export async function readInParts<R>(
  period: TimeRange,
  read: (part: TimeRange) => Promise<R>,
): Promise<R[]> {
  const { fromSeconds, toSeconds } = period;
  try {
    return [await read(period)];
  } catch (error) {
    const isRejected = error instanceof ApiError && error.reason === 'bad_request';
    if (!isRejected || toSeconds - fromSeconds <= shortestSeconds) throw error;
  }
  const middle = Math.floor((fromSeconds + toSeconds) / 2);
  const first = await readInParts({ fromSeconds, toSeconds: middle }, read);
  const second = await readInParts({ fromSeconds: middle - overlapSeconds, toSeconds }, read);
  return [...first, ...second];
}

/** The states of consecutive parts. One that two parts have is a single one again. */
export function joinedSpans<S extends StateSpan>(parts: readonly (readonly S[])[]): readonly S[] {
  const joined: S[] = [];
  for (const spans of parts) {
    const end = joined.at(-1)?.toSeconds ?? 0;
    for (const span of spans) {
      const last = joined.at(-1);
      if (span.toSeconds <= end && last !== undefined) continue;
      if (last === undefined || span.fromSeconds >= end) joined.push(span);
      else if (span.state !== last.state) joined.push({ ...span, fromSeconds: end });
      else joined[joined.length - 1] = { ...last, toSeconds: span.toSeconds };
    }
  }
  return joined;
}
