/** A request that arrived at the service. Times are monotonic milliseconds of the service. */
export interface ServiceRequest {
  readonly replica: string;
  readonly at: number;
  /** When it was answered or given up. */
  readonly end: number;
}

/** A replica has taken the account. */
interface Take {
  readonly replica: string;
  readonly at: number;
}

/**
 * What is wrong with the requests for one account from its first take on: after a take, at most
 * `concurrency` requests of each former holder may arrive, and the first request of the new one is
 * alone.
 */
export function requestProblems(
  requests: readonly ServiceRequest[],
  takes: readonly Take[],
  concurrency: number,
): string[] {
  const tenures = takes
    .toSorted((a, b) => a.at - b.at)
    .map((take) => ({
      ...take,
      own: [] as ServiceRequest[],
      strays: new Map<string, number>(),
    }));
  for (const request of requests.toSorted((a, b) => a.at - b.at)) {
    const tenure = tenures.findLast(({ at }) => at <= request.at);
    if (tenure === undefined) continue;
    const { replica, own, strays } = tenure;
    if (replica === request.replica) own.push(request);
    else strays.set(request.replica, (strays.get(request.replica) ?? 0) + 1);
  }
  const problems: string[] = [];
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
