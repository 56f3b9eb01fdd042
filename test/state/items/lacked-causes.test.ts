import { describe, expect, test } from 'vitest';
import { whole } from '../../../src/lib/whole.ts';
import { StateChanges } from '../../../src/slo/state-changes.ts';
import { emptyLog } from '../../../src/slo/state-log.ts';
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

describe('an outage since first sight', () => {
  const hour = 60 * minute;
  /** A check that was in this state for ten minutes, an hour after first sight. */
  const failed = (state: 'down' | 'unknown', ...analysesAtSeconds: number[]) =>
    changed(analysesAtSeconds, [
      { state: 'up', fromSeconds: start },
      { state, fromSeconds: start + hour },
      { state: 'up', fromSeconds: start + hour + 10 * minute },
    ]);

  function changed(
    analysesAtSeconds: readonly number[],
    states: Parameters<typeof StateChanges.of>[0],
  ) {
    const { entry, totals, details } = openAtFirstSight(3 * hour);
    const { results, analyses } = totals;
    const recent = analysesAtSeconds.map((atSeconds) => ({ atSeconds, key: `${atSeconds}` }));
    const changes = StateChanges.of(states);
    return {
      entry: { ...entry, status: 'up' as const },
      totals: {
        states: { ...totals.states, state: 'up' as const },
        log: { ...emptyLog(start), changes },
        results,
        analyses: { ...analyses, watermark: { ...analyses.watermark, recent } },
      },
      details,
    };
  }

  test('awaits an analysis of its own', () => {
    expect(awaitsAnalysis(failed('down'))).toBe(true);
    expect(awaitsAnalysis(failed('down', start + minute))).toBe(true);
    expect(awaitsAnalysis(failed('down', start + hour))).toBe(false);
    expect(awaitsAnalysis(failed('unknown'))).toBe(false);
  });

  test('awaits one of its own beside another outage, if each is a single failed test', () => {
    const [first, second] = [start + hour, start + hour + 2 * minute];
    const twice = (...analysesAtSeconds: number[]) =>
      changed(analysesAtSeconds, [
        { state: 'up', fromSeconds: start },
        { state: 'down', fromSeconds: first },
        { state: 'up', fromSeconds: first + minute },
        { state: 'down', fromSeconds: second },
        { state: 'up', fromSeconds: second + minute },
      ]);
    expect(awaitsAnalysis(twice(first))).toBe(true);
    expect(awaitsAnalysis(twice(second))).toBe(true);
    expect(awaitsAnalysis(twice(first, second))).toBe(false);
  });
});
