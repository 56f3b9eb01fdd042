import { describe, expect, test } from 'vitest';
import {
  averagesAfter,
  averagesOf,
  type HourlyAverages,
  hoursToAsk,
  readUntil,
} from '../../src/slo/hourly-averages.ts';
import {
  lastOutages,
  notesOfAnalyses,
  notesOfResults,
  quantilesOf,
} from '../../src/slo/last-outages.ts';
import { StateChanges } from '../../src/slo/state-changes.ts';
import { emptyLog } from '../../src/slo/state-log.ts';

const hour = 3_600;
const start = 1_767_225_600;
const result = { probeId: 1, status: 'up' as const };

describe('the last outages', () => {
  const changes = Array.from({ length: 60 }, (_, place) => ({
    state: place % 2 === 0 ? ('up' as const) : ('down' as const),
    fromSeconds: start + place * 2 * hour,
  }));
  const states = {
    startSeconds: start,
    horizonSeconds: start + 119 * hour,
    state: 'down' as const,
  };
  const log = { ...emptyLog(start), changes: StateChanges.of(changes) };
  const item = { known: { states, log }, endSeconds: states.horizonSeconds };

  test('are at most 20, the newest first, and the one that goes on has no end', () => {
    const outages = lastOutages(item);
    expect(outages).toHaveLength(20);
    expect(outages[0]).toEqual({ fromSeconds: start + 118 * hour, causes: [] });
    expect(outages[1]).toMatchObject({ toSeconds: start + 116 * hour });
  });

  test('have the newest notes, in whatever order these are read', () => {
    const analyses = Array.from({ length: 1_000 }, (_, place) => ({
      id: place,
      confirmTestAtSeconds: start - place,
    }));
    const notes = notesOfAnalyses([], analyses);
    expect(notes.length).toBeLessThan(1_000);
    expect(notes).toEqual(
      notes.map((_, place) => {
        const age = notes.length - 1 - place;
        return { atSeconds: start - age, analysisId: age };
      }),
    );
  });

  test('have the causes that probes told, and the analysis', () => {
    const at = start + 114 * hour;
    const notes = notesOfResults(undefined, [
      { ...result, atSeconds: at - 60, status: 'unconfirmed_down', description: 'Timeout' },
      { ...result, atSeconds: at, status: 'down', description: 'Timeout' },
      { ...result, atSeconds: at + 60, status: 'down', description: 'HTTP Error 503' },
    ]);
    expect(notes).toHaveLength(2);
    const all = notesOfAnalyses(notes, [{ id: 77, confirmTestAtSeconds: at + 30 }]);
    const [, second, third] = lastOutages(item, all);
    expect(second).toMatchObject({ causes: ['Timeout', 'HTTP Error 503'], analysisId: 77 });
    expect(third?.causes).toEqual([]);
  });
});

test('an outage after time that is not counted does not have the cause of one in this time', () => {
  const horizonSeconds = start + hour;
  const states = {
    ...{ startSeconds: start, horizonSeconds, state: 'up' as const },
    resolutionSeconds: 60,
  };
  const fromSeconds = horizonSeconds + 2_400;
  const item = {
    known: { states, log: emptyLog(start) },
    endSeconds: horizonSeconds + 60,
    listedOpen: { fromSeconds },
    listedAtSeconds: fromSeconds + 60,
  };
  const notes = [
    { atSeconds: fromSeconds - 840, cause: 'DNS failure' },
    { atSeconds: fromSeconds - 840, analysisId: 7 },
    { atSeconds: fromSeconds - 60, cause: 'Timeout' },
  ];
  expect(lastOutages(item, notes)).toEqual([{ fromSeconds, causes: ['Timeout'] }]);
});

