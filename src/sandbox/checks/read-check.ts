import { apiVersions } from '../../domain/api-version.ts';
import { identifiedCheck } from '../identified-check.ts';
import type { Operation } from '../operation.ts';
import { booleanParameter } from '../query-parameters.ts';
import { checkDetail } from './check-detail.ts';

/** `GET /checks/{checkid}` (API 3.1, section 4.1; legacy versions, section 4.1). */
export const readCheck: Operation = {
  name: 'check',
  summary: 'One check with its settings',
  method: 'get',
  path: '/checks/:checkid',
  versions: apiVersions,
  parameters: (version) => (version === '2.0' ? [] : ['include_teams']),
  body: 'none',
  run(inputs, context) {
    const check = identifiedCheck(inputs, context);
    return { check: checkDetail(check, context, booleanParameter(inputs, 'include_teams')) };
  },
};
