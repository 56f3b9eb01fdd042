import { expect, test } from 'vitest';
import type { Check } from '../../../src/domain/check.ts';
import { type StateChange, StateChanges } from '../../../src/slo/state-changes.ts';
import { emptyLog } from '../../../src/slo/state-log.ts';
import type { AccountState } from '../../../src/state/account-state.ts';
import type { CheckTotals } from '../../../src/state/items/totals.ts';
import { extent } from '../../support/extent.ts';
import fc from '../../support/fast-check.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { noEvents, shopState } from '../support/shop.ts';
import { storedOf } from '../support/stored-state.ts';

const start = 1_767_614_400;
const [minute, hour, day] = [60, 3_600, 86_400];
const ids = Array.from({ length: 30 }, (_, place) => place + 1);
const clock = new VirtualClock(start * 1000);

const emptyState = () => shopState({ clock });

function aCheck(id: number): Check {
  const lastTestAtSeconds = start;
  return { id, name: `check ${id}`, type: 'http', status: 'up', tags: [], lastTestAtSeconds };
}

/** Down for a minute at each of these hours before the start. */
function totals(hoursAgo: readonly number[]): CheckTotals {
  const changes = [...hoursAgo]
    .sort((a, b) => b - a)
    .flatMap((hours): StateChange[] => [
      { state: 'down', fromSeconds: start - hours * hour },
      { state: 'up', fromSeconds: start - hours * hour + minute },
    ]);
  const first: StateChange = { state: 'up', fromSeconds: start - 35 * day };
  return {
    states: { startSeconds: first.fromSeconds, horizonSeconds: start, state: 'up' },
    ...noEvents(start),
    ...(changes.length > 0 && {
      log: { ...emptyLog(first.fromSeconds), changes: StateChanges.of([first, ...changes]) },
    }),
  };
}

/** Each check had six outages: most of the 180 are too old to be shown. */
async function aState(): Promise<AccountState> {
  const state = emptyState();
  await list(state, ids);
  const checks = new Map(
    ids.map((id) => [id, totals(Array.from({ length: 6 }, (_, n) => id * 6 + n))]),
  );
  await state.totals.commit(() => ({ checks }));
  return state;
}

async function list(state: AccountState, listed: readonly number[]): Promise<void> {
  state.list('check', listed.map(aCheck), () => totals([]));
  await state.totals.commit(() => ({ checks: new Map(state.checks.removed) }));
}

const id = fc.constantFrom(...ids);
const step = fc.oneof(
  fc.record({
    id,
    hoursAgo: fc.uniqueArray(fc.integer({ min: 1, max: 800 }), { maxLength: 12 }),
  }),
  fc.record({ removed: fc.uniqueArray(id, { maxLength: 10 }) }),
);

test('the newest outages are those of an account that was just restored, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const state = await aState();
      expect(state.snapshot().recentOutages).toHaveLength(100);
      for (const change of steps) {
        if ('removed' in change) {
          const left = ids.filter((of) => !change.removed.includes(of));
          await list(state, left);
        } else if (state.checks.has(change.id)) {
          const checks = new Map([[change.id, totals(change.hoursAgo)]]);
          await state.totals.commit(() => ({ checks }));
        }
        const restored = emptyState();
        restored.restore(storedOf(state));
        expect(state.snapshot().recentOutages).toEqual(restored.snapshot().recentOutages);
      }
    }),
    { numRuns: extent(20, 200) },
  );
});
