import { describe, expect, test } from 'vitest';
import { pastGaugeFamilies } from '../../../src/backfill/series/past-ratios.ts';
import { Past } from '../../../src/backfill/series/past-series.ts';
import { encodeStates } from '../../../src/backfill/series/past-states.ts';
import {
  differencesAtSeam,
  differencesInPast,
  differencesOfRatio,
  ReportedRatios,
  ratioRange,
  type StoredSeries,
} from '../../../src/backfill/series/verify.ts';
import type { StateSpan } from '../../../src/domain/interval.ts';

/** Up for an hour, down for 10 minutes, and up for 50 minutes; then first seen. */
const spans: StateSpan[] = [
  { state: 'up', fromSeconds: 0, toSeconds: 3_600 },
  { state: 'down', fromSeconds: 3_600, toSeconds: 4_200 },
  { state: 'up', fromSeconds: 4_200, toSeconds: 7_200 },
];
const down = (...samples: [number, number][]): StoredSeries[] => [{ labels: {}, samples }];
const past: [number, number][] = [
  [3_600, 0],
  [3_900, 300],
  [4_200, 600],
  [7_199.999, 600],
];

describe('what a server has of a past', () => {
  const within = { fromSeconds: 1_800, toSeconds: 7_199.999 };

  test('is as the service reported it, at steps of up to an hour', () => {
    expect(differencesInPast(down(...past), spans, 'down', within)).toEqual([]);
  });

  test('differs where a sample has another value, or where samples are missing', () => {
    const wrong = down([3_600, 0], [3_900, 299], ...past.slice(2));
    expect(differencesInPast(wrong, spans, 'down', within)).toEqual([
      { kind: 'wrong', atSeconds: 3_900, value: 299, expected: 300 },
    ]);
    const hole = (fromSeconds: number, toSeconds: number) => ({
      ...{ kind: 'missing', within: { fromSeconds, toSeconds } },
    });
    expect(differencesInPast(down([3_600, 0], [7_205, 600]), spans, 'down', within)).toEqual([
      hole(3_600, 7_205),
    ]);
    expect(differencesInPast(down([3_500, 0]), spans, 'down', within)).toEqual([
      hole(3_500, 7_199.999),
    ]);
    expect(differencesInPast([], spans, 'down', within)).toEqual([hole(1_800, 7_199.999)]);
  });

  test('has every gap named, not only the first', () => {
    const long = { fromSeconds: 0, toSeconds: 20_000 };
    const up: StateSpan[] = [{ state: 'up', fromSeconds: 0, toSeconds: 20_000 }];
    const found = differencesInPast(
      down([0, 0], [7_200, 0], [10_000, 0], [18_000, 0]),
      ...([up, 'down', long] as const),
    );
    expect(found).toEqual([
      { kind: 'missing', within: { fromSeconds: 0, toSeconds: 7_200 } },
      { kind: 'missing', within: { fromSeconds: 10_000, toSeconds: 18_000 } },
    ]);
  });
});

describe('what a server has across the first sight', () => {
  const seam = { fromSeconds: 3_600, firstSeenSeconds: 7_200 };
  const across = (...live: [number, number][]) =>
    differencesAtSeam(down(...past, ...live), spans, 'down', seam);

  test('is the past, a 0, and counters that count from there', () => {
    expect(across([7_200, 0], [7_260, 0], [7_320, 60])).toEqual([]);
  });

  test('differs without the 0, and where a counter is larger than the time since', () => {
    expect(across([7_260, 0])).toEqual([
      { kind: 'missing', within: { fromSeconds: 7_200, toSeconds: 7_200 } },
    ]);
    expect(across([7_200, 0], [7_260, 61])).toMatchObject([{ kind: 'wrong', expected: 60 }]);
  });
});

describe('the error ratios that a server has of a transaction', () => {
  const day = 86_400;
  const firstSeenSeconds = 61 * day + 300;
  const [outage, maintenance] = [50 * day, 52 * day];
  /** Down for 20 hours, and up during a maintenance of 3 hours. */
  const transaction = (maintenanceHours: number) =>
    new Past({
      ...{ kind: 'transaction', id: 1, labels: { name: 'Buy' }, firstSeenSeconds },
      past: {
        fromSeconds: 0,
        toSeconds: firstSeenSeconds,
        states: encodeStates([
          { state: 'up', fromSeconds: 0, toSeconds: outage },
          { state: 'down', fromSeconds: outage, toSeconds: outage + 72_000 },
          { state: 'up', fromSeconds: outage + 72_000, toSeconds: firstSeenSeconds },
        ]),
      },
      maintenance: [[maintenance, maintenance + maintenanceHours * 3_600]],
      objective: 0.999,
    });
  const reported = new ReportedRatios(transaction(3));
  const within = { fromSeconds: 60 * day, toSeconds: firstSeenSeconds };
  const written = (past: Past, name: string) =>
    pastGaugeFamilies
      .find((family) => family.name === `uptime_transaction_${name}`)
      ?.seriesOf(past, within, 31 * day) ?? [];
  const found = (past: Past) => [
    ...written(past, 'error_ratio')
      .filter(({ labels }) => labels.window === '30d')
      .flatMap((series) => differencesOfRatio([series], within, (at) => reported.at('30d', at))),
    ...differencesOfRatio(written(past, 'error_budget_remaining_ratio'), within, (at) =>
      reported.budgetAt(at),
    ),
  ];

  test('are as the service reported them', () => {
    expect(found(transaction(3))).toEqual([]);
    expect(ratioRange(transaction(3), 31 * day)).toEqual({
      fromSeconds: 31 * day,
      toSeconds: firstSeenSeconds,
    });
    expect(ratioRange(transaction(3), 62 * day)).toBeUndefined();
  });

  test('differ where its maintenance was not left out', () => {
    const [ratio, budget] = found(transaction(0));
    expect(ratio).toMatchObject({
      kind: 'wrong',
      atSeconds: 60 * day,
      value: expect.closeTo(20 / 720, 9),
      expected: expect.closeTo(20 / 717, 9),
    });
    expect(budget).toMatchObject({ kind: 'wrong', expected: expect.closeTo(1 - 20 / 0.717, 9) });
  });

  test('are missing where the server lost them', () => {
    const [series] = written(transaction(3), 'error_budget_remaining_ratio');
    const samples = series?.samples.filter(
      ([at]) => at < 60.25 * day || (at >= 60.5 * day && at < 61 * day),
    );
    const holes = differencesOfRatio([{ labels: {}, samples: samples ?? [] }], within, (at) =>
      reported.budgetAt(at),
    );
    const hole = (fromSeconds: number, toSeconds: number) => ({
      ...{ kind: 'missing', within: { fromSeconds, toSeconds } },
    });
    expect(holes).toEqual([hole(60.25 * day, 60.5 * day), hole(61 * day, firstSeenSeconds)]);
  });

  test('go on with live ones that the reported past allows', () => {
    const live = (value: number): StoredSeries[] => [
      { labels: {}, samples: [[firstSeenSeconds + 60, value]] },
    ];
    expect(reported.jumpIn(live(20 / 717))).toEqual([]);
    expect(reported.jumpIn(live((72_000 + 60) / (717 * 3_600 + 60)))).toEqual([]);
    // As if maintenance had counted until now, and as if it had been longer.
    for (const value of [20 / 720, 20 / 714]) {
      expect(reported.jumpIn(live(value))).toMatchObject([{ kind: 'jump', value }]);
    }
  });
});
