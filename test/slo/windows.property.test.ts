import { describe, expect, test } from 'vitest';
import { playWindows } from '../support/windows-driver.ts';

/** The long tests run many. */
const lives = 2;

describe('seconds of windows', () => {
  test.each([1, 5, 15, 60])('of checks of %i minutes are what every second was', (minutes) => {
    let compared = 0;
    for (let seed = 1; seed <= lives; seed++) {
      const life = { seed: seed * 100 + minutes, resolutionMinutes: minutes, days: 5 };
      compared += playWindows(life);
    }
    expect(compared).toBeGreaterThan(2 * lives);
  });
});
