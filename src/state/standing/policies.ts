import { defaultSloPolicy, type SloPolicy } from '../../slo/groups.ts';
import { defaultOutagePolicy, type OutagePolicy } from '../../slo/outage-policy.ts';

/** Settings that all accounts share. Only a reload replaces these objects. */
export interface Policies {
  /** Objectives and groups. */
  readonly slo: SloPolicy;
  /** Limits of flapping, and promoted labels. */
  readonly outages: OutagePolicy;
  /** The time zone in which months begin and end. */
  readonly timeZone: string;
}

export function defaultPolicies(): Policies {
  return { slo: defaultSloPolicy(), outages: defaultOutagePolicy, timeZone: 'UTC' };
}
