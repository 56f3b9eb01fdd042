import type { Operation } from '../operation.ts';

/** `GET /servertime` (legacy versions, section 4.5). */
export const readServerTime: Operation = {
  name: 'servertime',
  summary: 'read the time of the service',
  method: 'get',
  path: '/servertime',
  versions: ['2.0', '2.1'],
  parameters: [],
  body: 'none',
  run: (_inputs, { now }) => ({ servertime: now }),
};
