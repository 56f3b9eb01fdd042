/** Response times by bucket. All numbers only grow. */
export interface ResponseHistogram {
  /** Inclusive upper bounds, ascending. Stored with the counts, which mean nothing without them. */
  readonly boundsSeconds: readonly number[];
  /** Results per bucket, not cumulative. The last count is for results above all bounds. */
  readonly counts: readonly number[];
  /** A whole number, so that the sum does not depend on the order. */
  readonly sumMilliseconds: number;
}

export function emptyHistogram(boundsSeconds: readonly number[]): ResponseHistogram {
  const counts = new Array<number>(boundsSeconds.length + 1).fill(0);
  return { boundsSeconds, counts, sumMilliseconds: 0 };
}

/**
 * The histogram to continue with for these bounds. It starts empty if it was counted with other
 * bounds, because counted results cannot be moved to other buckets. Prometheus sees a counter
 * reset.
 */
export function resumeHistogram(
  histogram: ResponseHistogram,
  boundsSeconds: readonly number[],
): ResponseHistogram {
  const counted = histogram.boundsSeconds;
  const isSame =
    counted.length === boundsSeconds.length &&
    counted.every((bound, place) => bound === boundsSeconds[place]);
  return isSame ? histogram : emptyHistogram(boundsSeconds);
}

export function observe(
  histogram: ResponseHistogram,
  timesSeconds: Iterable<number>,
): ResponseHistogram {
  const { boundsSeconds } = histogram;
  const counts = [...histogram.counts];
  let { sumMilliseconds } = histogram;
  for (const seconds of timesSeconds) {
    const found = boundsSeconds.findIndex((bound) => seconds <= bound);
    const bucket = found === -1 ? boundsSeconds.length : found;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    sumMilliseconds += roundedMilliseconds(seconds);
  }
  return { boundsSeconds, counts, sumMilliseconds };
}

/** The service measures in whole milliseconds (API 3.1, section 2.8). */
export function roundedMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}
