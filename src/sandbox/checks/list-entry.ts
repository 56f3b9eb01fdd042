import type { OperationContext } from '../operation.ts';
import type { SandboxCheck } from '../sandbox-check.ts';

export interface EntryOptions {
  readonly tags: boolean;
  readonly severity: boolean;
  readonly encryption: boolean;
}

/** A check as the list shows it (API 3.1, section 2.1; legacy versions, section 2.1). What does not apply to it is absent. */
export function listEntry(
  check: SandboxCheck,
  { world, now, version }: OperationContext,
  include: EntryOptions,
): object {
  const current = version === '3.1';
  const { status, lastTest, lastErrorTime, lastOutage } = world.observer.observe(check, now);
  // JSON leaves out what is undefined.
  return {
    id: check.id,
    created: check.created,
    name: check.name,
    hostname: check.hostname,
    resolution: check.resolutionMinutes,
    type: check.type,
    ipv6: check.ipv6,
    status,
    lasterrortime: lastErrorTime,
    lasttesttime: lastTest?.time,
    lastresponsetime: lastTest?.responseMilliseconds,
    lastdownstart: current ? lastOutage?.start : undefined,
    lastdownend: current ? lastOutage?.end : undefined,
    probe_filters: version === '2.1' ? check.settings.probe_filters : undefined,
    severity: include.severity ? check.severity : undefined,
    encryption: include.encryption ? check.settings.encryption : undefined,
    tags: include.tags
      ? check.tags.map((tag) => ({ ...tag, count: world.tagCount(tag.name) }))
      : undefined,
  };
}
