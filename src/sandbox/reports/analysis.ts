import type { ConfirmedOutage, TestResult } from '../history.ts';

const minute = 60;

/** The root cause analysis of an outage (API 3.1, section 2.3): there is one for every confirmed outage. */
export interface Analysis {
  readonly id: number;
  readonly timefirsttest: number;
  readonly timeconfirmtest: number;
}

export function analysisOf({ start, confirmedAt }: ConfirmedOutage): Analysis {
  return { id: analysisId(start), timefirsttest: start, timeconfirmtest: confirmedAt };
}

/** The first and the last second at which the outage of an analysis can have begun. */
export function startOfAnalysed(id: number): { readonly from: number; readonly to: number } {
  return { from: id * minute, to: (id + 1) * minute - 1 };
}

/** Finds the analysis a result belongs to, if it is one of a confirmed failure. */
export function analysisFinder(
  outages: Iterable<ConfirmedOutage>,
): (result: TestResult) => number | undefined {
  const newestFirst = [...outages];
  return ({ status, time }) => {
    if (status !== 'down') return undefined;
    const outage = newestFirst.find(({ start }) => start <= time);
    return outage && analysisId(outage.start);
  };
}

/** The minute of the first failed test: a check cannot begin two outages in one, as its tests are a minute apart. */
function analysisId(start: number): number {
  return Math.floor(start / minute);
}
