import type { RefreshContext } from '../../src/datasets/refresh-context.ts';
import type { Sleeper, WallClock } from '../../src/lib/clock.ts';
import { defaultPolicies } from './default-policies.ts';

type Wires = Pick<
  RefreshContext,
  | 'machineClock'
  | 'calendar'
  | 'isEnabled'
  | 'takeEvent'
  | 'takeSpareEvent'
  | 'pastReportsWithin'
  | 'events'
>;

/** What refreshes need besides a service and a state: all datasets, any budget, no listeners. */
export function refreshWires(clock: WallClock & Sleeper): Wires {
  return {
    machineClock: clock,
    calendar: defaultPolicies().calendar,
    isEnabled: () => true,
    takeEvent: () => true,
    takeSpareEvent: () => true,
    pastReportsWithin: () => Number.POSITIVE_INFINITY,
    events: {
      transactionUnitDetected: () => {},
      reportGivenUp: () => {},
      typeNotKnown: () => {},
      tagsLeftOut: () => {},
      changesLeftOut: () => {},
      reportContradicted: () => {},
    },
  };
}
