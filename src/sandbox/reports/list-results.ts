import { apiVersions } from '../../domain/api-version.ts';
import { identifiedCheck } from '../identified-check.ts';
import type { Operation } from '../operation.ts';
import { booleanParameter, integerParameter } from '../query-parameters.ts';
import { activeProbes } from './active-probes.ts';
import { analysisFinder } from './analysis.ts';
import { periodOf } from './period.ts';
import { resultEntry } from './result-entry.ts';
import { resultFilter } from './result-filter.ts';
import { day } from './spans-of-time.ts';

const largestLimit = 1000;
const largestOffset = 43_200;

/** `GET /results/{checkid}` (API 3.1, sections 2.8 and 4.4; legacy versions, section 4.7): newest first. */
export const listResults: Operation = {
  name: 'results',
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
    const { history } = context.world;
    const period = periodOf(inputs, context.now, (end) => end - day);
    const { from, to } = period;
    const limit = integerParameter(inputs, 'limit', { min: 1 }) ?? largestLimit;
    const offset = integerParameter(inputs, 'offset', { min: 0, max: largestOffset }) ?? 0;
    const filter = resultFilter(inputs, period);
    const analysisOf = booleanParameter(inputs, 'includeanalysis')
      ? analysisFinder(history.outages(check, from, to, context.now))
      : () => undefined;

    const end = offset + Math.min(limit, largestLimit);
    const results: object[] = [];
    let place = 0;
    for (const result of history.resultsNewestFirst(check, from, to + 1, filter.statuses)) {
      if (!filter.accepts(result)) continue;
      if (place >= offset) results.push(resultEntry(check, result, analysisOf(result)));
      place += 1;
      if (place === end) break;
    }
    return { results, activeprobes: activeProbes(history, check, period) };
  },
};
