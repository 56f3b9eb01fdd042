import { expect, test } from 'vitest';
import type { ReportRow } from '../../src/months/report-row.ts';
import { shortfallOf } from '../../src/months/shortfall.ts';

const month = { name: '2026-10', zone: 'UTC', fromSeconds: 1_000, toSeconds: 1_100 };
const whole = { month, state: 'whole', countedUntilSeconds: 1_100 } as const;

test.each([
  ['was not watched', false, { known: 60, unwatched: 40, awaited: 0 }],
  ['is missing', true, { known: 60, unwatched: 30, awaited: 0 }],
  ['is awaited', true, { known: 60, unwatched: 40, awaited: 1 }],
])('the rest of a month that %s becomes known by itself: %s', (_, isAwaited, seconds) => {
  const row = { countedUntilSeconds: 1_080, firstSeenSeconds: 1_000, hasLeft: false, ...seconds };
  expect(shortfallOf(row as ReportRow, whole)).toEqual({
    ...{ untilSeconds: 1_080, seconds: 20, isAwaited },
  });
});
