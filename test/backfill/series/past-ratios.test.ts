import { describe, expect, test } from 'vitest';
import type { PastItem } from '../../../src/backfill/series/past-item.ts';
import { pastGaugeFamilies } from '../../../src/backfill/series/past-ratios.ts';
import { Past } from '../../../src/backfill/series/past-series.ts';
import { encodeStates } from '../../../src/backfill/series/past-states.ts';
import type { StateSpan } from '../../../src/domain/interval.ts';

const day = 86_400;
const midnight = Date.UTC(2026, 0, 5) / 1000;
const from = midnight - 62 * day;
const firstSeenSeconds = midnight + 12 * 3_600 + 17;

/** Outages of 10 minutes on several days, one of them half in maintenance. */
const downs = [40, 33, 20, 3].map((days) => midnight - days * day + 7_000);
const maintenance: [number, number][] = [
  [midnight - 20 * day + 7_300, midnight - 20 * day + 9_000],
];

function pastWith(changes: Partial<PastItem> = {}): Past {
  const spans: StateSpan[] = [];
  let at = from;
  for (const down of downs) {
    spans.push({ state: 'up', fromSeconds: at, toSeconds: down });
    spans.push({ state: 'down', fromSeconds: down, toSeconds: down + 600 });
    at = down + 600;
  }
  spans.push({ state: 'up', fromSeconds: at, toSeconds: firstSeenSeconds });
  return new Past({
    ...{ kind: 'check', id: 1, labels: { name: 'Shop' }, firstSeenSeconds, maintenance },
    past: { fromSeconds: from, toSeconds: firstSeenSeconds, states: encodeStates(spans) },
    objective: 0.999,
    ...changes,
  });
}

/** Counted second by second. */
function ratioAt(end: number, seconds: number): number {
  let [down, all] = [0, 0];
  const inMaintenance = (at: number) => maintenance.some(([a, b]) => a <= at && at < b);
  const isDown = (at: number) => downs.some((start) => start <= at && at < start + 600);
  for (let at = end - seconds; at < end; at++) {
    if (inMaintenance(at)) continue;
    all += 1;
    if (isDown(at)) down += 1;
  }
  return down / all;
}

const seriesOf = (name: string, past: Past, dayStart: number) => {
  const family = pastGaugeFamilies.find((candidate) => candidate.name === name);
  const within = { fromSeconds: dayStart, toSeconds: dayStart + day };
  return family?.seriesOf(past, within, midnight - 30 * day) ?? [];
};

describe('the error ratios of a past', () => {
  test('are those that are counted second by second, without maintenance', () => {
    const series = seriesOf('uptime_check_error_ratio', pastWith(), midnight - 3 * day);
    expect(series.map(({ labels }) => labels.window)).toEqual([
      '5m',
      '30m',
      '1h',
      '2h',
      '6h',
      '1d',
      '3d',
      '7d',
      '30d',
    ]);
    const lengths = [300, 1_800, 3_600, 7_200, 21_600, day, 3 * day, 7 * day, 30 * day];
    for (const [place, { samples }] of series.entries()) {
      expect(samples).toHaveLength(288);
      for (const sample of [24, 26, 60]) {
        const [at, ratio] = samples[sample] ?? [0, Number.NaN];
        expect(ratio).toBeCloseTo(ratioAt(at, lengths[place] ?? 0), 12);
      }
    }
  });

  test('are shown for the longest window alone while there was no downtime within 30 days', () => {
    const [one, ...more] = seriesOf(
      'uptime_check_error_ratio',
      pastWith({ maintenance: [] }),
      midnight - 29 * day,
    );
    expect(one?.labels.window).toBe('5m');
    expect(more).toHaveLength(8);
    const quiet = pastWith({
      past: {
        fromSeconds: from,
        toSeconds: firstSeenSeconds,
        states: `u${firstSeenSeconds - from}`,
      },
    });
    const [longest, ...others] = seriesOf('uptime_check_error_ratio', quiet, midnight);
    expect(longest?.labels.window).toBe('30d');
    expect(longest?.samples.every(([, ratio]) => ratio === 0)).toBe(true);
    expect(others).toEqual([]);
  });

  test('end before the live gauge begins, and begin where the whole window is known', () => {
    const [last] = seriesOf('uptime_check_error_ratio', pastWith(), midnight).slice(-1);
    expect(last?.samples.at(-1)?.[0]).toBe(midnight + 12 * 3_600);
    expect(seriesOf('uptime_check_error_ratio', pastWith(), midnight - 31 * day)).toEqual([]);
    const short = pastWith({
      past: {
        fromSeconds: midnight - 10 * day,
        toSeconds: firstSeenSeconds,
        states: `u${firstSeenSeconds - midnight + 10 * day}`,
      },
    });
    expect(seriesOf('uptime_check_error_ratio', short, midnight)).toEqual([]);
  });

  test('have the burn rate of a day, while there was downtime within 30 days', () => {
    const [{ labels, samples } = { labels: {}, samples: [] }] = seriesOf(
      'uptime_check_burn_rate',
      pastWith(),
      midnight - 3 * day,
    );
    expect(labels).toEqual({ window: '1d' });
    const [at, rate] = samples[60] ?? [0, Number.NaN];
    expect(rate).toBeCloseTo(ratioAt(at, day) / 0.001, 9);
  });

  test('spend the error budget of the objective', () => {
    const [budget] = seriesOf('uptime_check_error_budget_remaining_ratio', pastWith(), midnight);
    const [at, value] = budget?.samples[100] ?? [0, Number.NaN];
    expect(value).toBeCloseTo(1 - ratioAt(at, 30 * day) / 0.001, 9);
    const { objective: _, ...item } = pastWith().item;
    expect(seriesOf('uptime_check_error_budget_remaining_ratio', new Past(item), midnight)).toEqual(
      [],
    );
  });
});
