import { describe, expect, test } from 'vitest';
import { extent } from '../support/extent.ts';
import { playWindows } from '../support/windows-driver.ts';

describe('seconds of windows over a month', () => {
  test.each([1, 5, 15, 30, 60])('of checks of %i minutes are what every second was', (minutes) => {
    let compared = 0;
    for (let seed = 1; seed <= extent(1, 4); seed++) {
      const life = { seed: seed * 1000 + minutes, resolutionMinutes: minutes, days: 31 };
      compared += playWindows(life);
    }
    expect(compared).toBeGreaterThan(extent(50, 300));
  });
});
