import { apiVersions } from '../../../domain/version.ts';
import { identifiedCheck } from '../identified.ts';
import type { Operation } from '../operation.ts';
import { inOrder, periodOf, week } from './report-parameters.ts';

/** `GET /summary.outage/{checkid}` (API 3.1, sections 2.9 and 4.4). Unmonitored time is in no state. */
export const readOutages: Operation = {
  name: 'list_outages',
  summary: 'list the states of a check with start and end',
  method: 'get',
  path: '/summary.outage/:checkid',
  versions: apiVersions,
  parameters: ['from', 'to', 'order'],
  body: 'none',
  run(inputs, context) {
    const check = identifiedCheck(inputs, context);
    const { world, now } = context;
    const { from, to } = periodOf(inputs, now, (end) => end - week);
    const segments = world.history.segments(check, from, to, now);
    const states = segments.map((segment) => ({
      status: segment.status,
      timefrom: segment.from,
      timeto: segment.to,
    }));
    return { summary: { states: inOrder(inputs, states) } };
  },
};
