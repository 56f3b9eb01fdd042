import { type EntryOptions, listEntry } from './list-entry.ts';
import type { Operation } from './operation.ts';
import { booleanParameter, listParameter, pageParameters } from './query-parameters.ts';
import type { SandboxCheck } from './sandbox-check.ts';

const largestLimit = 25_000;

/** `GET /checks` (API 3.1, section 4.1). */
export const listChecks: Operation = {
  name: 'checks',
  method: 'get',
  path: '/checks',
  parameters: ['limit', 'offset', 'tags', 'include_tags', 'include_severity', 'showencryption'],
  run(query, { world, now }) {
    const { limit, offset } = pageParameters(query, largestLimit, largestLimit);
    const options: EntryOptions = {
      tags: booleanParameter(query, 'include_tags'),
      severity: booleanParameter(query, 'include_severity'),
      encryption: booleanParameter(query, 'showencryption'),
    };
    const filtered = withAnyTag(world.checks, listParameter(query, 'tags'));
    const page = filtered.slice(offset, offset + limit);
    return {
      checks: page.map((check) => listEntry(check, { world, now }, options)),
      counts: { total: world.checks.length, limited: page.length, filtered: filtered.length },
    };
  },
};

function withAnyTag(checks: readonly SandboxCheck[], tags: readonly string[]) {
  if (tags.length === 0) return checks;
  return checks.filter((check) => check.tags.some(({ name }) => tags.includes(name)));
}
