import { hashUnit } from '../../lib/hash.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  booleanParameter,
  enumListParameter,
  type Inputs,
  integerParameter,
} from '../../server/parameters.ts';
import type { TestResult } from '../../simulation/history.ts';
import { apiVersions, type ResultStatus, resultStatuses } from '../../vocabulary.ts';
import type { Wire } from '../../wire.ts';
import { activeProbes } from '../account/probes.ts';
import { identifiedCheck } from '../identified.ts';
import type { Operation } from '../operation.ts';
import { shownMilliseconds } from '../wire-values.ts';
import { analysisFinder } from './analyses.ts';
import { day, type Period, periodOf, probeSelection } from './report-parameters.ts';
import { resultEntry } from './result-entry.ts';

const maxFilteredPeriod = 31 * day;
const filterNames = ['down', 'up', 'unconfirmed', 'unknown'] as const;

interface ResultFilter {
  readonly statuses: ReadonlySet<ResultStatus>;
  /** Returns whether results with the status are requested. */
  accepts(result: TestResult): boolean;
}

/**
 * The requested raw results (API 3.1, section 4.4). Bounds on the response time exclude results
 * without one.
 */
function resultFilter(inputs: Inputs, { from, to }: Period): ResultFilter {
  const words = enumListParameter(inputs, 'status', filterNames);
  const named = words.map((word) => (word === 'unconfirmed' ? 'unconfirmed_down' : word));
  const isSelected = probeSelection(inputs);
  const shortest = integerParameter(inputs, 'minresponse', { min: 0 });
  const longest = integerParameter(inputs, 'maxresponse', { min: 0 });
  const isBounded = shortest !== undefined || longest !== undefined;
  if (isBounded && to - from > maxFilteredPeriod) {
    throw new HttpError(400, 'The period must not exceed 31 days with minresponse or maxresponse');
  }
  return {
    statuses: new Set(named.length === 0 ? resultStatuses : named),
    accepts: ({ probeId, responseMilliseconds }) =>
      isSelected(probeId) &&
      (!isBounded ||
        (responseMilliseconds !== undefined &&
          responseMilliseconds >= (shortest ?? 0) &&
          responseMilliseconds <= (longest ?? Number.POSITIVE_INFINITY))),
  };
}

const repeatedSalt = 97;

function isRepeated(checkId: number, time: number, { repeatedResults }: Wire): boolean {
  return repeatedResults > 0 && hashUnit(checkId, time, repeatedSalt) < repeatedResults;
}

const maxLimit = 1000;
const maxOffset = 43_200;

/**
 * `GET /results/{checkid}` (API 3.1, sections 2.8 and 4.4; legacy versions, section 4.7): newest
 * first.
 */
export const listResults: Operation = {
  name: 'list_results',
  summary: 'list the raw results of a check',
  method: 'get',
  path: '/results/:checkid',
  versions: apiVersions,
  parameters: [
    'to',
    'from',
    'probes',
    'status',
    'limit',
    'offset',
    'includeanalysis',
    'minresponse',
    'maxresponse',
  ],
  body: 'none',
  run(inputs, context) {
    const check = identifiedCheck(inputs, context);
    const { history, lags, wire } = context.world;
    const period = periodOf(inputs, context.now, (end) => end - day);
    const { from, to } = period;
    const limit = integerParameter(inputs, 'limit', { min: 1 }) ?? maxLimit;
    const offset = integerParameter(inputs, 'offset', { min: 0, max: maxOffset }) ?? 0;
    const filter = resultFilter(inputs, period);
    const analysisOf = booleanParameter(inputs, 'includeanalysis')
      ? analysisFinder(history.outages(check, from, to, context.now))
      : () => undefined;

    const entry = (result: TestResult) => ({
      ...resultEntry(check, result, analysisOf(result)),
      responsetime: shownMilliseconds(wire, result),
    });
    const end = offset + Math.min(limit, maxLimit);
    const results: object[] = [];
    let place = 0;
    for (const result of history.resultsNewestFirst(check, from, to + 1, filter.statuses)) {
      if (!filter.accepts(result)) continue;
      if (!lags.isListed(check.id, result.time, context.askedAt)) continue;
      const times = isRepeated(check.id, result.time, wire) ? 2 : 1;
      for (let time = 0; time < times && place < end; time++) {
        if (place >= offset) results.push(entry(result));
        place += 1;
      }
      if (place === end) break;
    }
    return { results, activeprobes: activeProbes(history, check, period) };
  },
};
