import type { RefreshContext } from '../../src/datasets/refresh-context.ts';
import type { Clock } from '../../src/lib/clock.ts';

type Wires = Pick<
  RefreshContext,
  'machineClock' | 'sleep' | 'isEnabled' | 'takeEvent' | 'takeSpareEvent' | 'events'
>;

/** What refreshes need besides a service and a state: all datasets, any budget, no listeners. */
export function refreshWires(clock: Pick<Clock, 'now' | 'sleep'>): Wires {
  return {
    machineClock: clock,
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    isEnabled: () => true,
    takeEvent: () => true,
    takeSpareEvent: () => true,
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
