import type { Result } from '../domain/result.ts';
import type { TimeRange } from './watermark.ts';

/** API 3.1, section 4.4. */
export const resultPageLimit = 1000;
/** Facts of the service: a larger offset is refused. */
export const largestResultOffset = 43_200;

export interface ResultQuery {
  /** UNIX seconds, both included. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly limit: number;
  readonly offset: number;
}

/**
 * The queries that read a range of raw results, newest first as the service lists them: give each page
 * to `next`. Past the largest offset the end moves down to the oldest result seen, whose second is
 * read again, because its other results may be on the next page. It ends with a page that is not full, or when a
 * second holds more results than can be read.
 */
export function* resultQueries({
  fromSeconds,
  toSeconds,
}: TimeRange): Generator<ResultQuery, void, readonly Result[]> {
  let end = toSeconds;
  let offset = 0;
  let oldest = end;
  for (;;) {
    const page = yield { fromSeconds, toSeconds: end, limit: resultPageLimit, offset };
    for (const { atSeconds } of page) oldest = Math.min(oldest, atSeconds);
    if (page.length < resultPageLimit) return;
    offset += resultPageLimit;
    if (offset <= largestResultOffset) continue;
    if (oldest >= end) return;
    end = oldest;
    offset = 0;
  }
}
