import { hashUnit } from '../../lib/hash.ts';
import { day } from '../../lib/instant.ts';
import { HttpError } from '../../server/http-error.ts';
import { enumListParameter, integerListParameter } from '../../server/parameters.ts';
import type { TestResult } from '../../simulation/history.ts';
import { type ResultStatus, resultStatuses } from '../../vocabulary.ts';
import type { Wire } from '../../wire.ts';
import { activeProbes } from '../account/probes.ts';
import { checkById, count, flag, type Period, page, period, selection } from '../readers.ts';
import { operation, type Reader } from '../table.ts';
import { shownMilliseconds } from '../wire-values.ts';
import { analysisFinder } from './analyses.ts';
import { resultEntry } from './result-entry.ts';

const maxFilteredPeriod = 31 * day;
const filterNames = ['down', 'up', 'unconfirmed', 'unknown'] as const;

const statuses: Reader<ReadonlySet<ResultStatus>> = (inputs, name) => {
  const words = enumListParameter(inputs, name, filterNames);
  const named = words.map((word) => (word === 'unconfirmed' ? 'unconfirmed_down' : word));
  return new Set(named.length === 0 ? resultStatuses : named);
};

interface ResponseBounds {
  readonly minresponse: number | undefined;
  readonly maxresponse: number | undefined;
}

/** Bounds on the response time exclude results without one. */
function withinBounds(
  { minresponse, maxresponse }: ResponseBounds,
  { from, to }: Period,
): (result: TestResult) => boolean {
  if (minresponse === undefined && maxresponse === undefined) return () => true;
  if (to - from > maxFilteredPeriod) {
    throw new HttpError(400, 'The period must not exceed 31 days with minresponse or maxresponse');
  }
  return ({ responseMilliseconds }) =>
    responseMilliseconds !== undefined &&
    responseMilliseconds >= (minresponse ?? 0) &&
    responseMilliseconds <= (maxresponse ?? Number.POSITIVE_INFINITY);
}

const repeatedSalt = 97;

function isRepeated(checkId: number, time: number, { repeatedResults }: Wire): boolean {
  return repeatedResults > 0 && hashUnit(checkId, time, repeatedSalt) < repeatedResults;
}

const maxLimit = 1000;
const maxOffset = 43_200;

/** API 3.1, sections 2.8 and 4.4; legacy versions, section 4.7: newest first. */
export const listResults = operation(
  'list_results',
  'GET /results/:checkid',
  'list the raw results of a check',
  {
    checkid: checkById,
    period: period((end) => end - day),
    page: page(maxLimit, () => ({ offset: maxOffset })),
    probes: integerListParameter,
    status: statuses,
    includeanalysis: flag,
    minresponse: count,
    maxresponse: count,
  },
  ({ checkid: check, period: asked, page: { limit, offset }, status, ...given }, context) => {
    const { history, lags, wire } = context.world;
    const { from, to } = asked;
    const isSelected = selection(given.probes);
    const isWithinBounds = withinBounds(given, asked);
    const analysisOf = given.includeanalysis
      ? analysisFinder(history.outages(check, from, to, context.now))
      : () => undefined;

    const entry = (result: TestResult) => ({
      ...resultEntry(check, result, analysisOf(result)),
      responsetime: shownMilliseconds(wire, result),
    });
    const end = offset + Math.min(limit, maxLimit);
    const results: object[] = [];
    let place = 0;
    for (const result of history.resultsNewestFirst(check, from, to + 1, status)) {
      if (!isSelected(result.probeId) || !isWithinBounds(result)) continue;
      if (!lags.isListed(check.id, result.time, context.askedAt)) continue;
      const times = isRepeated(check.id, result.time, wire) ? 2 : 1;
      for (let time = 0; time < times && place < end; time++) {
        if (place >= offset) results.push(entry(result));
        place += 1;
      }
      if (place === end) break;
    }
    return { results, activeprobes: activeProbes(history, check, asked) };
  },
);
