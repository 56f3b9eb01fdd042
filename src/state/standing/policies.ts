import type { MonthCalendar } from '../../lib/month-calendar.ts';
import type { SloPolicy } from '../../slo/groups.ts';
import type { OutagePolicy } from '../../slo/outage-policy.ts';

/** Settings that all accounts share. Only a reload replaces these objects. */
export interface Policies {
  /** Objectives and groups. */
  readonly slo: SloPolicy;
  /** Limits of flapping, and promoted labels. */
  readonly outages: OutagePolicy;
  /** The months, in the configured time zone. */
  readonly calendar: MonthCalendar;
}
