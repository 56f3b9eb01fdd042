import { minute } from '../../lib/instant.ts';
import { HttpError } from '../../server/http-error.ts';
import type { ConfirmedOutage, TestResult } from '../../simulation/history.ts';
import { probeOf } from '../../simulation/probes.ts';
import { checkById, count, pageOf, period, strictPage } from '../readers.ts';
import { operation, required } from '../table.ts';
import { resultEntry } from './result-entry.ts';

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

/** API 3.1, sections 2.3 and 4.3: ready analyses with a first test in the period, newest first. */
export const listAnalyses = operation(
  'list_analyses',
  'GET /analysis/:checkid',
  'list the root cause analyses of a check',
  { checkid: checkById, period: period(), page: strictPage(defaultLimit) },
  ({ checkid: check, period: { from, to }, page }, { world: { history, wire }, now }) => {
    const analyses = [...history.outages(check, from, to, now)]
      .filter(({ start }) => start >= from)
      .filter(({ confirmedAt }) => confirmedAt + wire.analysisDelaySeconds <= now)
      .map(analysisOf);
    return { analysis: pageOf(analyses, page) };
  },
);

/** API 3.1, section 4.3: raw data whose structure is not documented. */
export const readAnalysis = operation(
  'get_analysis',
  'GET /analysis/:checkid/:analysisid',
  'read one root cause analysis',
  { checkid: checkById, analysisid: required(count) },
  ({ checkid: check, analysisid: id }, { world: { history }, now }) => {
    const { from, to } = startOfAnalysed(id);
    const outage = [...history.outages(check, from, to, now)].find(({ start }) => start >= from);
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
);
