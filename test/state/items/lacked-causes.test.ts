import { describe, expect, test } from 'vitest';
import { whole } from '../../../src/lib/whole.ts';
import { awaitsAnalysis } from '../../../src/state/items/lacked-causes.ts';
import { noEvents } from '../support/shop.ts';

const [minute, day] = [60, 86_400];
const start = whole(1_767_225_600);
const downSince = start - 10 * minute;

/** A check that was down at first sight, this long afterwards. */
function openAtFirstSight(passedSeconds: number, analysisAtSeconds?: number) {
  const states = {
    startSeconds: start,
    horizonSeconds: start + passedSeconds,
    ...({ state: 'down', resolutionSeconds: minute } as const),
  };
  return {
    entry: {
      id: 1,
      name: 'shop',
      tags: [],
      lastDownStartAtSeconds: downSince,
      ...({ type: 'http', status: 'down' } as const),
    },
    totals: { states, ...noEvents(start) },
    details: {
      ...(analysisAtSeconds !== undefined && {
        notes: {
          value: [{ atSeconds: analysisAtSeconds, causes: [], analysisId: 77 }],
          at: 0,
        },
      }),
    },
  };
}

describe('an outage that was open at first sight', () => {
  test('awaits its analysis for a day', () => {
    expect(awaitsAnalysis(openAtFirstSight(0))).toBe(true);
    expect(awaitsAnalysis(openAtFirstSight(day - 1))).toBe(true);
    expect(awaitsAnalysis(openAtFirstSight(day))).toBe(false);
  });

  test('awaits nothing when its analysis is known, and one of an earlier outage is not its own', () => {
    expect(awaitsAnalysis(openAtFirstSight(minute, downSince + minute))).toBe(false);
    expect(awaitsAnalysis(openAtFirstSight(minute, downSince - 60 * minute))).toBe(true);
  });
});
