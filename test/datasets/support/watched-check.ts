import type { Reader } from '../../../src/api/reader.ts';
import { createServiceV31 } from '../../../src/api/versions.ts';
import type { RefreshContext } from '../../../src/datasets/refresh-context.ts';
import { ServiceTime } from '../../../src/datasets/refresh-context.ts';
import type { Check } from '../../../src/domain/check.ts';
import { unixSeconds } from '../../../src/lib/clock.ts';
import { countersOf } from '../../../src/slo/state-log.ts';
import type { CheckTotals } from '../../../src/state/items/totals.ts';
import { startEventTally } from '../../../src/tally/event-tally.ts';
import { startResultTally } from '../../../src/tally/result-tally.ts';
import type { StateTally } from '../../../src/tally/state-tally.ts';
import { shopState } from '../../state/support/shop.ts';
import { refreshWires } from '../../support/refresh-wires.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

export const checkId = 12;
export const startSeconds = 1_767_225_600;
const bounds = [0.1, 1];

/** An account with one check, first seen at the start. `transport` responds for the service. */
export function watchCheck(transport: Reader, byCountry = false) {
  const clock = new VirtualClock(startSeconds * 1000 + 437);
  /** The ids of the items that have left. */
  const left: number[] = [];
  const state = shopState({
    baseUrl: transport.baseUrl,
    clock,
    responseTimeBounds: bounds,
    events: { left: (_kind, items) => left.push(...items.map(({ entry }) => entry.id)) },
  });
  const service = createServiceV31(transport);
  const serviceTime = new ServiceTime({ clock, state });
  const context: RefreshContext = {
    ...refreshWires(clock),
    service,
    state,
    clock,
    serviceTime,
    responseTimeBounds: bounds,
    byCountry,
  };
  /**
   * Reads a check list with the last test of the check, and another check that was tested just now.
   * `atFirstSight` are other totals than those of a check that was always up.
   */
  const list = (
    lastTestAtSeconds?: number,
    entry: Partial<Check> = {},
    atFirstSight: (states: StateTally) => Partial<CheckTotals> = () => ({}),
  ) => {
    const check: Check = {
      id: checkId,
      name: 'shop',
      type: 'http',
      status: 'up',
      tags: [],
      resolutionSeconds: 60,
      ...(lastTestAtSeconds !== undefined && { lastTestAtSeconds }),
      ...entry,
    };
    const states: StateTally = {
      startSeconds,
      horizonSeconds: startSeconds,
      state: 'up',
    };
    serviceTime.observe([check, { ...check, lastTestAtSeconds: unixSeconds(clock) }]);
    state.list('check', [check], () => ({
      states,
      results: startResultTally(startSeconds, bounds),
      analyses: startEventTally(startSeconds),
      ...atFirstSight(states),
    }));
  };
  const totals = () => state.checks.get(checkId)?.totals;
  const counters = () => {
    const known = totals();
    return known && countersOf(known);
  };
  return { context, clock, state, left, list, totals, counters };
}
