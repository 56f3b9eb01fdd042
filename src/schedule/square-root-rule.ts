/** The input of the rule for one dataset. */
interface Share {
  readonly items: number;
  readonly cost: number;
  readonly floorSeconds: number;
  readonly weight: number;
}

/** The bisection needs no more steps: the interval is then below the precision of a number. */
const halvings = 200;

/**
 * Computes the intervals in seconds that minimise the total weighted age `Σ n·w·T/2` subject to `Σ
 * n·c/T ≤ requestsPerSecond` and `T ≥ floor`. The optimum is `T = max(floor, s·√(c/w))` with one
 * `s` for all, which is found by bisection. The intervals are Infinity if the rate is 0.
 */
export function squareRootRule(shares: readonly Share[], requestsPerSecond: number): number[] {
  if (spent(shares, 0) <= requestsPerSecond) return shares.map((share) => interval(share, 0));
  if (requestsPerSecond <= 0) return shares.map(() => Number.POSITIVE_INFINITY);
  let tooShort = 0;
  let affordable = withoutFloors(shares) / requestsPerSecond;
  while (spent(shares, affordable) > requestsPerSecond) affordable *= 1 + Number.EPSILON * 8;
  for (let halving = 0; halving < halvings; halving++) {
    const middle = (tooShort + affordable) / 2;
    if (middle <= tooShort || middle >= affordable) break;
    if (spent(shares, middle) <= requestsPerSecond) affordable = middle;
    else tooShort = middle;
  }
  return shares.map((share) => interval(share, affordable));
}

function interval({ cost, weight, floorSeconds }: Share, scale: number): number {
  return Math.max(floorSeconds, scale * Math.sqrt(cost / weight));
}

function spent(shares: readonly Share[], scale: number): number {
  return shares.reduce(
    (sum, share) => sum + (share.items * share.cost) / interval(share, scale),
    0,
  );
}

/** `s · rate` without floors: an upper bound, because floors only save requests. */
function withoutFloors(shares: readonly Share[]): number {
  return shares.reduce((sum, { items, cost, weight }) => sum + items * Math.sqrt(cost * weight), 0);
}
