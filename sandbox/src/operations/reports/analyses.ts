import { HttpError } from '../../server/http-error.ts';
import { integerParameter, pageParameters } from '../../server/parameters.ts';
import type { ConfirmedOutage, TestResult } from '../../simulation/history.ts';
import { probeOf } from '../../simulation/probes.ts';
import { apiVersions } from '../../vocabulary.ts';
import { identifiedCheck } from '../identified.ts';
import type { Operation } from '../operation.ts';
import { periodOf } from './report-parameters.ts';
import { resultEntry } from './result-entry.ts';

const minute = 60;

/** The root cause analysis of an outage (API 3.1, section 2.3). Every confirmed outage has one. */
interface Analysis {
  readonly id: number;
  readonly timefirsttest: number;
  readonly timeconfirmtest: number;
}

function analysisOf({ start, confirmedAt }: ConfirmedOutage): Analysis {
  return { id: analysisId(start), timefirsttest: start, timeconfirmtest: confirmedAt };
}

/** The first and the last second at which the outage of an analysis can have started. */
function startOfAnalysed(id: number): { readonly from: number; readonly to: number } {
  return { from: id * minute, to: (id + 1) * minute - 1 };
}

/** Finds the analysis of a result, if the result is part of a confirmed failure. */
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

/**
 * The minute of the first failed test. It is unique, because the tests of a check are at least a
 * minute apart.
 */
function analysisId(start: number): number {
  return Math.floor(start / minute);
}

const defaultLimit = 100;

/**
 * `GET /analysis/{checkid}` (API 3.1, sections 2.3 and 4.3): ready analyses with a first test in
 * the period, newest first.
 */
export const listAnalyses: Operation = {
  name: 'list_analyses',
  summary: 'list the root cause analyses of a check',
  method: 'get',
  path: '/analysis/:checkid',
  versions: apiVersions,
  parameters: ['limit', 'offset', 'from', 'to'],
  body: 'none',
  run(inputs, context) {
    const check = identifiedCheck(inputs, context);
    const { from, to } = periodOf(inputs, context.now, () => 0);
    const { limit, offset } = pageParameters(inputs, defaultLimit, Number.MAX_SAFE_INTEGER);
    const { history, wire } = context.world;
    const analyses = [...history.outages(check, from, to, context.now)]
      .filter(({ start }) => start >= from)
      .filter(({ confirmedAt }) => confirmedAt + wire.analysisDelaySeconds <= context.now)
      .map(analysisOf);
    return { analysis: analyses.slice(offset, offset + limit) };
  },
};

/**
 * `GET /analysis/{checkid}/{analysisid}` (API 3.1, section 4.3): raw data whose structure is not
 * documented.
 */
export const readAnalysis: Operation = {
  name: 'get_analysis',
  summary: 'read one root cause analysis',
  method: 'get',
  path: '/analysis/:checkid/:analysisid',
  versions: apiVersions,
  parameters: [],
  body: 'none',
  run(inputs, context) {
    const check = identifiedCheck(inputs, context);
    const { history } = context.world;
    const id = integerParameter(inputs, 'analysisid', { min: 0 }) ?? Number.NaN;
    const { from, to } = startOfAnalysed(id);
    const outage = [...history.outages(check, from, to, context.now)].find(
      ({ start }) => start >= from,
    );
    if (outage === undefined) throw new HttpError(404, 'Invalid analysis identifier');

    const { timefirsttest, timeconfirmtest } = analysisOf(outage);
    const tests = [...history.results(check, timefirsttest, timeconfirmtest + 1)];
    return {
      analysisresult: {
        id,
        checkid: check.id,
        timefirsttest,
        timeconfirmtest,
        tasks: tests.map((test) => ({
          ...resultEntry(check, test),
          probe: probeOf(test.probeId)?.name,
          target: check.hostname,
        })),
      },
    };
  },
};
