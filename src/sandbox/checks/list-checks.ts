import { apiVersions } from '../../domain/api-version.ts';
import type { Operation } from '../operation.ts';
import { booleanParameter, listParameter, pageParameters } from '../query-parameters.ts';
import type { SandboxCheck } from '../sandbox-check.ts';
import { type EntryOptions, listEntry } from './list-entry.ts';

const largestLimit = 25_000;

const common = ['limit', 'offset', 'tags', 'include_tags'];

/** `GET /checks` (API 3.1, section 4.1; legacy versions, section 4.1). */
export const listChecks: Operation = {
  name: 'checks',
  summary: 'List checks',
  method: 'get',
  path: '/checks',
  versions: apiVersions,
  parameters: (version) =>
    version === '2.0' ? common : [...common, 'include_severity', 'showencryption'],
  body: 'none',
  run(inputs, context) {
    const { world, version } = context;
    const { limit, offset } = pageParameters(inputs, largestLimit, largestLimit);
    const options: EntryOptions = {
      tags: booleanParameter(inputs, 'include_tags'),
      severity: booleanParameter(inputs, 'include_severity'),
      encryption: booleanParameter(inputs, 'showencryption'),
    };
    const filtered = withAnyTag(world.checks, listParameter(inputs, 'tags'));
    const page = filtered.slice(offset, offset + limit);
    const checks = page.map((check) => listEntry(check, context, options));
    if (version === '2.0') return { checks };
    return {
      checks,
      counts: { total: world.checks.length, limited: page.length, filtered: filtered.length },
    };
  },
};

function withAnyTag(checks: readonly SandboxCheck[], tags: readonly string[]) {
  if (tags.length === 0) return checks;
  return checks.filter((check) => check.tags.some(({ name }) => tags.includes(name)));
}
