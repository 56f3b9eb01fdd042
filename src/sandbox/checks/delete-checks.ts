import { apiVersions } from '../../domain/api-version.ts';
import { identifiedCheck } from '../identified-check.ts';
import type { Operation } from '../operation.ts';
import { required } from '../query-parameters.ts';
import { listedChecks } from './listed-checks.ts';

/** `DELETE /checks/{checkid}` (API 3.1, section 3; legacy versions, section 4.1): irreversible. */
export const deleteCheck: Operation = {
  name: 'check.delete',
  summary: 'Delete a check and its data',
  method: 'delete',
  path: '/checks/:checkid',
  versions: apiVersions,
  parameters: [],
  body: 'none',
  run(inputs, context) {
    context.world.registry.remove(identifiedCheck(inputs, context).id);
    return { message: 'Deletion of check was successful!' };
  },
};

/** `DELETE /checks` (API 3.1, section 4.1; legacy versions, section 4.1). */
export const deleteChecks: Operation = {
  name: 'checks.delete',
  summary: 'Delete many checks and their data',
  method: 'delete',
  path: '/checks',
  versions: apiVersions,
  parameters: ['delcheckids'],
  body: 'json-or-form',
  run(inputs, { world }) {
    required('delcheckids', inputs.delcheckids);
    for (const { id } of listedChecks(inputs, 'delcheckids', world)) world.registry.remove(id);
    return { message: 'Deletion of checks was successful!' };
  },
};
