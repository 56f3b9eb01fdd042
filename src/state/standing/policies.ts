import { defaultSloPolicy, type SloPolicy } from '../../windows/groups.ts';
import { defaultOutagePolicy, type OutagePolicy } from '../../windows/outage-policy.ts';

/** What the configuration says, the same for all accounts. A reload replaces an object; otherwise it stays the same. */
export interface Policies {
  /** Objectives and groups. */
  readonly slo: SloPolicy;
  /** Limits of flapping, and promoted labels. */
  readonly outages: OutagePolicy;
}

export function defaultPolicies(): Policies {
  return { slo: defaultSloPolicy(), outages: defaultOutagePolicy };
}
