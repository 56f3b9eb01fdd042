import { apiVersions } from '../../domain/api-version.ts';
import type { Operation } from '../operation.ts';
import { Refusal } from '../refusal.ts';
import { pausedOf, rescheduled, resolutionOf } from './check-schedule.ts';
import { listedChecks } from './listed-checks.ts';

/** `PUT /checks` (API 3.1, section 4.1; legacy versions, section 4.1). */
export const modifyChecks: Operation = {
  name: 'checks.modify',
  summary: 'Pause, resume or set the resolution of many checks',
  method: 'put',
  path: '/checks',
  versions: apiVersions,
  parameters: ['checkids', 'paused', 'resolution'],
  body: 'json-or-form',
  run(inputs, { world, now }) {
    if (!('paused' in inputs) && !('resolution' in inputs)) {
      throw new Refusal(400, 'Parameter paused or resolution is required');
    }
    const checks = 'checkids' in inputs ? listedChecks(inputs, 'checkids', world) : world.checks;
    const schedule = { paused: pausedOf(inputs), minutes: resolutionOf(inputs) };
    for (const check of checks) world.registry.put(rescheduled(check, schedule, now));
    return { message: 'Modification of checks was successful!' };
  },
};