describe('hourly averages', () => {
  const interval = (place: number, seconds?: number) => ({
    startAtSeconds: start + place * hour,
    complete: true,
    ...(seconds !== undefined && { averageResponseTimeSeconds: seconds }),
  });

  const hoursOf = (known: HourlyAverages | undefined) => {
    if (known === undefined) throw new Error('no hour is known');
    return averagesOf(known);
  };

  test('are asked for once, a week at first, and kept for 30 days', () => {
    expect(hoursToAsk(undefined, start)).toEqual({
      fromSeconds: start - 168 * hour,
      toSeconds: start,
    });
    const known = averagesAfter(undefined, [interval(-2, 0.25), interval(-1)]);
    expect(hoursOf(known)).toEqual([[start - 2 * hour, 0.25]]);
    const later = start + 3 * hour;
    expect(hoursToAsk(known, later)).toEqual({ fromSeconds: start, toSeconds: later });
    // Two hours contain a whole one in every time zone.
    expect(hoursToAsk(known, start + hour)).toEqual({
      fromSeconds: start - hour,
      toSeconds: start + hour,
    });
    const next = averagesAfter(known, [interval(0, 0.1), interval(2, 100)]);
    expect(hoursOf(next)).toEqual([
      [start - 2 * hour, 0.25],
      [start, 0.1],
      [start + 2 * hour, 65.535],
    ]);
    expect(averagesAfter(next, [])).toBe(next);
    const weeksLater = averagesAfter(next, [interval(399, 1)]);
    expect(hoursOf(weeksLater)).toEqual([...hoursOf(next), [start + 399 * hour, 1]]);
    const monthLater = averagesAfter(weeksLater, [interval(719, 1), interval(1_000, 1)]);
    expect(hoursOf(monthLater).map(([at]) => at)).toEqual(
      [399, 719, 1_000].map((place) => start + place * hour),
    );
  });

  test('say from when and until when they were read, whether or not something was measured', () => {
    const known = averagesAfter(undefined, [interval(-3, 0.25), interval(-1)]);
    expect(known?.startAtSeconds).toBe(start - 168 * hour);
    expect(known && readUntil(known)).toBe(start);
    const next = averagesAfter(known, [interval(0, 0.1), interval(10)]);
    expect(next?.startAtSeconds).toBe(start - 168 * hour);
    expect(next && readUntil(next)).toBe(start + 11 * hour);
  });

  test('begin with the report after the time zone of the account changed by half an hour', () => {
    const known = averagesAfter(undefined, [interval(-2, 0.25), interval(-1, 0.25)]);
    const next = averagesAfter(known, [interval(0, 0.3), interval(0.5, 0.1), interval(1.5, 0.2)]);
    expect(hoursOf(next)).toEqual([
      [start + 0.5 * hour, 0.1],
      [start + 1.5 * hour, 0.2],
    ]);
    // No earlier hour is shown as read, and the next request begins with the next hour.
    expect(next?.startAtSeconds).toBe(start + 0.5 * hour);
    expect(next && readUntil(next)).toBe(start + 2.5 * hour);
    const later = averagesAfter(next, [interval(2.5, 0.4)]);
    expect(hoursOf(later)).toEqual([...hoursOf(next), [start + 2.5 * hour, 0.4]]);
  });
});

test('quantiles are those of the results that were read', () => {
  const range = { fromSeconds: start, toSeconds: start + hour };
  const results = Array.from({ length: 100 }, (_, place) => ({
    ...result,
    atSeconds: start + place,
    responseTimeSeconds: (100 - place) / 100,
  }));
  expect(quantilesOf(range, results)).toEqual({ ...range, p50Seconds: 0.5, p95Seconds: 0.95 });
  // The results of failed tests have no response time.
  const failed = Array.from({ length: 100 }, () => ({ ...result, atSeconds: start }));
  expect(quantilesOf(range, failed)).toBeUndefined();
  expect(quantilesOf(range, [...failed, ...results.slice(0, 19)])).toBeUndefined();
  expect(quantilesOf(range, [...failed, ...results.slice(0, 20)])?.p95Seconds).toBe(0.99);
});
