import { renderToString } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';
import { ErrorBudgetSection } from '../../../src/http/common/error-budget.tsx';

const objective = { ratio: 0.999, reason: 'default' };
const none = { objective, errorRatios: {}, burnRates: {} };

function wordsOf(budget: Parameters<typeof ErrorBudgetSection>[0]['budget'], checks?: number) {
  const html = renderToString(ErrorBudgetSection({ budget, ...(checks && { checks }) }));
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

describe('an error budget', () => {
  test('of which nothing is known has the objective at most', () => {
    expect(wordsOf(undefined)).toBe('Not known yet.');
    expect(wordsOf(none)).toBe(
      'Objective 99.9 % over 30 days (default) : 43 min 12 s of downtime allowed.',
    );
  });

  test.each([
    [0, '0 s left, 0 %.'],
    [-1, 'Overspent by 43 min 12 s.'],
  ])('of which the share %d is left says for how long it lasts', (remainingRatio, text) => {
    expect(wordsOf({ ...none, remainingRatio })).toMatch(new RegExp(`allowed. ${text}$`));
  });

  test('has its burn rates where there are any', () => {
    expect(wordsOf({ ...none, burnRates: { '1h': 2.5 } })).toContain(
      'Burn rates Window Burn rate 1h 2.5',
    );
  });

  test('of several checks is the mean of them', () => {
    expect(wordsOf(none, 2)).toContain('of downtime allowed, as the mean of its checks.');
  });
});
