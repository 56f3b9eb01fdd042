import { describe, expect, test } from 'vitest';
import { sloPolicyOf } from '../../src/config/objectives-schema.ts';
import type { Check } from '../../src/domain/check.ts';
import { logAtFirstSight } from '../../src/slo/past.ts';
import { errorRanges, rangeLengths } from '../../src/slo/range-seconds.ts';
import { ItemMemory } from '../../src/state/items/item-memory.ts';
import { checkWithCounted } from '../../src/state/items/totals.ts';
import { AccountSlo, sloCheck } from '../../src/state/standing/account-slo.ts';
import { listTimesOf } from '../../src/tally/list-times.ts';
import { settle } from '../../src/tally/settle.ts';
import { startTally } from '../../src/tally/start-tally.ts';
import { defaultPolicies } from '../support/default-policies.ts';
import { noEvents } from './support/shop.ts';

const minute = 60;
const day = 86_400;
const start = 1_767_225_600;
const objective = 0.999;

interface Life {
  readonly resolution: number;
  /** Up before this time, down from the test at this time on. */
  readonly downFrom: number;
  /** Up again from the test at this time on. */
  readonly upFrom: number;
  readonly created: number;
}

/**
 * The service confirms a failure at once, with a second probe. The state lasts until the next test.
 */
function entryAt({ resolution, downFrom, upFrom, created }: Life, now: number): Check {
  const last = now - ((now - start) % resolution);
  const isDown = last >= downFrom && last < upFrom;
  return {
    id: 1,
    name: 'shop',
    type: 'http',
    tags: [],
    status: isDown ? 'down' : 'up',
    resolutionSeconds: resolution,
    createdAtSeconds: created,
    lastTestAtSeconds: last,
    ...(last >= downFrom && {
      lastErrorAtSeconds: Math.min(last, upFrom - resolution),
      lastDownStartAtSeconds: downFrom,
    }),
    ...(last >= upFrom && { lastDownEndAtSeconds: upFrom }),
  };
}

/** Seconds up and down from one moment to another. */
function counted({ downFrom, upFrom, created }: Life, from: number, end: number) {
  const begin = Math.max(from, created);
  const down = Math.max(0, Math.min(end, upFrom) - Math.max(begin, downFrom));
  return { up: end - begin - down, down };
}

/** The true ratio and burn rate of every window, and the true budget. */
function truthAt(life: Life, now: number) {
  const ratios: Record<string, number> = {};
  const burnRates: Record<string, number> = {};
  for (const window of errorRanges) {
    const length = rangeLengths[window];
    const { up, down } = counted(life, now - length, now);
    ratios[window] = down / (up + down);
    burnRates[window] = down / Math.max(up + down, length / 2) / (1 - objective);
  }
  return { ratios, burnRates, remaining: 1 - (ratios['30d'] ?? 0) / (1 - objective) };
}

describe.each([1, 5, 15, 60])('a check tested every %i minutes', (minutes) => {
  test.each([
    ['old', 40 * day],
    ['young', 3 * 3_600],
  ])(
    'that is %s has true ratios, burn rates and budgets at every minute of its first outage',
    (_, age) => {
      const resolution = minutes * minute;
      const downFrom = start + 2 * resolution;
      const upFrom = downFrom + 3 * resolution;
      const life = { resolution, downFrom, upFrom, created: start - age };
      const policy = sloPolicyOf({ default: objective }, {});
      const windows = new AccountSlo(
        { ...defaultPolicies(), slo: policy },
        { tagIgnored: () => {} },
      );
      const first = entryAt(life, start);
      const reading = (entry: Check, now: number, elapsedSeconds?: number) =>
        listTimesOf([entry], {
          requestedAtSeconds: now,
          receivedAtSeconds: now,
          ...(elapsedSeconds !== undefined && { elapsedSeconds }),
        });
      const states = startTally(first, reading(first, start));
      const log = logAtFirstSight(first, first.status, start);
      let totals = {
        states,
        ...(log !== undefined && { log }),
        ...noEvents(start),
      };
      for (let now = start + 30; now < upFrom + 2 * resolution; now += minute) {
        const entry = entryAt(life, now);
        const settled = settle(totals.states, entry, reading(entry, now, minute));
        expect(settled).not.toHaveProperty('report');
        totals = checkWithCounted(totals, settled, []);
        windows.moveTo(now);
        const { seconds: known, budget } = windows.rangesOf(
          new ItemMemory(),
          sloCheck(entry),
          totals,
          [],
        );
        const truth = truthAt(life, now);
        expect(budget.remainingRatio).toBeCloseTo(truth.remaining, 9);
        if (now >= downFrom) {
          for (const window of errorRanges) {
            expect(budget.errorRatios[window]).toBeCloseTo(truth.ratios[window] ?? -1, 9);
            expect(budget.burnRates[window]).toBeCloseTo(truth.burnRates[window] ?? -1, 9);
            const seconds = counted(life, now - rangeLengths[window], now);
            expect({ now, window, down: known[window]?.down }).toEqual({
              now,
              window,
              down: seconds.down,
            });
          }
        }
      }
    },
  );
});
