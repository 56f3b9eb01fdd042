import { MonthCalendar } from '../../src/lib/month-calendar.ts';
import { defaultFlapping } from '../../src/slo/flapping.ts';
import { defaultSloPolicy } from '../../src/slo/groups.ts';
import type { Policies } from '../../src/state/standing/policies.ts';

/** Those of an empty configuration. */
export function defaultPolicies(): Policies {
  return {
    slo: defaultSloPolicy(),
    outages: { flapping: defaultFlapping, promotedOf: () => undefined },
    calendar: new MonthCalendar('UTC'),
  };
}
