import { apiVersions } from '../../domain/api-version.ts';
import { identifiedCheck } from '../identified-check.ts';
import type { Operation } from '../operation.ts';
import { pageParameters } from '../query-parameters.ts';
import { analysisOf } from './analysis.ts';
import { periodOf } from './period.ts';

const defaultLimit = 100;

/** `GET /analysis/{checkid}` (API 3.1, sections 2.3 and 4.3): those whose first test is in the period, newest first. */
export const listAnalyses: Operation = {
  name: 'analyses',
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
    const analyses = [...context.world.history.outages(check, from, to, context.now)]
      .filter(({ start }) => start >= from)
      .map(analysisOf);
    return { analysis: analyses.slice(offset, offset + limit) };
  },
};
