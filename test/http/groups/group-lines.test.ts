import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { emptyBars } from '../../../src/http/common/past-bars.ts';
import {
  BudgetLine,
  GroupResponses,
  ResponseLines,
  sharesLeft,
} from '../../../src/http/groups/group-lines.tsx';
import { averagesAfter } from '../../../src/slo/hourly-averages.ts';

const day = 86_400;
const hour = 3_600;
const now = Date.UTC(2026, 10, 20) / 1000;

/** Down for these seconds on these of the last 30 days. */
function barsOf(down: Readonly<Record<number, number>>) {
  return emptyBars('30d', now).map((bar, place) => {
    const seconds = { up: day - (down[place] ?? 0), down: down[place] ?? 0 };
    return { ...bar, seconds: { ...seconds, unknown: 0, unmonitored: 0 } };
  });
}

test('the error budget falls on the days with downtime, and ends with what is left', () => {
  const shares = sharesLeft(barsOf({ 9: 600, 19: 1_800 }), 0.2);
  expect(shares).toHaveLength(31);
  expect([shares[0], shares[9], shares[10], shares[19], shares[20], shares[30]]).toEqual([
    ...[1, 1, 0.8, 0.8],
    ...[expect.closeTo(0.2), expect.closeTo(0.2)],
  ]);
  expect(new Set(sharesLeft(barsOf({}), 1))).toEqual(new Set([1]));
});

test('the line of an overspent budget crosses that of the objective, and says so in words', () => {
  const html = render(h(BudgetLine, { bars: barsOf({ 10: 900, 20: 900 }), left: -1 }));
  expect(html).toContain('day by day: from 100 % to overspent, used up on the 21st day');
  // 100 % is above, 0 in the middle, and what is overspent below.
  expect(html).toContain('<path class="objective" d="M0 24h30"');
  expect(html).toContain('d="M0 2 1 2 2 2');
  expect(html).toMatch(/ 30 46"/);
});

test('p50 and p95 are those of the daily averages of the checks', () => {
  const responses = new GroupResponses();
  for (let check = 1; check <= 20; check += 1) {
    const hours = Array.from({ length: 48 }, (_, place) => ({
      startAtSeconds: now - (48 - place) * hour,
      complete: true,
      averageResponseTimeSeconds: (place < 24 ? check : 2 * check) / 10,
    }));
    const hourlyAverages = averagesAfter(undefined, hours);
    const past = { outages: [], hourlyAverages };
    responses.add(
      { kind: 'check', id: check, status: { past: { ofCheck: () => past } } } as never,
      now,
    );
  }
  responses.add(
    { kind: 'check', id: 21, status: { past: { ofCheck: () => undefined } } } as never,
    now,
  );
  const { days } = responses;
  expect(days.slice(0, 28).every((one) => one === undefined)).toBe(true);
  expect(days.slice(28)).toEqual([
    { p50: expect.closeTo(1), p95: expect.closeTo(1.9) },
    { p50: expect.closeTo(2), p95: expect.closeTo(3.8) },
  ]);
  const props = { bars: emptyBars('30d', now), responses, checks: 21, id: 'table' };
  const html = render(h(ResponseLines, props));
  expect(html).toContain('last p50 2.00 s, p95 3.80 s');
  expect(html).toContain('20 of its 21 checks');
});
