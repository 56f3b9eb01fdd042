/** A request that arrived at the service. Times are monotonic milliseconds of the service. */
export interface ServiceRequest {
  readonly replica: string;
  readonly at: number;
  /** When it was answered or given up. */
  readonly end: number;
}

/** A replica has taken the account. */
export interface Take {
  readonly replica: string;
  readonly at: number;
}

/** A line of the log comes through a pipe, and may be read later than the request that it precedes. */
const lateMilliseconds = 1_000;

/**
 * What is wrong with the requests for one account: after a take, at most `concurrency` requests of each former holder may arrive, and the
 * first request of the new one is alone.
 */
export function requestProblems(
  requests: readonly ServiceRequest[],
  takes: readonly Take[],
  concurrency: number,
): string[] {
  const byTime = requests.toSorted((a, b) => a.at - b.at);
  const tenures = takes
    .toSorted((a, b) => a.at - b.at)
    .map((take, place, all) => ({
      ...take,
      until: all[place + 1]?.at ?? Number.POSITIVE_INFINITY,
      next: all[place + 1],
      own: [] as ServiceRequest[],
      strays: new Map<string, number>(),
    }));
  const early = new Set<string>();
  for (const request of byTime) {
    const tenure = tenures.findLast(({ at }) => at <= request.at);
    const next = tenure === undefined ? tenures[0] : tenures[tenures.indexOf(tenure) + 1];
    const isOfNext = next?.replica === request.replica && next.at - request.at < lateMilliseconds;
    if (tenure?.replica === request.replica) tenure.own.push(request);
    else if (isOfNext) next.own.push(request);
    else if (tenure === undefined) early.add(request.replica);
    else tenure.strays.set(request.replica, (tenure.strays.get(request.replica) ?? 0) + 1);
  }
  const problems = [...early].map((replica) => `${replica} asked before a take`);
  for (const { replica, at, strays, own } of tenures) {
    for (const [former, count] of strays) {
      if (count <= concurrency) continue;
      problems.push(
        `after ${replica} took the account at ${Math.round(at)} ms, ${former} sent ${count} requests`,
      );
    }
    const [first, second] = own;
    if (first !== undefined && second !== undefined && second.at < first.end) {
      problems.push(
        `the first request of ${replica} after its take at ${Math.round(at)} ms was not alone`,
      );
    }
  }
  return problems;
}
