import { describe, expect, test } from 'vitest';
import { checkStatuses } from '../../../src/domain/check.ts';
import { isProblem, urgencyOf } from '../../../src/http/common/urgency.ts';

describe('the order of what is wrong', () => {
  const cases = checkStatuses.flatMap((state) =>
    [false, true].map((inMaintenance) => ({ state, inMaintenance })),
  );
  const place = ({ state, inMaintenance }: (typeof cases)[number]) =>
    urgencyOf(state, inMaintenance);

  test('has the worst state first', () => {
    const inOrder = [...checkStatuses].sort((a, b) => urgencyOf(a, false) - urgencyOf(b, false));
    expect(inOrder).toEqual(['down', 'unconfirmed_down', 'unknown', 'up', 'paused']);
  });

  test('has every problem in maintenance after every other problem, and before what is none', () => {
    const problems = cases.filter(({ state }) => isProblem(state));
    const excused = problems.filter(({ inMaintenance }) => inMaintenance).map(place);
    const others = problems.filter(({ inMaintenance }) => !inMaintenance).map(place);
    const calm = cases.filter(({ state }) => !isProblem(state)).map(place);
    expect(Math.max(...others)).toBeLessThan(Math.min(...excused));
    expect(Math.max(...excused)).toBeLessThan(Math.min(...calm));
  });
});
