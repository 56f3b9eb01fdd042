import { apiVersions } from '../../domain/api-version.ts';
import { identifiedCheck } from '../identified-check.ts';
import type { Operation } from '../operation.ts';
import { required, textParameter } from '../query-parameters.ts';
import { activeProbes } from './active-probes.ts';
import { periodOf } from './period.ts';

/** `GET /summary.probes/{checkid}` (API 3.1, sections 2.9 and 4.4). */
export const readActiveProbes: Operation = {
  name: 'summary.probes',
  summary: 'probes that tested a check',
  method: 'get',
  path: '/summary.probes/:checkid',
  versions: apiVersions,
  parameters: ['from', 'to'],
  body: 'none',
  run(inputs, context) {
    const check = identifiedCheck(inputs, context);
    required('from', textParameter(inputs, 'from'));
    const period = periodOf(inputs, context.now, () => 0);
    return { probes: activeProbes(context.world.history, check, period) };
  },
};
