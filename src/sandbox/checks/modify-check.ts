import { apiVersions } from '../../domain/api-version.ts';
import { identifiedCheck } from '../identified-check.ts';
import type { Operation } from '../operation.ts';
import type { SandboxCheck } from '../sandbox-check.ts';
import { changedCheck } from './changed-check.ts';
import { writableParameters } from './create-check.ts';
import { listedChecks } from './listed-checks.ts';

/** `PUT /checks/{checkid}` (API 3.1, section 4.1; legacy versions, section 4.1). */
export const modifyCheck: Operation = {
  name: 'check.modify',
  summary: 'Modify a check',
  method: 'put',
  path: '/checks/:checkid',
  versions: apiVersions,
  parameters: (version) => [
    ...writableParameters(version),
    'addtags',
    ...(version === '2.0' ? [] : ['checkids']),
  ],
  body: 'json-or-form',
  run(inputs, context) {
    const { world } = context;
    const named = identifiedCheck(inputs, context);
    const others = 'checkids' in inputs ? listedChecks(inputs, 'checkids', world) : [];
    const checks = new Set<SandboxCheck>([named, ...others]);
    // All are tried before one is changed.
    const changed = [...checks].map((check) => changedCheck(check, inputs, context));
    for (const check of changed) world.registry.put(check);
    return { message: 'Modification of check was successful!' };
  },
};
