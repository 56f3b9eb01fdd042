import { MonthCalendar } from '../../src/lib/month-calendar.ts';
import { defaultSloPolicy } from '../../src/slo/groups.ts';
import { defaultOutagePolicy } from '../../src/slo/outage-policy.ts';
import type { Policies } from '../../src/state/standing/policies.ts';

/** Those of an empty configuration. */
export function defaultPolicies(): Policies {
  return {
    slo: defaultSloPolicy(),
    outages: defaultOutagePolicy,
    calendar: new MonthCalendar('UTC'),
  };
}
