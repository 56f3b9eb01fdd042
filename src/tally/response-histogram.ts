/** Response times by bucket. All numbers only grow. */
export interface ResponseHistogram {
  /** Results per bucket, not cumulative: one for each bound, and one for what is above the last. */
  readonly counts: readonly number[];
  /** A whole number, so that the sum does not depend on the order. */
  readonly sumMilliseconds: number;
}

export function emptyHistogram(boundsSeconds: readonly number[]): ResponseHistogram {
  return { counts: new Array<number>(boundsSeconds.length + 1).fill(0), sumMilliseconds: 0 };
}

/** `boundsSeconds` ascend and are those the histogram was made with; a time on a bound belongs to its bucket. */
export function observe(
  histogram: ResponseHistogram,
  boundsSeconds: readonly number[],
  timesSeconds: Iterable<number>,
): ResponseHistogram {
  const counts = [...histogram.counts];
  let { sumMilliseconds } = histogram;
  for (const seconds of timesSeconds) {
    const found = boundsSeconds.findIndex((bound) => seconds <= bound);
    const bucket = found === -1 ? boundsSeconds.length : found;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    sumMilliseconds += Math.round(seconds * 1000);
  }
  return { counts, sumMilliseconds };
}
